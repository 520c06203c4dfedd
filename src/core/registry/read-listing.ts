import type { JsonObject, JsonValue } from '../json.ts';
import type { Definition, DefinitionKind } from './definition.ts';
import { combineDefinitions, definitionName, toDefinition } from './fingerprint.ts';

/** Most UTF-16 units of a definition's name. */
export const MOST_NAME = 1024;

/** Most elements of one list that are read. */
const MOST_ELEMENTS = 100_000;

/** Most problems that are listed one by one, and most UTF-16 units of a name in them. */
const MOST_PROBLEMS = 20;
const MOST_TOLD_NAME = 80;

type ListedKind = Exclude<DefinitionKind, 'instructions'>;

/** The member of an answer that holds the list. */
const LIST_MEMBERS = {
  tool: 'tools',
  resource: 'resources',
  resource_template: 'resourceTemplates',
  prompt: 'prompts',
} as const satisfies Record<ListedKind, string>;

// oxlint-disable-next-line no-control-regex -- those are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The parsed content of one page of a list. */
export interface Listing {
  /** Each name once, in order of appearance. */
  readonly definitions: readonly Definition[];
  /** Positions in the list, from 0, of elements without a usable name, which can neither be trusted nor be found changed. Ascending. */
  readonly unusable: readonly number[];
  /** Problems of the list, in a few sentences without full stops. May contain names, which the server chose. */
  readonly problems: readonly string[];
  /** Cursor of the next page, possibly empty; undefined if this is the last one. */
  readonly nextCursor: string | undefined;
}

/**
 * Reads the answer to a list request, whatever a server put into it. Definitions that share a name become one, so that none of them can
 * hide behind another. Takes time in proportion to the answer.
 */
export function readListing(kind: ListedKind, result: JsonObject): Listing {
  const member = LIST_MEMBERS[kind];
  const problems = new Problems();
  const unusable: number[] = [];
  const byName = new Map<string, [Definition, ...Definition[]]>();

  for (const [index, element] of readList(result, member, problems).entries()) {
    const problem = index < MOST_ELEMENTS ? nameProblem(definitionName(kind, element)) : undefined;
    if (problem !== undefined) problems.add(`${member}[${index}] ${problem}`);
    const definition = problem === undefined && index < MOST_ELEMENTS ? toDefinition(kind, element) : undefined;
    if (definition === undefined) {
      unusable.push(index);
      continue;
    }
    const { name } = definition;
    if (CONTROL.test(name)) problems.add(`${member}[${index}] has control characters in its name ${quote(name)}`);
    const namesakes = byName.get(name);
    if (namesakes === undefined) byName.set(name, [definition]);
    else namesakes.push(definition);
  }

  const definitions: Definition[] = [];
  for (const [name, namesakes] of byName) {
    if (namesakes.length > 1) problems.add(`${namesakes.length} of the ${member} are named ${quote(name)}`);
    definitions.push(combineDefinitions(namesakes));
  }
  const nextCursor = readCursor(result, problems);
  return { definitions, unusable, problems: problems.all(), nextCursor };
}

function readList(result: JsonObject, member: string, problems: Problems): readonly JsonValue[] {
  const list = Object.hasOwn(result, member) ? result[member] : undefined;
  if (!Array.isArray(list)) {
    problems.add(list === undefined ? `there are no ${member}` : `${member} is no array`);
    return [];
  }
  if (list.length > MOST_ELEMENTS)
    problems.add(`of ${list.length} ${member}, those after the first ${MOST_ELEMENTS} are not read`);
  return list as readonly JsonValue[];
}

/** The reason why a name is unusable; undefined if it is usable. */
function nameProblem(name: string | undefined): string | undefined {
  if (name === undefined) return 'has no name';
  return name.length <= MOST_NAME ? undefined : `has a name of ${name.length} characters`;
}

function readCursor(result: JsonObject, problems: Problems): string | undefined {
  const cursor = Object.hasOwn(result, 'nextCursor') ? result['nextCursor'] : undefined;
  if (typeof cursor === 'string') return cursor;
  // Servers write null for none.
  if (cursor !== undefined && cursor !== null) problems.add('nextCursor is no string');
  return undefined;
}

function quote(name: string): string {
  return JSON.stringify(name.length <= MOST_TOLD_NAME ? name : `${name.slice(0, MOST_TOLD_NAME)}…`);
}

class Problems {
  readonly #problems: string[] = [];
  #count = 0;

  add(problem: string): void {
    this.#count += 1;
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(problem);
  }

  all(): readonly string[] {
    const more = this.#count - this.#problems.length;
    return more === 0 ? this.#problems : [...this.#problems, `${more} more problems`];
  }
}
