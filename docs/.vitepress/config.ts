import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';

const DOCS = join(import.meta.dirname, '..');

/** The order of the pages is that of docs/README.md, which is also the start page of the site. */
function readSidebar(): DefaultTheme.SidebarItem[] {
  const groups: DefaultTheme.SidebarItem[] = [];
  for (const line of readFileSync(join(DOCS, 'README.md'), 'utf8').split('\n')) {
    const [, heading] = /^## (.+)$/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    for (const [, text = '', file = ''] of line.matchAll(/\[([^\]]+)\]\((?:\.\/)?([\w-]+)\.md\)/g)) {
      if (existsSync(join(DOCS, `${file}.md`))) groups.at(-1)?.items?.push({ text, link: `/${file}` });
    }
  }
  return groups.filter(({ items = [] }) => items.length > 0);
}

export default defineConfig({
  title: 'clawai',
  description: 'One policy for what AI agents may do with their tools.',
  cleanUrls: true,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md' },
  // Pages link to files of the repository, which the site does not have.
  ignoreDeadLinks: [/^(?:\.\/)?\.\.\//],
  themeConfig: {
    sidebar: readSidebar(),
    // An index in the site itself: it works offline.
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
