import { describe, expect, it } from 'vitest';
import { createSecretFinder, SECRET_GROUPS } from '../../../src/core/dlp/find-secrets.ts';
import { SECRET_FORMS } from '../../../src/core/dlp/secret-forms.ts';
import { policyFrom } from '../../support/policy.ts';

const finder = createSecretFinder({ ...policyFrom('').dlp, ...Object.fromEntries(SECRET_GROUPS.map((group) => [group, true])) });

const MIB = 1 << 20;

/** Pieces of which a hostile text consists; each makes a search begin at every one. */
const PIECES = [
  ...new Set(SECRET_FORMS.flatMap(({ markers }) => markers)),
  '-----BEGIN PRIVATE KEY-----',
  'eyJ',
  'eyJa.',
  'aeyJaaaaaaaaaa.',
  'AKIAQ7RZ3XKJ5MNP2WVT_',
  'cookie:`',
  '4',
  '4-',
  '4 ',
  '4539 ',
  '4539-5787-',
  'GB29 ',
  'GB29NWBK',
  'A',
  '+1',
  '+1 ',
  '+1(2)',
  '+1 (',
  '(415) 555-',
  '@',
  'a@',
  'a@b.',
  'a.',
  'a@b-',
  '//',
  'abandon ',
  'abandon about ',
  'abcdefghi ',
  'abandonxy ',
  'abandon\n1. ',
  'ssn ',
  'social security number is ',
  'ssn"\\":',
  '0x',
  'bc1',
  '1A',
  'bc1q',
  'password=',
  'password:',
  '"password": [',
  "key='",
  '<token>',
  '--token ',
  '\\"',
  ' ',
  '\n',
  '-',
];

/** The shortest of some measurements. */
function time(text: string, times = 3): number {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const start = performance.now();
      finder.find(text);
      return performance.now() - start;
    }),
  );
}

describe('the finder, on hostile texts', () => {
  it.each(PIECES)('takes time in proportion to the text: %j', (piece) => {
    const text = piece.repeat(Math.ceil(MIB / piece.length));
    const whole = time(text, 1);
    // Measured again only where one measurement was slow, since others use the machine.
    const slowest = whole < 1000 ? whole : time(text);
    expect(slowest).toBeLessThan(4000);
    if (slowest > 1000) expect(slowest).toBeLessThan(16 * time(text.slice(0, MIB / 8)));
  });

  it('takes little time where nothing is found', () => {
    const prose = 'The quick brown fox jumps over the lazy dog, and 42 others do not; see section 3.1 of file.ts:12.\n';
    expect(time(prose.repeat(MIB / prose.length))).toBeLessThan(400);
  });
});
