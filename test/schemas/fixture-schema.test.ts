import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseFixtures } from '../../src/cli/policy/fixtures/fixture.ts';
import { ClawaiError } from '../../src/errors.ts';
import { FIXTURE_SCHEMA } from '../../src/schemas/fixture-schema.ts';
import { listFiles } from '../structure/source.ts';
import { ROOT } from '../support/run-cli.ts';
import { schemaCheck } from '../support/schema-check.ts';
import { findDisagreement, keysIn, keysOf, undescribed } from '../support/schema-law.ts';
import { blocksOf } from '../support/written-documents.ts';

const BEYOND = [
  // What one place says of another.
  /is before the step before/,
  /only the name of a tool is (?:shadowed|unmapped)/,
  /a server does not shadow its own tool/,
  /an agent's own tool belongs to no server/,
  /"native" is for the agent's own tools/,
  // What a text means.
  /is no whole number of /,
  /(?:at an end of|in) the name/,
  // Messages that are decided although hardly anybody writes fixtures for them.
  /params\.(?:ref|argument|notifications|uri)/,
  /"params" is missing; (?:resources\/subscribe|resources\/directory\/read|skills\/get|subscriptions\/listen|completion\/complete) has some/,
  /this makes several calls/,
];

/** What a parser says first; it ends there. */
function faults(text: string): readonly string[] {
  try {
    parseFixtures(text, 'f.json', { mustExpect: true });
    return [];
  } catch (error) {
    if (error instanceof ClawaiError) return [error.message];
    throw error;
  }
}

const files = listFiles('fixtures', '.json').map((file) => readFileSync(join(ROOT, file), 'utf8'));
const written = [...files, ...blocksOf('json')].filter((text) => faults(text).length === 0);
const EVERYTHING = [
  {
    $schema: './fixture.schema.json',
    name: 'a call',
    server: 'files',
    method: 'tools/call',
    params: { name: 'x', arguments: { path: '/x' } },
    context: {
      pin: 'changed',
      fingerprint: `sha256:${'0'.repeat(64)}`,
      serverIdentity: 'changed',
      category: ['send'],
      servers: ['mail'],
      shadowed: 'mail',
      findings: [{ severity: 'high', rule: 'exfiltration.to_address', field: 'description', description: 'Sends it away' }],
      serverFindings: [],
      definition: { name: 'x' },
      approved: true,
    },
    expected: 'deny',
    expectedRule: 'keys',
    expectedFlow: ['burst'],
  },
  { method: 'tools/call', params: { name: 'x', arguments: null }, context: { unmapped: true }, expectedRule: null },
  { method: 'resources/read', params: { uri: 'file:///x' }, expectedRule: 3 },
  { method: 'ping', expected: 'allow' },
  {
    $schema: './fixture.schema.json',
    name: 'a session',
    server: 'files',
    context: { servers: ['mail'] },
    tools: { files: ['x'] },
    steps: [
      { at: '5s', method: 'tools/call', params: { name: 'x' }, result: 'text', turn: '1', expectedResult: 'pass' },
      { at: '1m30s', server: 'mail', method: 'ping', approved: true, retracted: true, context: { pin: 'new' } },
    ],
  },
];
const documents: unknown[] = [...written.map((text): unknown => JSON.parse(text)), EVERYTHING, ...EVERYTHING];
const check = schemaCheck('fixture');

describe('the schema of fixtures', () => {
  it.each(documents.map((value) => [JSON.stringify(value).slice(0, 60), value]))('accepts %s', (_, value) => {
    expect(check(value)).toEqual([]);
  });

  it('is held against fixtures that have every key it knows', () => {
    expect(faults(JSON.stringify(EVERYTHING))).toEqual([]);
    const used = keysIn(documents);
    expect([...keysOf(FIXTURE_SCHEMA)].filter((key) => !used.has(key))).toEqual([]);
    expect(written.length).toBeGreaterThan(30);
  });

  it('says something of every key', () => {
    expect(undescribed(FIXTURE_SCHEMA)).toEqual([]);
  });

  it('refuses what the parser refuses, and nothing else', () => {
    expect(
      findDisagreement({ documents, write: (value) => JSON.stringify(value), faults, check, beyond: BEYOND }),
    ).toBeUndefined();
  });
});
