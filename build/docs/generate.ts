// Writes the generated regions of the pages anew, from the descriptions in the code: commands and their flags, keys of policies and configs.
//   npm run docs:generate
// A test fails where a page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { GENERATED_PAGES, generatePage } from './pages.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

for (const page of GENERATED_PAGES) {
  const file = join(ROOT, page);
  const text = readFileSync(file, 'utf8');
  const generated = await generatePage(page, text);
  if (generated === text) continue;
  writeFileSync(file, generated);
  console.log(`${page} written`);
}
