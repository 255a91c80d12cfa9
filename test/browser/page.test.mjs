// What a reader does with the page: choose, open, copy, send a link, print.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { addressOf, close, count, dataOf, groupsOf, open, openAll, why } from "./browser.mjs";

after(close);
const skip = why;

const { findings, rules, objects } = why ? { findings: [] } : dataOf("sample");
const ruleOf = (f) => rules[f.r].id;
const number = (of) => findings.filter(of).length;
const settled = (page) => page.waitForTimeout(200); // a search waits until the reader stops

test("the first screen says what fails and what would be refused", { skip }, async (t) => {
  const page = await open(t, "sample");
  assert.match(await page.locator("h1").textContent(), /^Audit of cluster sample$/);
  assert.match(await page.locator(".verdict").textContent(), /^\d+ objects fail now as predicted, 2 without a prediction\.$/);
  const tiles = Object.fromEntries((await page.locator(".tile").allTextContents()).map((text) => text.trim().split(" ").slice(0, 2).reverse()));
  assert.deepEqual(tiles, {
    happening: String(number((f) => f.s === "happening")), not: "2",
    deny: String(number((f) => f.l === "deny")), warn: String(number((f) => f.l === "warn")), audit: String(number((f) => f.l === "audit")),
  });
  assert.match(await count(page), new RegExp(`^${findings.length} findings and 2 failures without a prediction in \\d+ objects$`));
});

test("what fails already stands first, then what would be refused", { skip }, async (t) => {
  const page = await open(t, "sample");
  const groups = await groupsOf(page);
  assert.deepEqual(groups.slice(0, 2).sort(), ["Error, exit code 1", "ImagePullBackOff"]);
  const happening = new Set(findings.filter((f) => f.s === "happening").map(ruleOf));
  assert.deepEqual(new Set(groups.slice(2, 2 + happening.size)), happening);
  const ranks = groups.slice(2 + happening.size).map((id) => Math.min(...findings.filter((f) => ruleOf(f) === id).map((f) => ["deny", "warn", "audit"].indexOf(f.l))));
  assert.deepEqual(ranks, [...ranks].sort());
});

test("every filter shows what it says", { skip }, async (t) => {
  const page = await open(t, "sample");
  const shows = async (n, what) => assert.match(await count(page), new RegExp(`^${n} of ${findings.length} findings and 0 of 2 failures`), what);
  const box = (name) => page.getByRole("checkbox", { name });
  await box(/^deny/).check();
  await shows(number((f) => f.l === "deny"), "level");
  await box(/^warn/).check();
  await shows(number((f) => f.l === "deny" || f.l === "warn"), "two levels");
  await box(/^certain/).check();
  await shows(number((f) => f.l !== "audit" && rules[f.r].certainty === "certain"), "levels and certainty");
  await box(/^predicted, and happening/).check();
  await shows(number((f) => f.l !== "audit" && rules[f.r].certainty === "certain" && f.s === "happening"), "and status");
  assert.match(await page.getByRole("status").textContent(), /groups?\.$/, "those who do not see the page are told");
  await page.getByRole("button", { name: "Clear filters" }).click();
  assert.match(await count(page), new RegExp(`^${findings.length} findings and 2 failures`));

  await page.getByLabel("Rule", { exact: true }).selectOption("=command-exits");
  await shows(number((f) => ruleOf(f) === "command-exits"), "rule");
  await page.getByLabel("Namespace", { exact: true }).selectOption("=search");
  await shows(number((f) => ruleOf(f) === "command-exits" && objects[f.o].namespace === "search"), "rule and namespace");
  assert.equal(await page.locator("details.group").getAttribute("open"), "", "the only group is open");
  await page.getByRole("button", { name: "Clear filters" }).click();

  await page.getByLabel("Search").fill("INDEXER imagepull");
  await settled(page);
  assert.match(await count(page), new RegExp(`^0 of ${findings.length} findings and 1 of 2 failures without a prediction in 1 object$`));
  await page.getByLabel("Search").fill("no such thing anywhere");
  await settled(page);
  assert.match(await page.locator(".empty").textContent(), /^No finding is like this/);
});

test("beside a choice stands how many it would show", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#level=deny" });
  const label = page.locator("label.check", { hasText: "likely" }).locator(".number");
  assert.equal(await label.textContent(), String(number((f) => f.l === "deny" && rules[f.r].certainty === "likely")));
  const warn = page.locator("label.check", { hasText: "warn" }).locator(".number");
  assert.equal(await warn.textContent(), String(number((f) => f.l === "warn")), "a filter does not count against itself");
});

test("the filters stand in the address, and a link opens with them", { skip }, async (t) => {
  const page = await open(t, "sample");
  await page.getByRole("checkbox", { name: /^deny/ }).check();
  await page.getByLabel("Namespace", { exact: true }).selectOption("=search");
  await page.getByLabel("Group by").selectOption("object");
  await page.getByLabel("Search").fill("limit");
  await settled(page);
  const address = page.url();
  assert.equal(address, addressOf("sample", "#level=deny&namespace=search&q=limit&group=object"));
  const [before, groups] = [await count(page), await groupsOf(page)];

  const other = await open(t, "sample", { fragment: new URL(address).hash });
  assert.equal(await count(other), before);
  assert.deepEqual(await groupsOf(other), groups);
  assert.equal(await other.getByLabel("Search").inputValue(), "limit");

  await other.locator("#by-rule tbody a").first().click();
  assert.equal(new URL(other.url()).hash, "#rule=command-exits");
  assert.match(await count(other), new RegExp(`^${number((f) => ruleOf(f) === "command-exits")} of `));
  assert.equal(await other.evaluate(() => document.activeElement.id), "findings");
  await other.goBack();
  assert.equal(await count(other), before, "the way back");
});

test("a link to nothing, or with anything in it, chooses nothing more", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#level=root,deny&rule=%3Cimg%20src%3Dx%3E&group=__proto__&constructor=x&%E0%A4%A" });
  assert.match(await count(page), /^0 of /);
  assert.equal(await page.getByLabel("Rule", { exact: true }).inputValue(), "=<img src=x>");
  assert.equal(await page.getByRole("checkbox", { name: /^deny/ }).isChecked(), true);
});

test("an object opens to what, why, the fix and what the cluster reports", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#rule=command-exits&status=happening", permissions: ["clipboard-read", "clipboard-write"] });
  const object = page.locator("details.object").first();
  await object.locator("summary").click();
  const terms = await object.locator(".finding").first().locator("dt").allTextContents();
  for (const term of ["What", "Why", "Fix", "In the cluster", "Field"]) assert.ok(terms.includes(term), `${term} in ${terms}`);
  const fix = object.locator("dd", { has: page.locator(".fix") }).first();
  await fix.getByRole("button", { name: /^Copy the fix of / }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await fix.locator(".fix").textContent());
  assert.equal(await page.getByRole("status").textContent(), "Copied the fix.");
});

test("an object that is a group of its own shows its findings at once", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#group=object&q=three-problems" });
  await page.waitForTimeout(100);
  const three = findings.filter((f) => objects[f.o].name === "three-problems");
  assert.deepEqual(await groupsOf(page), [`Deployment ${objects[three[0].o].namespace}/three-problems`]);
  assert.equal(await page.locator(".finding .fix:visible").count(), three.length);
});

test("copying works where a page has no clipboard", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#rule=command-exits", permissions: ["clipboard-read"] });
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); });
  await page.locator(".about-rule").getByRole("button", { name: "Copy the command" }).click();
  assert.equal(await page.getByRole("status").textContent(), "Copied the command.");
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "forestall explain command-exits");
});

test("what was opened stays open while filters change", { skip }, async (t) => {
  const page = await open(t, "sample");
  const group = page.locator('details.group[data-key="rule command-exits"]');
  await group.locator("> summary").click();
  await page.getByRole("checkbox", { name: /^deny/ }).check();
  assert.equal(await group.getAttribute("open"), "");
  await page.getByRole("button", { name: "Close all" }).click();
  await page.getByRole("checkbox", { name: /^deny/ }).uncheck();
  assert.equal(await group.getAttribute("open"), null);
});

test("colours follow the system, or the switch, which is remembered", { skip }, async (t) => {
  const page = await open(t, "sample", { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await background();
  await page.getByRole("radio", { name: "Light" }).check({ force: true });
  const light = await background();
  assert.deepEqual([dark, light], ["rgb(15, 19, 24)", "rgb(246, 247, 249)"]);
  await page.reload();
  assert.equal(await background(), light);
  await page.getByRole("radio", { name: "Auto" }).check({ force: true });
  assert.equal(await background(), dark);
});

test("paper shows what is chosen, opened", { skip }, async (t) => {
  const page = await open(t, "sample", { fragment: "#rule=memory-limit-missing" });
  await page.getByRole("button", { name: "Close all" }).click();
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const texts = await page.locator(".finding .fix:visible").count();
  assert.equal(texts, number((f) => ruleOf(f) === "memory-limit-missing"));
  assert.equal(await page.locator(".filters").isVisible(), false);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.equal(await page.locator("details.group").getAttribute("open"), null);
  assert.ok((await page.pdf()).length > 10_000);
});

test("an audit that is not whole never looks clean", { skip }, async (t) => {
  const page = await open(t, "unfinished");
  assert.match(await page.locator(".verdict").textContent(), /as far as could be judged/);
  assert.match(await page.locator(".unfinished").textContent(), /This audit is not whole:/);
  assert.match(await page.locator("#app").textContent(), /^Nothing was found in what could be judged\. This audit is not whole/);
  await page.getByRole("link", { name: "See the errors" }).click();
  assert.match(await page.locator("#errors").textContent(), /shop\/web\.yaml:12/);
  const clean = await open(t, "nothing");
  assert.equal(await clean.locator("#app").textContent(), "Nothing was found.");
  assert.equal(await clean.locator(".unfinished").count(), 0);
});

test("without JavaScript there is the summary and a list", { skip }, async (t) => {
  const page = await open(t, "sample", { javaScriptEnabled: false });
  assert.ok(await page.locator(".verdict").isVisible());
  assert.ok(await page.locator("#by-rule svg rect").first().isVisible());
  const rows = await page.locator("noscript li").count();
  assert.equal(rows, findings.length + 2);
  assert.equal(await page.locator("#theme").isVisible(), false);
});

test("manifests of strangers run nothing, and are shown as they are", { skip }, async (t) => {
  for (const bypassCSP of [false, true]) { // text is no markup even where no policy keeps it from running
    const page = await open(t, "hostile", { bypassCSP });
    await openAll(page);
    await page.evaluate(() => document.querySelectorAll("button").forEach((button) => button.click()));
    await openAll(page);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.ran), undefined);
    assert.equal(await page.locator("img, iframe, script:not(:is(#data, :last-of-type)), [onerror], a[href^='javascript']").count(), 0);
    assert.ok((await page.locator(".finding dd").first().textContent()).includes("</script><!--<script>"));
    assert.equal(await page.evaluate(() => document.body.innerText.includes("\u202e")), false, "no text turns its direction");
  }
});

test("nothing but the page's own script runs", { skip }, async (t) => {
  const page = await open(t, "nothing", { loud: true });
  const refused = await page.evaluate(async () => {
    const all = [];
    document.addEventListener("securitypolicyviolation", (e) => all.push(e.effectiveDirective));
    const image = document.createElement("div");
    try {
      image.innerHTML = "<b>x</b>";
    } catch {
      all.push("innerHTML");
    }
    await fetch("https://forestall.example/").catch(() => {});
    await new Promise((done) => { setTimeout(done, 50); });
    return all.sort();
  });
  assert.deepEqual(refused, ["connect-src", "innerHTML", "require-trusted-types-for"]);
});
