// One object of a group, with what is found in it. Details are made when they are opened.

// objectRow shows the items of one object. What its group says already is left out.
function objectRow(items, group, open) {
  const body = el("div", { class: "body" });
  const row = el("details", { class: "object", open }, rowHead(items, group), body);
  const fill = () => {
    if (row.open && !body.firstChild) add(body, findingBlocks(items, group));
  };
  row.addEventListener("toggle", fill);
  fill();
  return el("li", {}, row);
}

function rowHead(items, group) {
  const [first] = items;
  const alike = (of) => items.every((item) => of(item) === of(first));
  const containers = [...new Set(items.map((item) => item.container).filter(Boolean))];
  const say = group.by !== "rule" ? [...new Set(items.map((item) => item.rule || item.reason))].join(", ") : "";
  return el("summary", {},
    el("span", { class: "who" },
      !group.alike && marks(items).flatMap((mark) => [mark, " "]),
      el("span", { class: "kind" }, first.object.kind), " ", el("bdi", { class: "name" }, objectName(first.object)),
      containers.length === 1 && el("span", { class: "in" }, ", ", el("span", { class: "kind" }, "container"), " ", el("bdi", {}, containers[0])),
      containers.length > 1 && el("span", { class: "in" }, `, ${containers.length} containers`),
      (first.pods > 1 || first.pods > 0 && first.object.kind !== "Pod") && el("span", { class: "in" }, `, ${counted(first.pods, "pod")}`)),
    el("span", { class: "where" }, place(first)),
    say && el("span", { class: "reason" }, say),
    !say && !group.reason && el("span", { class: "reason" }, alike((item) => item.reason) ? first.reason : items.map((item) => item.reason).join("; ")));
}

// marks are the levels and the status of items, each once.
function marks(items) {
  return markNames(items).map((name) => el("span", { class: `level ${name}` }, name === "unpredicted" ? "failing" : name));
}

function markNames(items) {
  return ["unpredicted", "happening"].filter((status) => items.some((item) => item.status === status))
    .concat(levels.filter((level) => items.some((item) => item.level === level)));
}

const findingBlocks = (items, group) => items.map((item, i) => findingBlock(item, items[i - 1], group, items.length > 1));

// findingBlock shows one item. A text that stands in the one before it is not repeated.
function findingBlock(item, before, group, titled) {
  const of = `of ${item.object.kind} ${objectName(item.object)}`;
  const list = el("dl", {});
  const line = (name, ...value) => list.append(el("div", {}, el("dt", {}, name), el("dd", {}, ...value)));
  if (group.by !== "rule" && item.rule) line("Rule", item.rule, item.about.title && `: ${item.about.title}`);
  if (group.by !== "rule" || titled && item.reason !== group.reason) line(item.rule ? "Reason" : "Seen", item.reason);
  if (item.what && !(before && before.what === item.what)) line("What", item.what);
  if (item.why) line("Why", item.why);
  if (item.fix) line(item.rule ? "Fix" : "Known", el("span", { class: "fix" }, item.fix), " ", copyButton(item.rule ? "the fix" : "what is known", of, () => item.fix));
  if (item.evidence.length) line("In the cluster", evidenceList(item.evidence));
  if (item.merged.length) line("Told by this, too", el("ul", {}, item.merged.map((m) => el("li", {}, `${m.rule} (${m.field})`))));
  if (item.path) line("Field", el("code", {}, item.path), place(item) && el("span", { class: "quiet" }, ` ${place(item)}`));
  if (item.patch) line("Patch", patchBlock(item.patch, of));
  if (item.suggestion) line("Suggested patch", patchBlock(item.suggestion, of));
  return el("div", { class: "finding" }, titled && item.container && el("h4", {}, "container ", el("bdi", {}, item.container)), list);
}

function patchBlock(patch, of) {
  const text = JSON.stringify(patch, null, 2);
  return [el("pre", {}, el("code", {}, text)), copyButton("the JSON Patch", of, () => text)];
}

function evidenceList(evidence) {
  return el("ul", { class: "evidence" }, evidence.map((s) => el("li", {},
    el("strong", {}, symptomName(s)), " ", el("span", { class: "quiet" }, symptomDetails(s).join(", ")),
    s.message && el("span", { class: "message" }, s.message))));
}

function symptomName({ kind, reason }) {
  if (kind === "running") return reason === "Job" ? "runs on, and its Job waits for its end" : "runs on, and what comes after it waits";
  return reason || kind;
}

function symptomDetails(s) {
  const all = [];
  if (s.reason && s.kind !== "running") all.push(s.kind === "node" ? "of the node" : s.kind);
  if (s.exitCode !== undefined) all.push(`exit code ${s.exitCode}`);
  if (s.container) all.push(`container ${s.container}`);
  if (s.count) all.push(s.kind === "restarts" ? counted(s.count, "restart") : counted(s.count, "time"));
  if (s.pods) all.push(counted(s.pods, "pod"));
  if (s.over) all.push("over since");
  if (s.last) all.push(`last ${s.last.slice(0, 16).replace("T", " ")} UTC`);
  return all;
}
