// The functions of the filters, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import vm from "node:vm";

const folder = new URL("../../internal/report/html/page/", import.meta.url);
const source = ["data.js", "filters.js"].map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
const { fromFragment, toFragment, nothingChosen, choose, grouped } = vm.runInNewContext(
  `${source}; ({ fromFragment, toFragment, nothingChosen, choose, grouped })`, { URLSearchParams });
const plain = (value) => JSON.parse(JSON.stringify(value));

test("a state comes back from its fragment", () => {
  for (const state of [
    {}, { level: ["deny", "patched"] }, { certainty: ["likely"], status: ["happening", "unpredicted"] }, { rule: "probe-port-dead" },
    { namespace: "" }, { namespace: "a b&c=d#e" }, { q: "100% & more + ünï" }, { group: "namespace" },
  ]) {
    const whole = { ...plain(nothingChosen()), ...state };
    assert.deepEqual(plain(fromFragment(toFragment(whole))), whole);
  }
  assert.equal(toFragment(nothingChosen()), "");
});

const item = (rule, level, namespace, name, more = {}) => ({
  rule, level, certainty: "certain", status: "", object: { kind: "Pod", namespace, name }, at: name, file: "", evidence: [], merged: [], reason: "", ...more,
});

test("counts beside the choices are those with the other filters", () => {
  const items = [item("a", "deny", "x", "1"), item("a", "warn", "x", "2"), item("b", "deny", "y", "3"), item("b", "warn", "y", "4", { reason: "Needle" })];
  const { shown, facets } = choose(items, { ...nothingChosen(), level: ["deny"], rule: "a" });
  assert.deepEqual(plain(shown.map((i) => i.at)), ["1"]);
  assert.deepEqual(Object.fromEntries(facets.level), { deny: 1, warn: 1 });
  assert.deepEqual(Object.fromEntries(facets.rule), { a: 1, b: 1 });
  assert.deepEqual(Object.fromEntries(facets.namespace), { x: 1 });
  assert.deepEqual(plain(choose(items, { ...nothingChosen(), q: "b needle" }).shown.map((i) => i.at)), ["4"]);
});

test("groups stand in the order of what is to be done", () => {
  const items = [
    item("quiet", "audit", "x", "1"), item("many", "deny", "x", "2"), item("many", "deny", "x", "3"), item("one", "deny", "x", "4"),
    item("now", "warn", "x", "5", { status: "happening" }), item("", "", "x", "6", { status: "unpredicted", reason: "OOMKilled" }), item("mended", "patched", "x", "7"),
  ];
  assert.deepEqual(plain(grouped(items, "rule").map((g) => g.key)), ["trouble OOMKilled", "rule now", "rule many", "rule one", "rule quiet", "rule mended"]);
});
