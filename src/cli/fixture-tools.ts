import { isJsonObject, type JsonValue } from '../core/json.ts';
import { describe, type Origin } from './fixture-value.ts';
import { escapePointer } from './json-places.ts';

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
