// The browser that the tests share, and the pages that test/browser/pages writes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const folder = process.env.FORESTALL_PAGES;
export const why = process.env.CHROMIUM && folder ? false : "make test-page names a browser and writes the pages";

let started;

// launch starts Chromium once. Playwright's own browsers are not used: CHROMIUM names one.
export function launch() {
  started ??= chromium.launch({ executablePath: process.env.CHROMIUM });
  return started;
}

export async function close() {
  if (started) await (await started).close();
}

export const fileOf = (name) => join(folder, `${name}.html`);
export const addressOf = (name, fragment = "") => pathToFileURL(fileOf(name)).href + fragment;

// dataOf reads the data of a page without a browser.
export function dataOf(name) {
  const text = readFileSync(fileOf(name), "utf8");
  return JSON.parse(text.slice(text.indexOf('id="data">') + 10).split("</script>")[0]);
}

// open shows a page in a window of its own. Whatever the page logs, throws or asks for fails the test when it closes,
// unless it may be loud.
export async function open(t, name, { width = 1440, height = 900, fragment = "", loud = false, ...options } = {}) {
  const context = await (await launch()).newContext({ viewport: { width, height }, ...options });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => noise.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("data:") && request.url().split("#")[0] !== addressOf(name)) noise.push(`request: ${request.url()}`);
  });
  t.after(async () => {
    await context.close();
    if (noise.length && !loud) throw new Error(`the page is to be quiet: ${noise.join("; ")}`);
  });
  await page.goto(addressOf(name, fragment));
  return page;
}

export const count = (page) => page.locator(".count").textContent();
export const groupsOf = (page) => page.locator("details.group h3").allTextContents();

// openAll opens whatever can be opened.
export async function openAll(page) {
  for (let left = 4; left > 0; left--) {
    const closed = await page.evaluate(() => {
      const all = [...document.querySelectorAll("details:not([open])")].slice(0, 400);
      for (const d of all) d.open = true;
      return all.length;
    });
    await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => setTimeout(done, 0)); }));
    if (!closed) return;
  }
}
