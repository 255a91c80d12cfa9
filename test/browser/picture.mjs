// Takes the pictures of the page that the docs show: node picture.mjs FOLDER.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { addressOf, close, launch } from "./browser.mjs";

const folder = process.argv[2];
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const { name, ...options } of [
  { name: "report-light", viewport: { width: 1440, height: 1000 }, colorScheme: "light" },
  { name: "report-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" },
]) {
  const page = await browser.newPage(options);
  await page.goto(addressOf("sample"));
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}
await close();
