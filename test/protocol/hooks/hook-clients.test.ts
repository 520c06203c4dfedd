import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENTS } from '../../../src/clients/clients.ts';
import { denialBy, NO_OPINION } from '../../../src/protocol/hooks/hook-client.ts';
import { HOOK_CLIENTS } from '../../../src/protocol/hooks/hook-clients.ts';
import { runs } from '../../support/runs.ts';

/** Every byte that each client's hook says. One key too many, and some clients run the call. */
const GOLDEN = JSON.parse(readFileSync(join(import.meta.dirname, 'golden.json'), 'utf8')) as Readonly<Record<string, unknown>>;

const REASON = 'clawai denied the tool call "Bash": no "quotes", \\ or\nlines get lost, nor é😀.';

/** The members that a denial may have, at any depth; none for a client that is denied by the exit code alone. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['hookSpecificOutput', 'hookEventName', 'permissionDecision', 'permissionDecisionReason'],
  'copilot-cli': [
    'permissionDecision',
    'permissionDecisionReason',
    'hookSpecificOutput',
    'hookEventName',
    'permissionDecision',
    'permissionDecisionReason',
  ],
  cursor: ['permission', 'user_message', 'agent_message'],
  cline: ['cancel', 'errorMessage'],
};

function membersOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...membersOf(inner)]);
}

it('no opinion is nothing at all, for every client: some take any text for an opinion', () => {
  expect(NO_OPINION).toEqual({ stdout: '', stderr: '', code: 0 });
});

describe.each(HOOK_CLIENTS)('$id', (client) => {
  it('denies to the byte as it is known to work', () => {
    expect(denialBy(client, REASON)).toEqual(GOLDEN[client.id]);
  });

  it('denies with these members only, whatever the reason is, and never with nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20_000 }), (why) => {
        const { stdout, stderr, code } = denialBy(client, why);
        if (stdout !== '') expect(membersOf(JSON.parse(stdout))).toEqual(MEMBERS[client.id]);
        else expect(MEMBERS[client.id]).toBeUndefined();
        // By words or by the code: where it is the code, there is a text.
        expect([stdout !== '' || code === 2, code === 0 || /[!-~]/.test(stderr)]).toEqual([true, true]);
        expect(Buffer.byteLength(stdout) + Buffer.byteLength(stderr)).toBeLessThan(1 << 17);
      }),
      { numRuns: runs(100) },
    );
  });

  it('never allows and never asks', () => {
    const { stdout } = denialBy(client, 'x');
    expect(stdout).not.toMatch(/allow|ask|approve/);
  });
});

it('their ids are those that other commands know', () => {
  const known = CLIENTS.map(({ id }) => id);
  expect(HOOK_CLIENTS.map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([]);
});

it('the text on stderr is no JSON, which Gemini CLI would take for its answer', () => {
  for (const client of HOOK_CLIENTS) expect(() => JSON.parse(denialBy(client, REASON).stderr || 'x')).toThrow('JSON');
});
