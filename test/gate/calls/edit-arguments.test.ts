import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import { findSecretsInArguments } from '../../../src/core/outgoing/find-secrets-in-arguments.ts';
import { editedLine } from '../../../src/gate/calls/edit-arguments.ts';
import { parseJson, type JsonObject } from '../../../src/core/json.ts';
import { JsonScanner } from '../../../src/protocol/json-scanner.ts';
import { readMessage } from '../../../src/protocol/jsonrpc.ts';
import { policyFrom } from '../../support/policy.ts';

const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;
const sought = { finder: createSecretFinder(policyFrom('').dlp), byName: true };

/** The arguments of a call without these secrets. */
function editedArguments(args: string, secrets: ReturnType<typeof findSecretsInArguments>): string | undefined {
  const head = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":';
  const bytes = Buffer.from(`${head}${args}}}`);
  const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
  const edited = editedLine(message, [{ of: 'params', member: 'arguments', secrets }])?.trimEnd();
  expect(edited?.startsWith(head) ?? true).toBe(true);
  return edited?.slice(head.length, -2);
}

/** All spellings of a text in JSON: each character as it is, or as an escape. */
const spelling = (text: string): fc.Arbitrary<string> =>
  fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((escapes) =>
    text
      .split('')
      .map((sign, index) =>
        escapes[index] === true ? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(sign).slice(1, -1),
      )
      .join(''),
  );

const TEXT = fc.string({ unit: fc.constantFrom('x', ' ', 'é', '"', '\\', '\n', '😀', '\u2028') });

it('replaces the secret and nothing else, however the string is written', () => {
  fc.assert(
    fc.property(
      TEXT.chain((text) => spelling(text).map((json) => ({ text, json }))),
      spelling(KEY),
      TEXT.chain((text) => spelling(text).map((json) => ({ text, json }))),
      (before, key, behind) => {
        const args = `{ "n":1.50 ,"l":[0,{"a":"${before.json} ${key} ${behind.json}"}],"z":-0}`;
        const secrets = findSecretsInArguments(parseJson(args) as JsonObject, sought);
        expect(editedArguments(args, secrets)).toBe(
          `{ "n":1.50 ,"l":[0,{"a":"${before.json} [redacted:github_token] ${behind.json}"}],"z":-0}`,
        );
      },
    ),
    { numRuns: 200 },
  );
});

it('finds the arguments by their name alone, and not by the same name elsewhere', () => {
  const line = `{"params":{"_meta":{"arguments":{"a":"${KEY}"}},"argu\\u006dents":{"arguments":{"a":"${KEY}"},"a":1}},"method":"tools/call","id":1,"jsonrpc":"2.0"}`;
  const bytes = Buffer.from(line);
  const message = readMessage(new JsonScanner(), bytes, 0, bytes.length);
  const secrets = findSecretsInArguments({ arguments: { a: KEY }, a: 1 }, sought);
  expect(editedLine(message, [{ of: 'params', member: 'arguments', secrets }])?.trimEnd()).toBe(
    `{"params":{"_meta":{"arguments":{"a":"${KEY}"}},"argu\\u006dents":{"arguments":{"a":"[redacted:github_token]"},"a":1}},"method":"tools/call","id":1,"jsonrpc":"2.0"}`,
  );
});

it('edits nothing if a secret is not where it was found', () => {
  const secrets = findSecretsInArguments({ a: KEY }, sought);
  expect(editedArguments('{"b":"x"}', secrets)).toBeUndefined();
});
