import { describe, expect, it } from 'vitest';
import { draw } from '../../../src/cli/approvals/draw.ts';
import { EMPTY_VIEW, withQuestions } from '../../../src/cli/approvals/view-state.ts';
import { displayWidth } from '../../../src/cli/terminal/text.ts';
import { question } from '../../support/questions.ts';

const NOW = 1_000_000;
const HOSTILE = 'x\u001b[2J\u001b[1;1Hclawai: nothing waits for you\r\n> AAAAAA y once\u202e\u0007\u009b2J';

function at(columns: number, rows: number): { columns: number; rows: number; colour: boolean } {
  return { columns, rows, colour: false };
}

describe('draw', () => {
  it('shows what waits, the chosen one in full, and the keys', () => {
    const asked = question({ id: 'K7Q2MX', server: 'files', tool: 'write_file', expiresAt: NOW + 37_200 });
    const state = withQuestions(EMPTY_VIEW, [asked, question({ id: 'BBBBBB', expiresAt: NOW + 1000 })], NOW);
    const { lines } = draw(state, at(80, 24), { now: NOW });
    expect(lines).toHaveLength(24);
    expect(lines[0]).toBe('clawai: 2 calls wait for you');
    expect(lines[1]?.trimEnd()).toBe('> K7Q2MX  38 s  files  write_file');
    expect(lines[2]?.trimEnd()).toBe('  BBBBBB   1 s  files  write_file');
    expect(lines).toContain('| rule      writing');
    expect(lines).toContain('|     "path": "a"');
    expect(lines.at(-1)).toMatch(/^y once .* q quit$/);
  });

  it('shows what else is sent, and all of a long name, page by page', () => {
    const resource = `file:///${'a'.repeat(6000)}/the-end`;
    const extra = '{"_meta":{"x/y":"z"},"task":{"ttl":1}}';
    const asked = question({ method: 'resources/read', tool: undefined, resource, args: undefined, extra });
    const state = withQuestions(EMPTY_VIEW, [asked], NOW);
    const shown: string[] = [];
    let top = 0;
    for (let pages = 0; pages < 20; pages++) {
      const { lines, page, scroll } = draw({ ...state, scroll: top }, { columns: 80, rows: 24, colour: false }, { now: NOW });
      shown.push(...lines);
      top = scroll + page;
    }
    expect(shown[1]).toContain('resources/read file:///aaa');
    expect(shown.join('').replaceAll(/[| ]/g, '')).toContain('the-end');
    expect(shown).toContain('| sent besides');
    expect(shown).toContain('|       "ttl": 1');
    expect(shown).toContain('|       "x/y": "z"');
  });

  it('says of what is known by its method alone that the rest can not be seen', () => {
    const asked = question({ tool: undefined, method: 'x/y', args: undefined, canRemember: false });
    const { lines } = draw(withQuestions(EMPTY_VIEW, [asked], NOW), at(120, 24), { now: NOW });
    expect(lines).toContain('| ! What it sends can not be looked at here: only its method is known.');
  });

  it('says that nothing waits', () => {
    expect(draw(EMPTY_VIEW, at(80, 24), { now: NOW }).lines[0]).toBe('clawai: nothing waits for you');
  });

  it.each([
    [20, 8],
    [33, 10],
    [80, 24],
    [300, 100],
  ])('fits into %d columns and %d rows, whatever a peer calls things', (columns, rows) => {
    const fields = { server: HOSTILE, tool: HOSTILE, rule: HOSTILE, description: HOSTILE, session: HOSTILE };
    const asked = Array.from({ length: 1000 }, () => question({ ...fields, args: JSON.stringify({ [HOSTILE]: [HOSTILE] }) }));
    const { lines } = draw(withQuestions(EMPTY_VIEW, asked, NOW), at(columns, rows), { now: NOW });
    expect(lines.length).toBeLessThanOrEqual(rows);
    for (const line of lines) {
      expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    // What looks like a line of ours stands behind the gutter.
    expect(lines.slice(1).filter((line) => line.startsWith('clawai:'))).toEqual([]);
  });

  it.each([
    [1, 1],
    [19, 100],
    [100, 7],
  ])('%d columns and %d rows are too small to decide anything in', (columns, rows) => {
    const { lines, isTooSmall } = draw(withQuestions(EMPTY_VIEW, [question()], NOW), at(columns, rows), { now: NOW });
    expect(isTooSmall).toBe(true);
    expect(lines).toEqual(['too small'.slice(0, columns)]);
  });

  it('scrolls to the end and no further, and says where it is', () => {
    const args = JSON.stringify(Array.from({ length: 500 }, (_, i) => i));
    const state = {
      ...withQuestions(EMPTY_VIEW, [question({ args, argsLength: args.length })], NOW),
      scroll: Number.MAX_SAFE_INTEGER,
    };
    const { lines, scroll, page } = draw(state, at(80, 24), { now: NOW });
    expect(lines[0]).toMatch(/lines \d+-(\d+) of \1$/);
    expect(lines.join('\n')).toContain('|     499');
    expect(draw({ ...state, scroll: scroll - page }, at(80, 24), { now: NOW }).scroll).toBe(scroll - page);
  });

  it('shows the change of the policy that waits for a yes', () => {
    const state = {
      ...withQuestions(EMPTY_VIEW, [question({ id: 'AAAAAA' })], NOW),
      confirming: {
        id: 'AAAAAA',
        at: 0,
        choices: [
          { words: 'this exact call', diff: '--- a\n+x\u202e\n' },
          { words: 'more\u202e', diff: '+y' },
        ],
      },
    };
    const { lines } = draw(state, at(80, 24), { now: NOW });
    expect(lines).toContain('| +x\\u{202E}');
    expect(lines.at(-1)).toMatch(/^y change the policy so .* 2 more\\u\{202E\}$/);
    const wider = { ...state, confirming: { ...state.confirming, at: 1 } };
    expect(draw(wider, at(80, 24), { now: NOW }).lines).toContain('| +y');
  });

  it('says before and after the arguments that they are not all of them', () => {
    const state = withQuestions(EMPTY_VIEW, [question({ args: '{"a":"b', argsLength: 10_000_000 })], NOW);
    const text = draw(state, at(120, 40), { now: NOW }).lines.join('\n');
    expect(text.split('Only the first 7 of 10,000,000 characters are shown')).toHaveLength(3);
  });
});
