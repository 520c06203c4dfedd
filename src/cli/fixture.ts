import type { Call } from '../core/call.ts';
import { ACTIONS, type Action } from '../core/decision.ts';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../core/json.ts';
import { ClawaiError } from '../errors.ts';
import { REVIEWED_METHODS, toMethodCall } from '../gate/methods.ts';
import { readContext, type FixtureContext } from './fixture-context.ts';
import { describe, didYouMean, type Fail, type Origin } from './fixture-value.ts';
import { escapePointer, findJsonPlaces, toLineColumn } from './json-places.ts';

/** One case for a policy: a call, and what should become of it. */
export interface Fixture {
  readonly file: string;
  /** For people: the fixture's own `name`, else its file's, with its number where the file holds several. */
  readonly name: string;
  readonly call: Call;
  /** What is known besides the call. */
  readonly context?: FixtureContext;
  readonly expected?: Action;
  /** The rule that should decide: its id, its number from 1, or null for "none, the default". */
  readonly expectedRule?: string | number | null;
}

/** The server of a fixture that names none. */
export const DEFAULT_SERVER = 'fixture';

const KEYS = ['name', 'server', 'method', 'params', 'context', 'expected', 'expectedRule'] as const;
/** Keys of fixtures for guards (flow, rates). Ignoring one would let a test pass that tested nothing. */
const LATER_KEYS = ['steps'] as const;

/**
 * Parses a fixture file: one fixture, or an array of at least one. `file` is only named in errors and results.
 * Throws ClawaiError `fixture_invalid` with line and column at the first mistake; nothing is guessed or ignored.
 */
export function parseFixtures(text: string, file: string): readonly Fixture[] {
  const json = text.replace(/^\uFEFF/, '');
  const places = findJsonPlaces(json);
  const at = (offset: number, message: string, hint?: string): ClawaiError =>
    new ClawaiError(message, { code: 'fixture_invalid', place: { file, ...toLineColumn(json, offset) }, hint });
  if (!places.ok) {
    throw at(places.offset, `the fixture is not JSON: expected ${places.expected}, found ${describeFound(json, places.offset)}`);
  }
  const fail: Fail = (pointer, message, hint) => {
    // A key that is missing has no place of its own; the object that lacks it has.
    const known = [pointer, pointer.replace(/\/[^/]*$/, '')].find((path) => places.values.has(path)) ?? '';
    const offset = places.keys.get(known) ?? places.values.get(known) ?? 0;
    throw at(offset, pointer === '' ? message : `${pointer}: ${message}`, hint);
  };
  const value = parseJson(json);
  const stem = file.replace(/^.*[\\/]/, '').replace(/\.json$/, '');
  if (!Array.isArray(value)) return [toFixture(value, { file, pointer: '', name: stem, fail })];
  if (value.length === 0) fail('', 'expected a fixture or an array of them, found an empty array');
  return value.map((item: JsonValue, i) => toFixture(item, { file, pointer: `/${i}`, name: `${stem} ${i + 1}`, fail }));
}

function toFixture(value: JsonValue, origin: Origin): Fixture {
  const { file, pointer, fail } = origin;
  if (!isJsonObject(value)) return fail(pointer, `expected a fixture (an object), found ${describe(value)}`);
  for (const key of Object.keys(value)) {
    const place = `${pointer}/${escapePointer(key)}`;
    if ((LATER_KEYS as readonly string[]).includes(key)) {
      fail(
        place,
        `this version of clawai cannot evaluate fixtures with "${key}"`,
        'they are for guards that it does not have yet',
      );
    }
    if (!(KEYS as readonly string[]).includes(key)) {
      fail(place, `unknown key ${JSON.stringify(key)}`, didYouMean(key, KEYS) ?? `a fixture has ${KEYS.join(', ')}`);
    }
  }
  const expected = readExpected(value['expected'], origin);
  const expectedRule = readExpectedRule(value['expectedRule'], origin);
  return {
    file,
    name: readText(value, 'name', origin) ?? origin.name,
    call: readCall(value, origin),
    context: readContext(value['context'], origin),
    ...(expected === undefined ? {} : { expected }),
    ...(expectedRule === undefined ? {} : { expectedRule }),
  };
}

/** The call that the gate would decide for this message; its own code says so. */
function readCall(value: JsonObject, origin: Origin): Call {
  const { pointer, fail } = origin;
  const method = readText(value, 'method', origin) ?? fail(pointer, '"method" is missing', 'for example "method": "tools/call"');
  const server = readText(value, 'server', origin) ?? DEFAULT_SERVER;
  const params = value['params'];
  if (params !== undefined && !isJsonObject(params)) fail(`${pointer}/params`, `expected an object, found ${describe(params)}`);
  const reviewed = REVIEWED_METHODS.get(method);
  if (reviewed === undefined) return toMethodCall(server, method);
  if (!isJsonObject(params)) return fail(pointer, `"params" is missing; ${method} has some`);
  const result = reviewed.toCalls(server, params);
  if ('problem' in result) return fail(`${pointer}/params`, result.problem);
  const [call, ...others] = result.calls;
  if (others.length > 0) return fail(`${pointer}/params`, 'this makes several calls', 'write a fixture for each');
  return call ?? toMethodCall(server, method);
}

/** A string that is not empty, or undefined where the key is absent. */
function readText(value: JsonObject, key: string, { pointer, fail }: Origin): string | undefined {
  const text = value[key];
  if (text === undefined) return undefined;
  if (typeof text !== 'string') return fail(`${pointer}/${key}`, `expected a string, found ${describe(text)}`);
  return text === '' ? fail(`${pointer}/${key}`, 'expected a string that is not empty') : text;
}

function readExpected(value: JsonValue | undefined, { pointer, fail }: Origin): Action | undefined {
  const action = ACTIONS.find((known) => known === value);
  if (value === undefined || action !== undefined) return action;
  const hint = typeof value === 'string' ? didYouMean(value, ACTIONS) : undefined;
  return fail(`${pointer}/expected`, `expected "allow", "deny" or "prompt", found ${describe(value)}`, hint);
}

function readExpectedRule(value: JsonValue | undefined, { pointer, fail }: Origin): string | number | null | undefined {
  if (value === undefined || value === null || (typeof value === 'string' && value !== '')) return value;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1) return value;
  return fail(
    `${pointer}/expectedRule`,
    `expected the id of a rule, its number from 1, or null for none, found ${describe(value)}`,
  );
}

function describeFound(text: string, offset: number): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return offset >= text.length ? 'the end of the file' : JSON.stringify(character);
}
