import { isJsonObject, parseJson, type JsonValue } from '../core/json.ts';
import { ClawaiError } from '../errors.ts';
import { readCall, readText } from './fixture-call.ts';
import { readContext } from './fixture-context.ts';
import { EXPECTATION_KEYS, expectsSomething, type Fixture, readExpectation } from './fixture-case.ts';
import { readSteps, STEP_KEYS } from './fixture-steps.ts';
import { readTools } from './fixture-steps.ts';
import { checkKeys, describe, type Fail, type Origin } from './fixture-value.ts';
import { findJsonPlaces, toLineColumn } from './json-places.ts';

/** The server of a fixture that names none. */
export const DEFAULT_SERVER = 'fixture';

const CALL_KEYS = ['method', 'params', ...EXPECTATION_KEYS];
const KEYS = ['name', 'server', 'method', 'params', 'context', ...EXPECTATION_KEYS, 'steps', '$schema'];
const SESSION_KEYS = ['name', 'server', 'context', 'tools', 'steps', '$schema'];

/** How fixtures are read. */
export interface FixtureUse {
  /** Each is compared with what it expects, so it has to expect something. */
  readonly mustExpect: boolean;
}

/**
 * Parses a fixture file: one fixture, or an array of at least one, where one with steps gives a fixture for each of them. `file` is
 * only named in errors and results.
 * Throws ClawaiError `fixture_invalid` with line and column at the first mistake; nothing is guessed or ignored.
 */
export function parseFixtures(text: string, file: string, use: FixtureUse = { mustExpect: false }): readonly Fixture[] {
  const json = text.replace(/^\uFEFF/, '');
  const places = findJsonPlaces(json);
  const at = (offset: number, message: string, hint?: string): ClawaiError =>
    new ClawaiError(message, { code: 'fixture_invalid', place: { file, ...toLineColumn(json, offset) }, hint });
  if (!places.ok) {
    throw at(places.offset, `the fixture is not JSON: expected ${places.expected}, found ${describeFound(json, places.offset)}`);
  }
  // JSON.parse takes the last of two, so the fixture would expect something else than it says.
  if (places.twice !== undefined)
    throw at(places.twice.offset, `the key ${places.twice.key} occurs twice`, 'leave one of them out');
  const fail: Fail = (pointer, message, hint) => {
    // A key that is missing has no place of its own; the object that lacks it has.
    const known = [pointer, pointer.replace(/\/[^/]*$/, '')].find((path) => places.values.has(path)) ?? '';
    const offset = places.keys.get(known) ?? places.values.get(known) ?? 0;
    throw at(offset, pointer === '' ? message : `${pointer}: ${message}`, hint);
  };
  const value = parseJson(json);
  const read = (item: JsonValue, origin: Origin): readonly Fixture[] => {
    const fixtures = toFixtures(item, origin);
    if (use.mustExpect && !fixtures.some(expectsSomething)) failUnexpecting(fixtures, origin);
    return fixtures;
  };
  const stem = file.replace(/^.*[\\/]/, '').replace(/\.json$/, '');
  if (!Array.isArray(value)) return read(value, { file, pointer: '', name: stem, fail });
  if (value.length === 0) fail('', 'expected a fixture or an array of them, found an empty array');
  return value.flatMap((item: JsonValue, i) => read(item, { file, pointer: `/${i}`, name: `${stem} ${i + 1}`, fail }));
}

function toFixtures(value: JsonValue, origin: Origin): readonly Fixture[] {
  const { file, pointer, fail } = origin;
  if (!isJsonObject(value)) return fail(pointer, `expected a fixture (an object), found ${describe(value)}`);
  const { steps } = value;
  checkSchemaKey(value['$schema'], origin);
  if (steps !== undefined) {
    const elsewhere = (key: string): string | undefined => (CALL_KEYS.includes(key) ? 'it belongs to a step' : undefined);
    checkKeys(value, { known: SESSION_KEYS, what: 'a fixture with steps', elsewhere }, origin);
    const shared = {
      name: readText(value, 'name', origin) ?? origin.name,
      server: readText(value, 'server', origin),
      context: readContext(value['context'], undefined, origin),
      tools: readTools(value['tools'], origin),
    };
    return readSteps(steps, shared, origin);
  }
  const elsewhere = (key: string): string | undefined =>
    [...STEP_KEYS, 'tools'].includes(key) ? 'it is for a fixture with "steps"' : undefined;
  checkKeys(value, { known: KEYS, what: 'a fixture', elsewhere }, origin);
  const expectation = readExpectation(value, origin);
  const call = readCall(value, readText(value, 'server', origin) ?? DEFAULT_SERVER, origin);
  const name = readText(value, 'name', origin) ?? origin.name;
  return [{ file, name, call, context: readContext(value['context'], call, origin), ...expectation }];
}

/** A fixture that expects nothing would pass whatever the policy says. */
function failUnexpecting(fixtures: readonly Fixture[], { pointer, fail }: Origin): void {
  const hint = 'write "expected": "allow", "deny" or "prompt"; --expect gives every fixture the same';
  if (fixtures.some(({ step }) => step !== undefined)) fail(`${pointer}/steps`, 'none of the steps has "expected"', hint);
  fail(pointer, '"expected" is missing', hint);
}

/** Where an editor finds the schema is nothing to us, so long as it is that. */
function checkSchemaKey(value: JsonValue | undefined, { pointer, fail }: Origin): void {
  if (value === undefined || typeof value === 'string') return;
  fail(`${pointer}/$schema`, `expected the place of a schema (a string), found ${describe(value)}`);
}

function describeFound(text: string, offset: number): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return offset >= text.length ? 'the end of the file' : JSON.stringify(character);
}
