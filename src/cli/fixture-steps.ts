import { NATIVE_SERVER } from '../core/call.ts';
import { parseDuration } from '../core/duration.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { readCall, readText } from './fixture-call.ts';
import type { Fixture, SessionSetup } from './fixture-case.ts';
import { readContext, type FixtureContext } from './fixture-context.ts';
import { EXPECTATION_KEYS, readExpectation } from './fixture-case.ts';
import { checkKeys, describe, type Origin } from './fixture-value.ts';
import { escapePointer } from './json-places.ts';

/** Keys that only a step may have. */
export const STEP_KEYS = ['at', 'result', 'turn', 'approved', 'retracted', 'expectedResult'] as const;
const KEYS = ['at', 'server', 'method', 'params', 'context', ...STEP_KEYS.slice(1), ...EXPECTATION_KEYS];

/** What the steps of a fixture share. */
export interface SharedByAll {
  readonly name: string;
  /** Of the steps that name none. */
  readonly server: string | undefined;
  readonly context: FixtureContext;
  readonly tools: SessionSetup['tools'];
}

/** Reads a fixture's `steps`: a fixture for each, all in one session. `origin` is the fixture's. */
export function readSteps(value: JsonValue, shared: SharedByAll, origin: Origin): readonly Fixture[] {
  const { pointer, fail } = origin;
  const place = `${pointer}/steps`;
  if (!Array.isArray(value)) return fail(place, `expected a list of steps, found ${describe(value)}`);
  if (value.length === 0) return fail(place, 'expected at least one step');
  const items = value as readonly JsonValue[];
  const servers = new Set<string>(shared.tools.keys());
  const session: SessionSetup = { tools: shared.tools, servers };
  let at = 0;
  return items.map((item, index) => {
    const here: Origin = { ...origin, pointer: `${place}/${index}` };
    if (!isJsonObject(item)) return fail(here.pointer, `expected a step (an object), found ${describe(item)}`);
    checkKeys(item, { known: KEYS, what: 'a step' }, here);
    at = readTime(item, at, here);
    const server = readText(item, 'server', here) ?? shared.server ?? fail(here.pointer, '"server" is missing');
    if (server !== NATIVE_SERVER) servers.add(server);
    const call = readCall(item, server, here);
    const turn = readText(item, 'turn', here);
    const result = readResult(item['result'], here);
    const isRetracted = readFlag(item, 'retracted', here);
    if (isRetracted && result !== undefined) fail(`${here.pointer}/result`, 'what is taken back has no result');
    return {
      file: origin.file,
      name: shared.name,
      call,
      context: { ...shared.context, ...readContext(item['context'], call, here) },
      ...readExpectation(item, here),
      step: {
        number: index + 1,
        isLast: index === items.length - 1,
        session,
        at,
        turn,
        result,
        isApproved: readFlag(item, 'approved', here),
        isRetracted,
      },
    };
  });
}

/** Milliseconds from the start; without `at`, those of the step before. */
function readTime(step: JsonObject, before: number, origin: Origin): number {
  const text = readText(step, 'at', origin);
  if (text === undefined) return before;
  const place = `${origin.pointer}/at`;
  // 1m30s is the sum of its parts; what is not made of such parts is one, and parseDuration says what is wrong with it.
  const parts = /^(?:[\d.]+[A-Za-z]+)+$/.test(text) ? text.match(/[\d.]+[A-Za-z]+/g) : null;
  const at = (parts ?? [text]).reduce((sum, part) => {
    const duration = parseDuration(part);
    return duration.ok ? sum + duration.value : origin.fail(place, duration.message, duration.hint);
  }, 0);
  return at < before
    ? origin.fail(place, `${text} is before the step before`, 'steps are in the order in which they happen')
    : at;
}

function readResult(value: JsonValue | undefined, { pointer, fail }: Origin): string | JsonObject | undefined {
  if (value === undefined || typeof value === 'string' || isJsonObject(value)) return value;
  return fail(`${pointer}/result`, `expected what the server answers, an object or a text, found ${describe(value)}`);
}

function readFlag(step: JsonObject, key: 'approved' | 'retracted', { pointer, fail }: Origin): boolean {
  const value = step[key];
  if (value === undefined || value === true) return value === true;
  return fail(`${pointer}/${key}`, `expected true or nothing at all, found ${describe(value)}`);
}

/** Objects have such keys first, wherever they stand in the text. */
const NUMBER = /^\d+$/;

/** Reads a fixture's `tools`, `{"files": ["read_file"]}`: what each server has listed, in the order in which they did. */
export function readTools(value: JsonValue | undefined, { pointer, fail }: Origin): ReadonlyMap<string, readonly string[]> {
  const tools = new Map<string, readonly string[]>();
  if (value === undefined) return tools;
  const place = `${pointer}/tools`;
  if (!isJsonObject(value)) return fail(place, `expected an object, found ${describe(value)}`);
  for (const [server, names] of Object.entries(value)) {
    const here = `${place}/${escapePointer(server)}`;
    if (server === '') fail(here, 'a server has a name');
    if (NUMBER.test(server)) fail(here, 'the order of servers whose names are numbers cannot be told', 'give it another name');
    if (!Array.isArray(names)) return fail(here, `expected a list of tools, found ${describe(names)}`);
    tools.set(
      server,
      (names as readonly JsonValue[]).map((name, index) =>
        typeof name === 'string' ? name : fail(`${here}/${index}`, `expected a tool's name, found ${describe(name)}`),
      ),
    );
  }
  return tools;
}
