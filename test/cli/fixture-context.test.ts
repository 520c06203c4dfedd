import { describe, expect, it } from 'vitest';
import { parseFixtures } from '../../src/cli/fixture.ts';
import type { FixtureContext } from '../../src/cli/fixture-context.ts';
import { ClawaiError } from '../../src/errors.ts';
import type { JsonValue } from '../../src/core/json.ts';

const HASH = `sha256:${'a1'.repeat(32)}`;

function read(context: JsonValue | undefined): FixtureContext | undefined {
  const fixture = { method: 'tools/call', params: { name: 't' }, ...(context === undefined ? {} : { context }) };
  return parseFixtures(JSON.stringify(fixture), 'f.json')[0]?.context;
}

function faultOf(context: JsonValue): string {
  try {
    return `read: ${JSON.stringify(read(context))}`;
  } catch (error) {
    if (!(error instanceof ClawaiError)) throw error;
    return error.message;
  }
}

describe("a fixture's context", () => {
  it('shadows names of tools and nothing else', () => {
    const fixture = { method: 'resources/read', params: { uri: 'a://b' }, context: { shadowed: 'mail' } };
    expect(() => parseFixtures(JSON.stringify(fixture), 'f.json')).toThrow('only the name of a tool is shadowed');
  });

  it('says what is known, and nothing else is', () => {
    expect(read(undefined)).toEqual({});
    expect(read({})).toEqual({});
    expect(read({ category: ['send', 'read'] })).toEqual({ categories: ['send', 'read'] });
    expect(read({ pin: 'changed' })?.registry).toMatchObject({ status: 'changed', isServerChanged: false });
    expect(read({ fingerprint: HASH })?.registry).toMatchObject({ status: 'pinned', fingerprint: HASH });
    expect(read({ serverIdentity: 'changed' })?.registry).toMatchObject({ status: 'pinned', isServerChanged: true });
    expect(read({ pin: 'new', fingerprint: HASH, serverIdentity: 'changed', category: ['write'] })).toMatchObject({
      registry: { status: 'new', fingerprint: HASH, isServerChanged: true },
      categories: ['write'],
    });
  });

  it('says which servers are part of the session, and whose the name of the tool was first', () => {
    expect(read({ servers: [], shadowed: 'mail' })).toEqual({ servers: [], shadowed: 'mail' });
  });

  it('says that a call belongs to no known server', () => {
    expect(read({ unmapped: true })).toEqual({ isUnmapped: true });
    const native = { method: 'tools/call', server: 'native', params: { name: 'Bash' }, context: { unmapped: true } };
    expect(() => parseFixtures(JSON.stringify(native), 'f.json')).toThrow("an agent's own tool belongs to no server");
    const resource = { method: 'resources/read', params: { uri: 'a://b' }, context: { unmapped: true } };
    expect(() => parseFixtures(JSON.stringify(resource), 'f.json')).toThrow('only the name of a tool is unmapped');
  });

  it.each<[JsonValue, string]>([
    [{ unmapped: false }, '/context/unmapped: expected true, found false'],
    [{ servers: 'mail' }, '/context/servers: expected a list of servers, found "mail"'],
    [{ servers: ['mail', ''] }, `/context/servers/1: expected a server's name, found ""`],
    [{ shadowed: ['mail'] }, `/context/shadowed: expected a server's name, found an array`],
    [{ shadowed: 'fixture' }, '/context/shadowed: a server does not shadow its own tool'],
    [[], '/context: expected an object, found an array'],
    [{ pinned: true }, '/context/pinned: unknown key "pinned"'],
    [{ __proto__: null, 'a/b': 1 }, '/context/a~1b: unknown key "a/b"'],
    [{ pin: 'approved' }, '/context/pin: expected "pinned", "changed", "new", "unlisted", found "approved"'],
    [{ pin: null }, '/context/pin: expected'],
    [{ category: 'send' }, '/context/category: expected a list of categories, found "send"'],
    [{ category: [] }, '/context/category: expected a list of categories, found an empty one'],
    [{ category: ['send', 'x'] }, '/context/category/1: expected "read"'],
    [{ fingerprint: 'sha256:1' }, '/context/fingerprint: expected "sha256:"'],
    [{ pin: 'unlisted', fingerprint: HASH }, '/context/fingerprint: what is unlisted has no fingerprint'],
    [{ serverIdentity: 'other' }, '/context/serverIdentity: expected "changed", found "other"'],
  ])('%j is refused', (context, message) => {
    expect(faultOf(context)).toContain(message);
  });
});
