import { describe, expect, it } from 'vitest';
import { isLabelled, labelOf } from '../../../src/core/dlp/labels.ts';
import { redactJson } from '../../../src/core/dlp/redact-json.ts';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { findSecretsInArguments } from '../../../src/core/outgoing/find-secrets-in-arguments.ts';
import { policyFrom } from '../../support/policy.ts';
import { TEXTS } from '../../../src/gate/model/secrets/load-search.ts';
import { searching } from '../../support/searching.ts';
import { anthropicApi } from '../../../src/protocol/llm/anthropic/api.ts';

const VALUE = 'Xk7pQ2vLw9Zr';

/** A secret whose name stands in another member. */
const LABELLED: readonly JsonObject[] = [
  { name: 'DB_PASSWORD', value: VALUE },
  { value: VALUE, name: 'DB_PASSWORD' },
  { Name: 'DB_PASSWORD', Value: VALUE },
  { key: 'DB_PASSWORD', value: VALUE },
  { Key: 'DB_PASSWORD', Value: VALUE },
  { name: 'the database', key: 'DB_PASSWORD', value: VALUE },
  { ParameterKey: 'DbPassword', ParameterValue: VALUE },
  { parameter_name: 'db_password', parameter_value: VALUE },
  { SecretName: 'db_password', SecretValue: VALUE },
  { header: 'X-Api-Key', content: VALUE },
];

/** A value about which no name tells. */
const PLAIN: readonly JsonObject[] = [
  { name: 'DB_HOST', value: 'db.example.internal' },
  { name: 'the database', value: VALUE },
  { ParameterKey: 'DbPassword', OtherValue: 'small' },
  { fileName: 'password.txt', defaultValue: 'none' },
  { value: VALUE },
];

const { dlp } = policyFrom('[dlp]\nenabled = true\n[defaults]\naction = "allow"\n');
const sought = { finder: createSecretFinder(dlp), byName: dlp.keys };

describe('a value whose name stands in another member', () => {
  it.each(LABELLED)('is a secret in the arguments of a call, in a record, and in a result that a model is sent: %j', (pair) => {
    expect(findSecretsInArguments({ list: [pair] }, sought)).toMatchObject([{ spans: [{}] }]);
    expect(redactJson({ list: [pair] }).json).not.toContain(VALUE);
    const content = JSON.stringify({ list: [pair] });
    const request = JSON.stringify({
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] }],
    });
    const { text } = searching('on_request = "redact"').requests.edit(request, TEXTS[anthropicApi.texts], 'body');
    expect(text).not.toContain(VALUE);
    const edited = JSON.parse(text) as { readonly messages: { readonly content: { readonly content: string }[] }[] };
    expect(() => JSON.parse(edited.messages[0]?.content[0]?.content ?? '') as unknown).not.toThrow();
  });

  it.each(PLAIN)('is none: %j', (pair) => {
    expect(findSecretsInArguments({ list: [pair] }, sought)).toEqual([]);
  });
});

it('looks at the first members of an object alone', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`a${at}`, 'x']));
  expect([labelOf({ ...many, name: 'password' }), isLabelled(`${'x'.repeat(100_000)}value`)]).toEqual([undefined, false]);
});
