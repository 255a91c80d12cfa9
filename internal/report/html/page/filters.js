// Filters: which items are shown. Their state stands in the fragment of the address, so that it can be sent as a link.

const groupings = ["rule", "namespace", "object"];
const several = { level: levels, certainty: certainties, status: statuses };
const single = ["rule", "namespace"];

// nothingChosen shows all. A rule or namespace of null is any; the empty namespace is that of objects that write none.
const nothingChosen = () => ({ level: [], certainty: [], status: [], rule: null, namespace: null, q: "", group: "rule" });

// fromFragment reads a state. It takes only words that it knows, so that a link cannot do more than choose.
function fromFragment(fragment) {
  const state = nothingChosen();
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  for (const [name, words] of Object.entries(several)) {
    const chosen = (given.get(name) || "").split(",");
    state[name] = words.filter((word) => chosen.includes(word));
  }
  for (const name of single) state[name] = given.has(name) ? given.get(name) : null;
  state.q = given.get("q") || "";
  if (groupings.includes(given.get("group"))) state.group = given.get("group");
  return state;
}

function toFragment(state) {
  const out = new URLSearchParams();
  for (const name of Object.keys(several)) if (state[name].length) out.set(name, state[name].join(","));
  for (const name of single) if (state[name] !== null) out.set(name, state[name]);
  if (state.q) out.set("q", state.q);
  if (state.group !== "rule") out.set("group", state.group);
  const text = out.toString();
  return text && `#${text}`;
}

// isState tells a fragment that is a state from one that names a place in the page.
const isState = (fragment) => fragment.includes("=");

const valueOf = {
  level: (item) => item.level, certainty: (item) => item.certainty, status: (item) => item.status,
  rule: (item) => item.rule, namespace: (item) => item.object.namespace,
};

// choose returns the items that are shown, and for each value of each filter how many items it would show with the
// other filters as they are.
function choose(items, state) {
  const terms = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const fields = Object.keys(valueOf);
  const facets = Object.fromEntries(fields.map((name) => [name, new Map()]));
  const shown = [];
  const passes = (item, name) => (name in several
    ? state[name].length === 0 || state[name].includes(valueOf[name](item))
    : state[name] === null || state[name] === valueOf[name](item));
  for (const item of items) {
    const failed = fields.filter((name) => !passes(item, name));
    if (failed.length > 1 || !terms.every((term) => haystack(item).includes(term))) continue;
    if (failed.length === 0) shown.push(item);
    for (const name of failed.length ? failed : fields) {
      const value = valueOf[name](item);
      facets[name].set(value, (facets[name].get(value) || 0) + 1);
    }
  }
  return { shown, facets };
}

// grouped puts items together, those first that fail already, then those of the strongest level.
function grouped(items, by) {
  const all = new Map();
  for (const item of items) {
    const key = groupKey(item, by);
    let group = all.get(key);
    if (!group) all.set(key, group = { key, by, items: [], first: item });
    group.items.push(item);
  }
  const groups = [...all.values()];
  for (const g of groups) {
    g.levels = levels.map((level) => g.items.filter((item) => item.level === level).length);
    g.happening = g.items.filter((item) => item.status === "happening").length;
    g.unpredicted = g.items.filter((item) => item.status === "unpredicted").length;
    const failing = (object) => object.some((item) => item.status === "happening" || item.status === "unpredicted");
    g.objects = byObject(g.items).sort((a, b) => failing(b) - failing(a));
  }
  return groups.sort((a, b) => (b.happening + b.unpredicted > 0) - (a.happening + a.unpredicted > 0)
    || a.levels.findIndex(Boolean) - b.levels.findIndex(Boolean)
    || b.items.length - a.items.length || (a.key < b.key ? -1 : 1));
}

function groupKey(item, by) {
  if (by === "namespace") return `namespace ${item.object.namespace}`;
  if (by === "object") return `object ${item.at} ${item.file}`;
  return item.rule ? `rule ${item.rule}` : `trouble ${item.reason}`;
}

// byObject puts the items of one object together, in their order.
function byObject(items) {
  const all = new Map();
  for (const item of items) {
    const key = `${item.at} ${item.file}`;
    if (!all.has(key)) all.set(key, []);
    all.get(key).push(item);
  }
  return [...all.values()];
}
