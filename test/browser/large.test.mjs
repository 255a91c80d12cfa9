// Ten thousand findings.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { close, dataOf, open, why } from "./browser.mjs";

after(close);
const skip = why;

// freeze is how long, in milliseconds, nothing may keep the page from answering. A person notices 100; a busy machine
// with two processors takes its time.
const freeze = 1500;

test("ten thousand findings are filtered without freezing", { skip }, async (t) => {
  const { findings, objects, rules, texts } = dataOf("large");
  assert.equal(findings.length, 10_000);
  const page = await open(t, "large");
  const loaded = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive);
  t.diagnostic(`the page is there after ${Math.round(loaded)} ms`);

  // filter makes a change and returns how long the page needed until it had shown it.
  const filter = (id, value) => page.evaluate(([id, value]) => new Promise((done) => {
    const control = document.getElementById(id) || document.querySelector(`input[value="${id}"]`);
    const start = performance.now();
    if (control.type === "checkbox") control.click();
    else {
      control.value = value;
      control.dispatchEvent(new Event("change", { bubbles: true }));
    }
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start), 0));
  }), [id, value]);
  const counted = async () => Number((await page.locator(".count").textContent()).replaceAll(",", "").split(" ")[0]);
  const expect = (of) => findings.filter((f) => of(f, rules[f.r], objects[f.o])).length;
  const show = async (what, took, of) => {
    assert.equal(await counted(), expect(of), what);
    assert.ok(took < freeze, `${what} takes ${took} ms`);
    t.diagnostic(`${what}: ${Math.round(took)} ms`);
  };

  await show("level", await filter("deny"), (f) => f.l === "deny");
  await show("level and certainty", await filter("certain"), (f, r) => f.l === "deny" && r.certainty === "certain");
  await show("and rule", await filter("rule", "=command-exits"), (f, r) => f.l === "deny" && r.id === "command-exits");
  await show("and namespace", await filter("namespace", "=team-007"), (f, r, o) => f.l === "deny" && r.id === "command-exits" && o.namespace === "team-007");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await show("by object", await filter("group", "object"), () => true);
  assert.equal(await page.locator("details.group").count(), 50, "a part of the groups is made");
  await show("by namespace", await filter("group", "namespace"), () => true);
  await show("by cause", await filter("group", "rule"), () => true);

  const took = await page.evaluate(() => new Promise((done) => {
    const search = document.getElementById("search");
    const before = document.querySelector(".count").textContent;
    let longest = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) longest = Math.max(longest, e.duration); }).observe({ type: "longtask" });
    search.value = "CrashLoopBackOff";
    search.dispatchEvent(new Event("input", { bubbles: true }));
    const wait = setInterval(() => {
      if (document.querySelector(".count").textContent === before) return;
      clearInterval(wait);
      setTimeout(() => done(longest), 50);
    }, 10);
  }));
  const text = (f) => ["re", "wt", "wy", "fx", "p", "f", "c"].map((k) => texts[f[k]]).concat((f.evidence || []).map((s) => `${s.reason} ${s.message}`)).join("\n").toLowerCase();
  await show("the first search", took, (f) => text(f).includes("crashloopbackoff"));

  await page.getByLabel("Search").fill("");
  await page.waitForTimeout(400);
  await page.getByRole("button", { name: "Open all" }).click();
  await page.waitForTimeout(400);
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  t.diagnostic(`with all groups open the page has ${elements} elements`);
  assert.ok(elements < 40_000, `${elements} elements`);
});
