import type { DefinitionKind } from '../../core/registry/definition.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Message } from '../../protocol/message.ts';
import { readSmallObject } from './message-parts.ts';

/** A method whose answers declare something. */
export interface ListMethod {
  readonly kind: Exclude<DefinitionKind, 'instructions'>;
  /** Member of the result that holds the definitions. */
  readonly member: string;
}

export const LIST_METHODS: ReadonlyMap<string, ListMethod> = new Map([
  ['tools/list', { kind: 'tool', member: 'tools' }],
  ['resources/list', { kind: 'resource', member: 'resources' }],
  ['resources/templates/list', { kind: 'resource_template', member: 'resourceTemplates' }],
  ['prompts/list', { kind: 'prompt', member: 'prompts' }],
] as const);

/** A list as MCP's notifications name it. */
export type ChangingList = 'tools' | 'prompts' | 'resources';

/** The list whose change notification covers a kind of definition. */
export const LISTS: ReadonlyMap<DefinitionKind, ChangingList> = new Map([
  ['tool', 'tools'],
  ['prompt', 'prompts'],
  ['resource', 'resources'],
  ['resource_template', 'resources'],
] as const);

/** Lists whose changes a `subscriptions/listen` request asks for. */
export function toListening(params: JsonObject): ReadonlySet<ChangingList> {
  const filter = params['notifications'];
  const isWanted = (list: ChangingList): boolean => isJsonObject(filter) && filter[`${list}ListChanged`] === true;
  return new Set([...LISTS.values()].filter(isWanted));
}

/** Methods whose answers may contain instructions for the model. */
const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** The kind of declarations in a method's answers, if any. */
export function declaringOf(method: string): ListMethod | 'greeting' | undefined {
  return LIST_METHODS.get(method) ?? (GREETINGS.has(method) ? 'greeting' : undefined);
}

/** The kind of declarations in the answer to one request. */
export type Declaring = AskedList | 'greeting';

export interface AskedList extends ListMethod {
  /** Cursor of the requested page; undefined if unknown. */
  readonly cursor: string | undefined;
}

/** @param declaring the result of `declaringOf` for the message's method */
export function toDeclaring(declaring: ListMethod | 'greeting' | undefined, message: Message): Declaring | undefined {
  return typeof declaring === 'object' ? { ...declaring, cursor: cursorOf(message) } : declaring;
}

/** Most characters of a cursor: a server may make it as long as it likes; honest ones are short. */
const LONGEST_CURSOR = 4096;

/** The key of a cursor: never empty, which is the list's beginning, even if the cursor is. */
export function cursorKey(cursor: string): string {
  return `c${cursor}`;
}

/** The key of the requested cursor: empty for the list's beginning, undefined if unknown. */
export function cursorOf(message: Message): string | undefined {
  if (message.params === undefined) return '';
  const params = readSmallObject(message, message.params);
  if (!isJsonObject(params ?? null)) return undefined;
  const cursor = params?.['cursor'];
  if (typeof cursor === 'string') return cursor.length <= LONGEST_CURSOR ? cursorKey(cursor) : undefined;
  return cursor === undefined || cursor === null ? '' : undefined;
}
