// What the page knows: findings and troubles as items of one list.

const levels = ["deny", "warn", "audit", "patched"];
const certainties = ["certain", "likely", "possible"];
const statuses = ["happening", "unpredicted", "predicted"];
const statusNames = { happening: "predicted, and happening", unpredicted: "failing without a prediction", predicted: "predicted only" };

function readItems(data) {
  const objects = data.objects || [];
  const text = (i) => data.texts[i] || "";
  const findings = data.findings.map((f) => {
    const rule = data.rules[f.r];
    return {
      rule: rule.id, about: rule, certainty: rule.certainty, object: objects[f.o], at: f.o,
      level: f.patched ? "patched" : f.l, status: f.s || "", pods: f.pods || 0,
      container: text(f.c), path: text(f.p), file: text(f.f), line: f.n || 0,
      reason: text(f.re), what: text(f.wt), why: text(f.wy), fix: text(f.fx),
      evidence: f.evidence || [], merged: f.merged || [], patch: f.patch, suggestion: f.suggestion,
    };
  });
  const troubles = (data.troubles || []).map((t) => ({
    rule: "", certainty: "", object: objects[t.o], at: t.o, level: "", status: "unpredicted", pods: t.pods || 0,
    container: text(t.c), path: "", file: "", line: 0, reason: text(t.re), what: "", why: "", fix: text(t.k),
    evidence: t.evidence || [], merged: [],
  }));
  return troubles.concat(findings);
}

// place is where an item was read from, as compilers write it.
const place = (item) => (item.file && item.line ? `${item.file}:${item.line}` : item.file);

const objectName = (o) => (o.namespace ? `${o.namespace}/${o.name}` : o.name);

// haystack is all of an item that is searched, in small letters. It is made when it is first asked for.
function haystack(item) {
  if (item.hay === undefined) {
    const o = item.object;
    item.hay = [
      item.rule, o.kind, objectName(o), item.container, item.path, place(item), item.reason, item.what, item.why, item.fix,
      ...item.evidence.map((s) => `${s.reason || ""} ${s.message || ""}`),
    ].join("\n").toLowerCase();
  }
  return item.hay;
}
