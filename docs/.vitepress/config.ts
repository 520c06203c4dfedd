import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { readDescription, readSidebar, slugify } from './pages.ts';

const ICON = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='M8 0l7 2v6q0 5-7 8-7-3-7-8V2z' fill='%233451b2'/><path d='M5 8l2 2 4-4' fill='none' stroke='white' stroke-width='2'/></svg>`;

export default defineConfig({
  title: 'clawai',
  description: 'One policy for what AI agents may do with their tools.',
  cleanUrls: true,
  lastUpdated: false,
  rewrites: { 'README.md': 'index.md' },
  head: [
    // A browser asks no other host for anything, whatever a page contains.
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: "default-src 'self' 'unsafe-inline' data:" }],
    ['link', { rel: 'icon', href: `data:image/svg+xml,${ICON}` }],
    ['style', {}, readFileSync(join(import.meta.dirname, 'style.css'), 'utf8')],
  ],
  transformPageData: ({ relativePath }) => ({
    description: readDescription(relativePath === 'index.md' ? 'README.md' : relativePath),
  }),
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config: (md) => {
      // Links to files of the repository, which the site does not have, become their text.
      md.core.ruler.before('normalize', 'outside', (state) => {
        state.src = state.src.replaceAll(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, '$1');
      });
      // Long keys break after a dot, a slash or an underscore.
      const renderCode = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (...args) => renderCode?.(...args).replaceAll(/(?<=[\w\]/])[./_](?=\w)/g, '$&<wbr>') ?? '';
    },
  },
  themeConfig: {
    sidebar: readSidebar(),
    // An index in the site itself: it works offline.
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: 'Previous', next: 'Next' },
    notFound: { quote: 'The start page lists every page.', linkText: 'Start page', linkLabel: 'Start page' },
  },
});
