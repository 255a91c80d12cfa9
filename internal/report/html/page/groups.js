// The list: groups of objects. What is not opened is not made, and long lists are shown a part at a time, so that the
// page stays quick however much was found.

const part = 50; // groups, or objects of a group, that are added at once

// newList returns a list in the element. Its show takes the items that are to be seen.
function newList(element) {
  const open = new Map(); // what the reader opened or closed, by key
  return {
    show(items, by) {
      const groups = grouped(items, by);
      const few = groups.length === 1 || items.length <= 12;
      const node = (g) => groupNode(g, open.has(g.key) ? open.get(g.key) : few, (is) => open.set(g.key, is));
      element.replaceChildren(inParts("ul", "groups", groups, (g) => el("li", {}, node(g)), "group"));
      return groups;
    },
    openAll(is) {
      for (const d of element.querySelectorAll("details.group")) {
        open.set(d.dataset.key, is);
        d.open = is;
      }
    },
    // print shows all, but not more than paper bears.
    print(items, by) {
      let left = 1000;
      const groups = grouped(items, by);
      element.replaceChildren(el("ul", { class: "groups" }, groups.map((g) => {
        const objects = g.objects.slice(0, left);
        left -= objects.length;
        const more = g.objects.length - objects.length;
        return el("li", {}, el("details", { class: "group", open: true }, groupHead(g), groupAbout(g),
          el("ul", { class: "objects" }, objects.map((o) => objectRow(o, g, items.length <= 100))),
          more > 0 && el("p", {}, `${counted(more, "object")} more, not printed: choose fewer.`)));
      })));
    },
  };
}

function groupNode(g, isOpen, opened) {
  const head = groupHead(g);
  const node = el("details", { class: "group", "data-key": g.key, open: isOpen }, head);
  const fill = () => {
    if (node.open && node.childNodes.length === 1) {
      if (g.by === "object") node.append(el("div", { class: "body" }, findingBlocks(g.items, g)));
      else node.append(groupAbout(g), inParts("ul", "objects", g.objects, (items) => objectRow(items, g, false), "object"));
    }
  };
  node.addEventListener("toggle", fill);
  head.addEventListener("click", () => opened(!node.open));
  fill();
  return node;
}

// groupHead says of a group what it is and how much of what is in it.
function groupHead(g) {
  const { items, first, by } = g;
  g.reason = by === "rule" && items.every((item) => item.reason === first.reason) ? first.reason : "";
  g.alike = new Set(g.objects.map((object) => markNames(object).join(" "))).size === 1; // then they need not say it again
  return el("summary", {},
    el("h3", {}, el("bdi", {}, groupName(g))),
    el("span", { class: "numbers" }, numbersOf(g)),
    el("span", { class: "title" }, by === "rule" ? titleOf(g) : ""),
    el("span", { class: "of" }, by === "object" ? place(first) : counted(g.objects.length, "object")));
}

function titleOf({ reason, first }) {
  if (!first.rule) return first.fix || "fails without a prediction";
  return reason || first.about.title || first.about.failure;
}

function numbersOf(g) {
  const numbers = [];
  if (g.happening) numbers.push(el("span", { class: "level happening" }, `${g.happening} happening`));
  if (g.unpredicted) numbers.push(el("span", { class: "level unpredicted" }, `${g.unpredicted} failing`));
  levels.forEach((level, i) => g.levels[i] && numbers.push(el("span", { class: `level ${level}` }, `${g.levels[i]} ${level}`)));
  return numbers;
}

function groupName({ by, first }) {
  if (by === "namespace") return first.object.namespace || "(no namespace written)";
  if (by === "object") return `${first.object.kind} ${objectName(first.object)}`;
  return first.rule || first.reason;
}

// groupAbout is what is true of all objects of a rule.
function groupAbout({ by, first, reason }) {
  const about = el("div", { class: "about-rule" });
  if (by !== "rule" || !first.rule) return about;
  const { id, title, description, failure, certainty, remediation } = first.about;
  const command = `forestall explain ${id}`;
  add(about,
    reason && title && el("p", { class: "rule-title" }, title), // without a common reason it stands above
    description && el("p", {}, description),
    el("dl", {},
      el("div", {}, el("dt", {}, "You would see"), el("dd", {}, failure)),
      el("div", {}, el("dt", {}, "Certainty"), el("dd", {}, certainty)),
      remediation && el("div", {}, el("dt", {}, "Fix"), el("dd", {}, el("span", { class: "fix" }, remediation), " ", copyButton("the fix", `of ${id}`, () => remediation))),
      el("div", {}, el("dt", {}, "More"), el("dd", {}, el("code", {}, command), " ", copyButton("the command", "", () => command)))));
  return about;
}

// inParts is a list that shows its first items, and a button for more of them.
function inParts(tag, name, items, make, what) {
  const list = el(tag, { class: name });
  const box = el("div", {}, list);
  let shown = 0;
  const button = el("button", { type: "button", class: "more" });
  const more = () => {
    const next = items.slice(shown, shown + part).map(make);
    list.append(...next);
    shown += next.length;
    const left = items.length - shown;
    button.textContent = `Show ${Math.min(part, left)} more of ${counted(left, what)}`;
    if (left === 0) button.remove();
    return next;
  };
  more();
  if (shown < items.length) box.append(button);
  button.addEventListener("click", () => {
    const [first] = more();
    first.querySelector("summary").focus();
    tell(`${shown} of ${counted(items.length, what)} are shown.`);
  });
  return box;
}
