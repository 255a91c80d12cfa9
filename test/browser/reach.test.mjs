// Who reaches the page: by keyboard, by screen reader, on a telephone, in the dark.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";
import { close, open, openAll, why } from "./browser.mjs";

after(close);
const skip = why;

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const pages = ["sample", "files", "nothing", "unfinished", "hostile"];
const screens = [{ width: 1440, height: 900 }, { width: 390, height: 844 }];

// violations asks axe-core, which has to be put into the page past its policy.
async function violations(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)).join(" | ")}`);
}

test("axe-core finds no violation", { skip }, async (t) => {
  for (const screen of screens) {
    for (const name of pages) {
      const page = await open(t, name, { ...screen, bypassCSP: true });
      await page.evaluate(() => { // one of each kind of what can be opened
        document.querySelectorAll("section details:not(.group), .filters, .group").forEach((d, i) => { d.open = !d.matches(".group") || i % 9 === 0; });
      });
      await page.locator("details.object > summary").evaluateAll((all) => all.slice(0, 6).forEach((summary) => summary.click()));
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        assert.deepEqual(await violations(page), [], `${name}, ${colorScheme}, ${screen.width}`);
      }
    }
  }
});

test("nothing is wider than the screen", { skip }, async (t) => {
  for (const name of pages) {
    const page = await open(t, name, { width: 320 });
    await openAll(page);
    for (const width of [320, 390, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const [content, screen] = await page.evaluate(() => [document.scrollingElement.scrollWidth, innerWidth]);
      assert.ok(content <= screen, `${name}: ${content} on ${screen}`);
    }
  }
});

// walk presses Tab until the focus leaves the page, and returns what it was on.
async function walk(page, most) {
  const seen = [];
  for (let i = 0; i < most; i++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body) return null;
      const shown = e.matches("input[type=radio]") ? e.nextElementSibling : e;
      const { outlineStyle, outlineWidth } = getComputedStyle(shown);
      return { what: `${e.tagName.toLowerCase()} ${(e.getAttribute("aria-label") || e.textContent || e.name || e.id).trim().slice(0, 60)}`, seen: outlineStyle !== "none" && outlineWidth !== "0px" };
    });
    if (!at) return seen;
    seen.push(at);
  }
  throw new Error(`the focus does not come out within ${most} steps; the last: ${JSON.stringify(seen.slice(-3))}`);
}

test("the keyboard reaches everything, sees where it is, and comes out again", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#rule=command-exits" });
  await page.locator("details.object > summary").first().click();
  await page.locator(".skip").focus(); // what is before it is not of the page
  const focusable = await page.evaluate(() => [...document.querySelectorAll("a[href], button, input, select, summary")]
    .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches("input[type=radio]:not(:checked)")).length);
  const seen = await walk(page, 400);
  assert.equal(seen[0].what, "input theme");
  assert.deepEqual(seen.filter((at) => !at.seen), [], "focus that cannot be seen");
  assert.equal(seen.length + 1, focusable);
});

test("everything can be done with the keyboard", { skip }, async (t) => {
  const page = await open(t, "large");
  const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim() || document.activeElement.id);
  await press("Tab");
  assert.equal(await focused(), "Skip to the findings");
  await press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "findings");
  await press("Tab");
  assert.equal(await focused(), "Filters");
  await press("Tab");
  await page.keyboard.type("command-exits");
  await page.waitForTimeout(400);
  assert.match(await page.locator(".count").textContent(), /^\d[\d,]* of 10,000 findings and 0 of 2/);
  await page.locator(".toolbar button").last().focus();
  await press("Tab", "Enter");
  const first = page.locator("details.group").first();
  assert.equal(await first.getAttribute("open"), "", "Enter opens a group");
  await first.locator("button.more").focus();
  await press("Enter");
  assert.equal(await first.locator("details.object").count(), 100);
  assert.equal(await page.evaluate(() => [...document.querySelectorAll("details.object > summary")].indexOf(document.activeElement)), 50, "the focus is on the first of the new ones");
  assert.match(await page.getByRole("status").textContent(), /^100 of [\d,]+ objects are shown\.$/);
  await press("Space");
  await page.locator("details.object[open] .fix").first().waitFor({ timeout: 5000 }); // Space opens an object
});

test("landmarks, headings and names are there", { skip }, async (t) => {
  const page = await open(t, "sample");
  for (const role of ["banner", "main", "contentinfo", "search"]) assert.equal(await page.getByRole(role).count(), 1, role);
  for (const name of ["Charts", "Nodes", "Findings", "Ignored"]) assert.equal(await page.getByRole("region", { name }).count(), 1, name);
  const levels = await page.evaluate(() => [...document.querySelectorAll("h1, h2, h3, h4")].filter((h) => h.checkVisibility()).map((h) => Number(h.tagName[1])));
  assert.equal(levels[0], 1);
  levels.reduce((before, level) => { assert.ok(level <= before + 1, `a heading of level ${level} after ${before}`); return level; });
  const rows = await page.getByRole("table", { name: /^Nodes/ }).first().getByRole("row").count();
  assert.equal(rows, 4);
  const narrow = await open(t, "sample", { width: 390 });
  assert.equal(await narrow.getByRole("table", { name: /^Nodes/ }).first().getByRole("rowheader").count(), 3, "cards are still a table to those who hear it");
});

test("nothing moves for those who asked for that", { skip }, async (t) => {
  for (const [reducedMotion, behaviour] of [["reduce", "auto"], ["no-preference", "smooth"]]) {
    const page = await open(t, "nothing", { reducedMotion });
    assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), behaviour);
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  }
});
