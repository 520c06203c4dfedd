import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slugify } from '../../docs/.vitepress/pages.ts';
import { readSource, ROOT } from '../structure/source.ts';
import { listPages } from './pages.ts';

const PAGES = ['README.md', 'SECURITY.md', ...listPages()];

/** A page without its fenced blocks, in which `#` begins comments. */
function proseOf(page: string): string {
  return readSource(page).replaceAll(/^```[^]*?^```/gm, '');
}

/** The anchors of a page's headings, as GitHub and the site make them. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slugify(heading));
}

/** Links to files of this project, as files from its root on, with an anchor or none. */
function linksOf(page: string): readonly (readonly [link: string, file: string, anchor: string])[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !link.includes('://'))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return [link, file === '' ? page : posix.join(posix.dirname(page), file), anchor];
    });
}

describe('links of the documentation', () => {
  it.each(PAGES)('%s: each leads to a file, and to a heading of it', (page) => {
    const broken = linksOf(page).filter(
      ([, file, anchor]) => !existsSync(join(ROOT, file)) || (anchor !== '' && !anchorsOf(file).includes(anchor)),
    );
    expect(broken).toEqual([]);
  });

  it('docs/README.md leads to every page', () => {
    const files = linksOf('docs/README.md').map(([, file]) => file);
    expect(listPages().filter((page) => page !== 'docs/README.md' && !files.includes(page))).toEqual([]);
  });
});
