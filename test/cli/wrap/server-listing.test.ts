import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/cli/terminal/text.ts';
import { type ListedFile, renderListing } from '../../../src/cli/wrap/server-listing.ts';

const FILES: readonly ListedFile[] = [
  {
    file: '~/.cursor/mcp.json',
    readers: 'Cursor',
    rows: [
      { state: 'wrapped', tone: 'good', server: 'files', text: '' },
      { state: 'skipped', tone: 'attention', server: '日本', text: 'for a reason that takes more room than there is on a line' },
    ],
  },
  { file: '~/x.json', readers: 'Zed', rows: [], problem: 'cannot be read\u001b[2J' },
];

describe('renderListing', () => {
  it('is aligned over all files, without spaces at the ends of lines', () => {
    expect(renderListing(FILES, { width: Infinity, colour: false })).toBe(
      [
        '~/.cursor/mcp.json  Cursor',
        '  wrapped  files',
        '  skipped  日本   for a reason that takes more room than there is on a line',
        '',
        '~/x.json  Zed',
        '  cannot be read\uFFFD[2J',
        '',
      ].join('\n'),
    );
  });

  it('wraps texts under themselves', () => {
    const lines = renderListing(FILES, { width: 50, colour: false }).split('\n');
    expect(lines.map(displayWidth).every((width) => width <= 50)).toBe(true);
    expect(lines[3]).toBe('                  room than there is on a line');
  });

  it('colours states alone', () => {
    expect(renderListing(FILES, { width: 80, colour: true })).toContain('  \u001b[32mwrapped\u001b[39m  files\n');
  });
});
