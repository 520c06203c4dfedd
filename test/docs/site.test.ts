import { describe, expect, it } from 'vitest';
import { readDescription, readSidebar, slugify } from '../../docs/.vitepress/pages.ts';
import { readSource } from '../structure/source.ts';
import { listPages } from './pages.ts';

describe('the documentation site', () => {
  it('has each page in its sidebar once, except the start page', () => {
    const pages = readSidebar().flatMap(({ items }) => items.map(({ link }) => `docs${link}.md`));
    expect(pages.toSorted()).toEqual(listPages().filter((page) => page !== 'docs/README.md'));
  });

  it.each(listPages())('describes %s by its first paragraph', (page) => {
    expect(readDescription(page.replace('docs/', ''))).toMatch(/^[A-Za-z][^`*<>]{20,}[.:]$/);
  });

  it.each([
    ["A project's policy", 'a-projects-policy'],
    ['[rate_limits]', 'rate_limits'],
    ['Before you start, once', 'before-you-start-once'],
  ])('gives %j the anchor that GitHub gives it', (heading, anchor) => {
    expect(slugify(heading)).toBe(anchor);
  });

  it('lets a browser ask no other host, and is not built with a dead link', () => {
    const config = readSource('docs/.vitepress/config.ts');
    expect(config).toContain(`content: "default-src 'self' 'unsafe-inline' data:"`);
    expect(config).not.toContain('ignoreDeadLinks');
  });
});
