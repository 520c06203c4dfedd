import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createTestGate } from '../support/gate.ts';

/**
 * Under the shipped default, a megabyte of short values took seconds, in which nothing else happened: each was compared with each
 * pattern, equal ones again and again, numbers as paths. The bench holds what it costs.
 */
const POLICY = readFileSync(join(import.meta.dirname, '..', '..', 'policies', 'default.toml'), 'utf8');

it.each([
  ['equal texts', '"a"'],
  ['equal numbers', '1.0'],
  ['constants', 'true'],
])('%s are looked at once', async (_, value) => {
  const values = Array.from({ length: 240_000 }, () => value).join(',');
  const { client } = createTestGate(POLICY);
  const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":[${values}]}}}`;
  expect(await client(line)).toBe('forward');
});

it('too many texts for one path are found out early', async () => {
  const { client } = createTestGate(POLICY);
  const values = Array.from({ length: 60_000 }, (_, i) => `~${i}/..`);
  const answer = await client(
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x', arguments: { values } } }),
  );
  expect(JSON.stringify(answer)).toContain('too_many_paths');
});
