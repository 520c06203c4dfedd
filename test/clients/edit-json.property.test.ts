import fc from 'fast-check';
import { parseTree, type Node, type ParseError } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { STRICT, type JsonPath, type Location } from '../../src/clients/client.ts';
import { CLIENTS } from '../../src/clients/clients.ts';
import { editJson, undoEdits } from '../../src/clients/edit-json.ts';
import { readEntries, rewriteCommand, rewriteUrl } from '../../src/clients/entries.ts';
import { isJson } from '../../src/clients/text.ts';
import type { Entry } from '../../src/clients/read-entry.ts';
import { configOf, writeConfig, type Json } from './config-texts.ts';
import { leastHits, runs } from '../support/runs.ts';

const LOCATIONS = CLIENTS.flatMap((client) =>
  client.locations.flatMap((location) => {
    const { syntax } = location;
    return isJson(syntax) ? [{ name: `${client.id} ${location.id}`, location: { ...location, syntax } }] : [];
  }),
);
/** Locations that are read in the same way count once. */
const READINGS = LOCATIONS.filter(
  ({ location }, index) =>
    // The manifest of an extension is never edited.
    location.only === undefined && LOCATIONS.findIndex((other) => isSame(other.location, location)) === index,
);

function isSame(a: Location, b: Location): boolean {
  return JSON.stringify([a.syntax, a.tables, a.shape]) === JSON.stringify([b.syntax, b.tables, b.shape]);
}

/** What the package's own tree has of a text, keys in their order. */
function parsed(text: string): Json {
  const errors: ParseError[] = [];
  const tree = parseTree(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return toJson(tree);
}

function toJson(node: Node | undefined): Json {
  const children = node?.children ?? [];
  if (node?.type === 'array') return children.map(toJson);
  if (node?.type === 'object')
    return { members: children.map(({ children: [key, value] = [] }) => [String(key?.value), toJson(value)]) };
  return node?.value as Json;
}

/** A value with another one at a path; a member that is not there yet goes behind `after`. */
function withValue(json: Json, [key, ...rest]: JsonPath, value: Json, after: string): Json {
  if (key === undefined) return value;
  if (json === null || typeof json !== 'object' || !('members' in json)) throw new Error(`no object at ${key}`);
  const { members } = json;
  if (members.some(([name]) => name === key)) {
    return { members: members.map(([name, inner]) => [name, name === key ? withValue(inner, rest, value, after) : inner]) };
  }
  const at = members.findIndex(([name]) => name === after) + 1;
  return { members: [...members.slice(0, at), [key, value], ...members.slice(at)] };
}

const COMMAND = { command: '/opt/clawai', args: ['proxy', '--server', 'a "b"', '--'] };

/** What wrapping an entry means for the values of its config. */
function wrapped(json: Json, { kind, commandPath, argsPath, urlPath }: Entry): Json {
  if (kind === 'remote') return withValue(json, urlPath ?? [], 'http://127.0.0.1:1/x', '');
  if (kind !== 'stdio' || commandPath === undefined) return json;
  if (argsPath === undefined) return withValue(json, commandPath, [COMMAND.command, ...COMMAND.args], '');
  return withValue(withValue(json, commandPath, COMMAND.command, ''), argsPath, COMMAND.args, commandPath.at(-1) ?? '');
}

describe.each(READINGS)('hazard 47: a config of $name', ({ location }) => {
  it('has only the named values changed, and the same bytes again when that is undone', () => {
    let edited = 0;
    fc.assert(
      fc.property(configOf(location), fc.array(fc.nat(59), { minLength: 1, maxLength: 40 }), (config, looks) => {
        const text = writeConfig(config, location.syntax, looks);
        const before = parsed(text);
        expect(before).toEqual(config);
        const read = readEntries(text, location);
        if (!read.ok) throw new Error(`${read.problem.message} in ${text}`);
        const edits = read.entries.flatMap((entry) => [
          ...rewriteCommand(entry, COMMAND),
          ...rewriteUrl(entry, 'http://127.0.0.1:1/x'),
        ]);
        edited += edits.length;

        const result = editJson(text, location.syntax, edits);
        if (!result.ok) throw new Error(`${result.problem.message} in ${text}`);
        expect(parsed(result.text)).toEqual(read.entries.reduce(wrapped, before));
        expect(editJson(result.text, location.syntax, undoEdits(result.changes))).toMatchObject({ ok: true, text });

        // The same servers are there, and each says what it was told to.
        const again = readEntries(result.text, location);
        const entries = again.ok ? again.entries : [];
        expect(entries.map(({ name, kind }) => [name, kind])).toEqual(read.entries.map(({ name, kind }) => [name, kind]));
        for (const { kind, command, args } of entries) if (kind === 'stdio') expect({ command, args }).toEqual(COMMAND);

        // A part of them undone in any order leaves the others as they are.
        const some = result.changes.filter((_, index) => (looks[index % looks.length] ?? 0) % 2 === 0);
        const partly = editJson(result.text, location.syntax, undoEdits(some.toReversed()));
        const rest = result.changes.filter((change) => !some.includes(change));
        expect(partly.ok && editJson(partly.text, location.syntax, undoEdits(rest))).toMatchObject({ ok: true, text });
      }),
      { numRuns: runs(150) },
    );
    expect(edited).toBeGreaterThan(leastHits(100));
  });

  it('is refused, with a place, where it is cut short', () => {
    fc.assert(
      fc.property(configOf(location), fc.array(fc.nat(59), { minLength: 1, maxLength: 40 }), fc.nat(), (config, looks, cut) => {
        const text = writeConfig(config, STRICT, looks).trimEnd();
        const short = text.slice(0, text.indexOf('{') + 1 + (cut % (text.length - 1 - text.indexOf('{'))));
        const read = readEntries(short, location);
        expect(read.ok).toBe(false);
        if (!read.ok) expect(read.problem.line).toBeLessThanOrEqual(short.split('\n').length);
      }),
      { numRuns: runs(50) },
    );
  });
});
