import { describe, expect, it } from 'vitest';
import { callEvent } from '../../../src/audit/events.ts';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import { redactJson } from '../../../src/core/dlp/redact-json.ts';
import { type JsonObject, parseJson } from '../../../src/core/json.ts';
import { findSecretsInArguments } from '../../../src/core/outgoing/find-secrets-in-arguments.ts';
import { recordedArguments, recordedURI } from '../../../src/core/outgoing/recorded-arguments.ts';
import { policyFrom } from '../../support/policy.ts';

const { dlp } = policyFrom('[dlp]\nemail = true\n[[dlp.pattern]]\nname = "employee"\nregex = "EMP-[0-9]{6}"\n');
const sought = { finder: createSecretFinder(dlp), byName: true };
const CARD = '4539148803436467';

function recorded(args: JsonObject): unknown {
  return recordedArguments(args, findSecretsInArguments(args, sought));
}

describe('recorded arguments', () => {
  it.each<[JsonObject, unknown]>([
    [{ t: `card ${CARD}, ok` }, { t: 'card [redacted:card], ok' }],
    [{ t: ['EMP-774411 and EMP-774412'] }, { t: ['[redacted:employee] and [redacted:employee]'] }],
    [{ t: 'mail ann@corp.example.org' }, { t: 'mail [redacted:email]' }],
    [
      { [`card ${CARD}`]: 'y', [`visa ${CARD}`]: 1 },
      { '[redacted:card]': 'y', '[redacted:card] (2)': 1 },
    ],
    [{ t: 'RU1QLTc3NDQxMSBpcyB0aGUgaWQ1' }, { t: '[redacted:employee]' }],
    [{ RU1QLTc3NDQxMSBpcyB0aGUgaWQ1: { a: 'b' } }, { '[redacted:employee]': { a: 'b' } }],
    [{ t: 'none' }, { t: 'none' }],
  ])('have a mark for each secret: %j', (args, expected) => {
    expect(recorded(args)).toEqual(expected);
  });

  it('have no number that is a secret', () => {
    const args = parseJson(`{"password": 9081726354, "count": 3}`) as JsonObject;
    const secret = { kind: 'password', path: 'password', steps: ['password'], spans: undefined };
    expect(recordedArguments(args, [secret])).toMatchObject({ password: '[redacted:password]' });
  });

  it('have no string if more was found than was told', () => {
    const text = JSON.stringify(recorded({ list: Array.from({ length: 30 }, (_, at) => `EMP-7744${at + 10}`), EMP: 'a' }));
    expect(text).not.toMatch(/7744/);
  });

  it('are those of the event, and of a URI', () => {
    const args = { t: `card ${CARD}` };
    const event = callEvent({
      id: 's.1',
      time: 0,
      session: 's',
      call: { method: 'tools/call', server: 'files', tool: 'pay', args },
      requestId: '1',
      decision: {
        action: 'deny',
        reason: 'dlp',
        findings: [],
        policyHash: 'a',
        dlp: findSecretsInArguments(args, sought),
      },
      asked: undefined,
      reason: 'dlp',
      isObserved: false,
      inspectors: [],
      latency: 1,
    });
    expect(event.body).toContain('card [redacted:card]');
    expect(event.body).not.toContain(CARD);
    const uri = `x://a?card=${CARD}`;
    expect(recordedURI(uri, findSecretsInArguments({ uri }, sought))).toBe('x://a?card=[redacted:card]');
  });

  it('of many members only those that a record shows are read; the others are counted, and none of them is in it', () => {
    const secret = { kind: 'card', path: 'a', steps: [], spans: undefined };
    const args = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, i === 999 ? CARD : 'x']));
    const lists = { list: Array.from({ length: 1000 }, (_, i) => (i === 999 ? CARD : 'x')) };
    for (const object of [args, lists]) {
      const { json } = redactJson(recordedArguments(object, [secret]));
      expect([json.includes('744 more'), json.includes(CARD)]).toEqual([true, false]);
    }
  });
});
