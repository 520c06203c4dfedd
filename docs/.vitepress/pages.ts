import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface SidebarGroup {
  readonly text: string;
  readonly items: { readonly text: string; readonly link: string }[];
}

/** The order of the pages is that of docs/README.md, which is also the start page of the site. */
export function readSidebar(): SidebarGroup[] {
  const groups: SidebarGroup[] = [];
  for (const line of readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8').split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    for (const [, text = '', page = ''] of line.matchAll(/\[([^\]]+)\]\((?:\.\/)?([\w-]+)\.md\)/g)) {
      groups.at(-1)?.items.push({ text, link: `/${page}` });
    }
  }
  return groups.filter(({ items }) => items.length > 0);
}

/** A page's first paragraph as plain text, for search engines and link previews. Undefined if there is none. */
export function readDescription(page: string): string | undefined {
  const text = readFileSync(join(import.meta.dirname, '..', page), 'utf8').replaceAll(/^```[^]*?^```$/gm, '');
  const paragraph = text.split(/\n{2,}/).find((block) => /^[A-Z`]/.test(block.trim()));
  return paragraph
    ?.trim()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ');
}

/** Anchors as GitHub makes them, so that one link works in both places. */
export function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
