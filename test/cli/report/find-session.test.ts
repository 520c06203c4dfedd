import { describe, expect, it } from 'vitest';
import { findSession } from '../../../src/cli/report/find-session.ts';
import { ClawaiError } from '../../../src/errors.ts';

const SESSIONS = new Map([
  ['s-abcdef.2', 20],
  ['s-abcdef.10', 30],
  ['s-abcdef.x', 90],
  ['nightly', 50],
  ['s-abcd', 40],
]);

function fault(name: string, sessions: ReadonlyMap<string, number> = SESSIONS): ClawaiError {
  try {
    findSession(name, sessions);
  } catch (thrown) {
    if (thrown instanceof ClawaiError) return thrown;
    throw thrown;
  }
  throw new Error('it was found');
}

describe('a name that is no session', () => {
  it('stands for the newest run that goes by it, whatever its number', () => {
    expect(findSession('s-abcdef', SESSIONS)).toBe('s-abcdef.10');
    expect(findSession('s', new Map([['s.2', 9], ...SESSIONS, ['s.3', 5]]))).toBe('s.2');
  });

  it.each([
    ['s-abcdeg.2', 'did you mean s-abcdef.2?'],
    ['nightly.2', 'did you mean nightly?'],
    ['s-abcde', 'did you mean s-abcdef.x?'],
    ['s-abcdef.1', 'did you mean s-abcdef.10?'],
    ['elsewhere', 'the latest one is s-abcdef.x; `clawai report --since 7d` lists them'],
  ])('%s is unknown: %s', (name, hint) => {
    expect(fault(name)).toMatchObject({ code: 'usage', message: `no session "${name}" was recorded`, hint });
  });

  it('says that there are none, and shows nothing that steers a terminal', () => {
    expect(fault('s', new Map()).hint).toBe('nothing was recorded yet');
    expect(fault('\u001b[31m', new Map()).message).toBe(String.raw`no session "\\u{1B}[31m" was recorded`);
    expect(fault('a', new Map([['a\u202Eb', 1]])).hint).toBe(String.raw`did you mean a\u{202E}b?`);
  });
});
