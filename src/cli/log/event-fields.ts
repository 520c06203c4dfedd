import { parseBody } from '../../audit/event-columns.ts';
import { CALL_TYPES } from '../../audit/event-types.ts';
import type { StoredEvent, StoreReader } from '../../store/reading/read.ts';
import { usageError } from '../command.ts';

/** The fields of an event's body, in whatever shape an edit or another version of clawai has left them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A field that is a text; empty where it is none. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

/** A field that counts something; undefined where it does not. */
export function countOf(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The objects of a field that is a list; none where it is no list. */
export function objectsOf(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((item): item is Fields => isObject(item)) : [];
}

/** A field that is an object; empty where it is none. */
export function objectOf(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isObject(value) ? value : {};
}

/** The subject of a call: a tool, a resource or a prompt, or just its method. */
export function subjectOf(fields: Fields): string {
  const names = ['tool_name', 'resource_uri', 'prompt_name', 'method'];
  return names.map((name) => textOf(fields, name)).find((text) => text !== '') ?? '';
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An id as clawai makes it: 16 hex digits of the connection, and the number of the call in it. */
const OWN_ID = /^([0-9a-f]{16})\.(\d+)$/;
/** Digits that tell the connections of years apart. */
const SHOWN = 6;
/** Calls that are named where an id is that of several. */
const MOST_NAMED = 5;
const MOST_FOUND = 1000;

/** The id as people type it: `6f0c2d.17`. What is no id of ours stays as it is. */
export function shortId(id: string): string {
  const [, connection, number] = OWN_ID.exec(id) ?? [];
  return connection === undefined ? id : `${connection.slice(0, SHOWN)}.${number}`;
}

/** A recorded call, and its whole id. */
export interface FoundCall {
  readonly id: string;
  readonly event: StoredEvent;
}

/** The call that a person means by its id or the beginning of it. Throws ClawaiError `usage` where that is none, or several. */
export function findCall(reader: StoreReader, typed: string): FoundCall {
  const word = typed.trim();
  const [head = '', tail] = word.toLowerCase().split('.', 2);
  const texts = tail === undefined ? [`"id":"${head}`] : [`"id":"${head}`, `.${tail}"`];
  const isOurs = /^[0-9a-f]{4,16}(\.\d+)?$/i.test(word);
  const found = reader.mentioning(isOurs ? texts : [`"id":${JSON.stringify(word)}`], MOST_FOUND).flatMap((event): FoundCall[] => {
    const id = textOf(parseBody(event.body ?? '') ?? {}, 'id');
    const isCall = CALL_TYPES.some((type) => type === event.type);
    const isMeant = id === word || (isOurs && id.startsWith(head) && (tail === undefined || id.endsWith(`.${tail}`)));
    return isCall && isMeant ? [{ id, event }] : [];
  });
  const [first, ...others] = found;
  if (first === undefined) {
    throw usageError(`there is no call ${JSON.stringify(word)} on record`, '`clawai log --calls` shows the ids of calls');
  }
  if (others.length === 0) return first;
  const names = found.slice(-MOST_NAMED).map(({ id }) => (isOurs && head.length > SHOWN ? id : longerId(id, head.length)));
  throw usageError(
    `${JSON.stringify(word)} is the id of ${found.length === MOST_FOUND ? 'many' : found.length} calls`,
    `write more of it: ${names.join(', ')}${found.length > names.length ? ', …' : ''}`,
  );
}

/** Shortens an id to some more digits than were typed. */
function longerId(id: string, typed: number): string {
  const [connection = '', number] = id.split('.');
  return number === undefined ? id : `${connection.slice(0, Math.max(SHOWN, typed + 4))}.${number}`;
}
