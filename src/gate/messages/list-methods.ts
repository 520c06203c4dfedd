import type { DefinitionKind } from '../../core/registry/definition.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { Message } from '../../protocol/message.ts';
import { readSmallObject } from './message-parts.ts';

/** A method whose answers declare something. */
export interface ListMethod {
  readonly kind: Exclude<DefinitionKind, 'instructions'>;
  /** Of the result: where the definitions are. */
  readonly member: string;
}

export const LIST_METHODS: ReadonlyMap<string, ListMethod> = new Map([
  ['tools/list', { kind: 'tool', member: 'tools' }],
  ['resources/list', { kind: 'resource', member: 'resources' }],
  ['resources/templates/list', { kind: 'resource_template', member: 'resourceTemplates' }],
  ['prompts/list', { kind: 'prompt', member: 'prompts' }],
] as const);

/** A list in the names of MCP's notifications. */
export type ChangingList = 'tools' | 'prompts' | 'resources';

/** Which of these says that a definition's list has changed. */
export const LISTS: ReadonlyMap<DefinitionKind, ChangingList> = new Map([
  ['tool', 'tools'],
  ['prompt', 'prompts'],
  ['resource', 'resources'],
  ['resource_template', 'resources'],
] as const);

/** Lists of whose changes a request `subscriptions/listen` asks to be told. */
export function toListening(params: JsonObject): ReadonlySet<ChangingList> {
  const filter = params['notifications'];
  const isWanted = (list: ChangingList): boolean => isJsonObject(filter) && filter[`${list}ListChanged`] === true;
  return new Set([...LISTS.values()].filter(isWanted));
}

/** Methods whose answers may have instructions for the model. */
const GREETINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** What the answers to a method declare, if anything. */
export function declaringOf(method: string): ListMethod | 'greeting' | undefined {
  return LIST_METHODS.get(method) ?? (GREETINGS.has(method) ? 'greeting' : undefined);
}

/** What the answer to one request declares. */
export type Declaring = AskedList | 'greeting';

export interface AskedList extends ListMethod {
  /** Where it was asked to go on; undefined where that could not be told. */
  readonly cursor: string | undefined;
}

/** @param declaring what `declaringOf` said of the message's method */
export function toDeclaring(declaring: ListMethod | 'greeting' | undefined, message: Message): Declaring | undefined {
  return typeof declaring === 'object' ? { ...declaring, cursor: cursorOf(message) } : declaring;
}

/** Cursors are as long as a server likes; honest ones are short. */
const LONGEST_CURSOR = 4096;

/** What a cursor is known by: not what a list's beginning is, also where it is empty. */
export function cursorKey(cursor: string): string {
  return `c${cursor}`;
}

/** Where a list goes on that is asked for: empty for its beginning. Undefined where that can't be told. */
export function cursorOf(message: Message): string | undefined {
  if (message.params === undefined) return '';
  const params = readSmallObject(message, message.params);
  if (!isJsonObject(params ?? null)) return undefined;
  const cursor = params?.['cursor'];
  if (typeof cursor === 'string') return cursor.length <= LONGEST_CURSOR ? cursorKey(cursor) : undefined;
  return cursor === undefined || cursor === null ? '' : undefined;
}
