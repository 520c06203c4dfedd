import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { fingerprintOf } from '../../../src/core/registry/fingerprint.ts';
import { decideBy } from '../../support/policy.ts';
import { registryFacts } from '../../support/registry-facts.ts';

function declared(inputSchema: unknown) {
  const text = JSON.stringify({ name: 't', inputSchema });
  return registryFacts({ fingerprint: fingerprintOf(text), definition: () => text });
}

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

function decided(settings: string, args: JsonObject, registry = declared(SCHEMA), rest = ''): string {
  const policy = `[defaults]\naction = "allow"\n[schema]\n${settings}\n${rest}`;
  const { action, reason, schema } = decideBy(policy, { tool: 't', args }, { registry });
  return `${action} ${reason} ${schema?.map(({ path, keyword }) => `${path}:${keyword}`).join(' ') ?? 'fits'}`;
}

describe('[schema]', () => {
  it.each([
    ['', 'allow default a:required'],
    ['on_mismatch = "alert"', 'allow default a:required'],
    ['on_mismatch = "prompt"', 'prompt schema a:required'],
    ['on_mismatch = "deny"', 'deny schema a:required'],
    ['enabled = false\non_mismatch = "deny"', 'allow default fits'],
  ])('%j, arguments that do not fit: %s', (settings, expected) => {
    expect(decided(settings, {})).toBe(expected);
    expect(decided(settings, { a: 'x' })).toBe('allow default fits');
  });

  it('is asked whatever a rule allows, and not where a rule denies', () => {
    const rule = (action: string): string => `[[rule]]\naction = "${action}"\ntool = "t"\n`;
    expect(decided('on_mismatch = "deny"', {}, undefined, rule('allow'))).toBe('deny schema a:required');
    expect(decided('on_mismatch = "deny"', {}, undefined, rule('deny'))).toBe('deny rule a:required');
  });

  it('closes a schema that leaves itself open, if it is told to', () => {
    expect(decided('on_mismatch = "deny"', { a: 'x', b: 1 })).toBe('allow default fits');
    expect(decided('on_mismatch = "deny"\nunknown_arguments = "mismatch"', { a: 'x', b: 1 })).toBe(
      'deny schema b:additionalProperties',
    );
  });

  it('does not read a schema of enormous length, and denies its calls', () => {
    const registry = declared({ type: 'object', description: 'x'.repeat(300 * 1024) });
    expect(decided('on_mismatch = "deny"', { a: 'x' }, registry)).toBe('deny schema :length');
  });

  it('has nothing against a tool whose definition nobody knows', () => {
    expect(decided('on_mismatch = "deny"', {}, registryFacts())).toBe('allow default fits');
    expect(decided('on_mismatch = "deny"', {}, declared(undefined))).toBe('allow default fits');
    expect(decided('on_mismatch = "deny"', {}, declared(true))).toBe('allow default fits');
  });

  it('reads a schema once, and another one for another definition', () => {
    const text = JSON.stringify({ name: 't', inputSchema: { required: ['once'] } });
    let reads = 0;
    const registry = registryFacts({ fingerprint: fingerprintOf(text), definition: () => (reads++, text) });
    for (let i = 0; i < 3; i++) expect(decided('on_mismatch = "deny"', {}, registry)).toBe('deny schema once:required');
    expect(reads).toBe(1);
    expect(decided('on_mismatch = "deny"', {})).toBe('deny schema a:required');
  });
});
