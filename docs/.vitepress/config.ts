import { defineConfig } from 'vitepress';
import { readSidebar, slugify } from './pages.ts';

export default defineConfig({
  title: 'clawai',
  description: 'One policy for what AI agents may do with their tools.',
  cleanUrls: true,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md' },
  // Pages link to files of the repository, which the site does not have.
  ignoreDeadLinks: [/^(?:\.\/)?\.\.\//],
  markdown: { anchor: { slugify } },
  themeConfig: {
    sidebar: readSidebar(),
    // An index in the site itself: it works offline.
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: 'Before', next: 'Next' },
  },
});
