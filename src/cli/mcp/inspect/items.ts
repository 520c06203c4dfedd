import { isUtf8 } from 'node:buffer';
import type { DefinitionInput, TextField, TextOrigin } from '../../../core/detect/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { definitionName } from '../../../core/registry/fingerprint.ts';
import { isPlain } from '../../../gate/detection/message-part.ts';
import { isAbout, mayBeSentence } from '../../../gate/detection/spanned-texts.ts';
import type { ListedKind } from '../../../transport/listing/server-lister.ts';

interface FoundDefinitions {
  readonly items: readonly ItemInput[];
  readonly skipped: readonly Skipped[];
}

/** The members of answers that hold lists. */
const LISTS: readonly (readonly [member: string, kind: ListedKind])[] = [
  ['tools', 'tool'],
  ['resources', 'resource'],
  ['resourceTemplates', 'resource_template'],
  ['prompts', 'prompt'],
];

/**
 * The definitions in a value: it is one of them, an array of them, the answer to a list request (its result, or the whole JSON-RPC message),
 * the answer to a greeting, or a text, which is taken for instructions.
 *
 * @returns undefined where it is nothing of these
 */
export function findDefinitions(value: JsonValue): FoundDefinitions | undefined {
  if (typeof value === 'string') return { items: [{ kind: 'instructions', name: '', value }], skipped: [] };
  if (Array.isArray(value)) return readArray(value as readonly JsonValue[]);
  if (!isJsonObject(value)) return undefined;
  if (typeof value['jsonrpc'] === 'string') return readAnswer(value);
  return isListing(value) ? readListing(value) : { items: [toDefinition(value, kindOf(value))], skipped: [] };
}

/** The definitions of one list that a server has answered with. */
export function readList(kind: ListedKind, list: JsonValue | undefined, member: string): FoundDefinitions {
  if (!Array.isArray(list))
    return { items: [], skipped: [{ what: member, why: list === undefined ? 'is missing' : 'is no list' }] };
  const elements = list as readonly JsonValue[];
  return {
    items: elements.filter((element) => isJsonObject(element)).map((element) => toDefinition(element, kind)),
    skipped: elements.flatMap((element, i) => (isJsonObject(element) ? [] : [{ what: `${member}[${i}]`, why: 'is no object' }])),
  };
}

/** Texts of an answer outside its definitions: of the server itself, or beside a list. Undefined if they say nothing. */
export function textsBeside(answer: JsonObject): TextsInput | undefined {
  const isDeclared = (key: string, value: JsonValue): boolean =>
    key === 'instructions' ? typeof value === 'string' : Array.isArray(value) && LISTS.some(([member]) => member === key);
  const rest = Object.fromEntries(Object.entries(answer).filter(([key, value]) => !isDeclared(key, value)));
  const found = findTexts(rest);
  return isPlain({ origin: 'definition' }, found.fields) ? undefined : { kind: 'definition', ...found };
}

function readArray(elements: readonly JsonValue[]): FoundDefinitions {
  const found = elements.map((element) => (Array.isArray(element) ? undefined : findDefinitions(element)));
  return {
    items: found.flatMap((each) => each?.items ?? []),
    skipped: found.flatMap((each, i) => each?.skipped ?? [{ what: `[${i}]`, why: 'is no definition' }]),
  };
}

function readAnswer({ result }: JsonObject): FoundDefinitions | undefined {
  return isJsonObject(result) && isListing(result) ? readListing(result) : undefined;
}

/** Tells whether a value lists definitions. One that has a name is a definition itself, whatever else it has. */
function isListing(value: JsonObject): boolean {
  if (typeof value['name'] === 'string') return false;
  return LISTS.some(([member]) => Array.isArray(value[member])) || isGreeting(value);
}

function isGreeting({ protocolVersion, supportedVersions, capabilities, instructions }: JsonObject): boolean {
  const hasVersion = typeof protocolVersion === 'string' || Array.isArray(supportedVersions);
  return typeof instructions === 'string' || (hasVersion && isJsonObject(capabilities));
}

function readListing(value: JsonObject): FoundDefinitions {
  const lists = LISTS.filter(([member]) => value[member] !== undefined);
  const found = lists.map(([member, kind]) => readList(kind, value[member], member));
  const { instructions } = value;
  const beside = textsBeside(value);
  return {
    items: [
      ...(beside === undefined ? [] : [beside]),
      ...(typeof instructions === 'string' ? [{ kind: 'instructions' as const, name: '', value: instructions }] : []),
      ...found.flatMap(({ items }) => items),
    ],
    skipped: found.flatMap(({ skipped }) => skipped),
  };
}

function toDefinition(value: JsonObject, kind: ListedKind): DefinitionInput {
  return { kind, name: definitionName(kind, value) ?? '', value };
}

function kindOf(value: JsonObject): ListedKind {
  if (typeof value['uriTemplate'] === 'string') return 'resource_template';
  if (typeof value['uri'] === 'string') return 'resource';
  return Array.isArray(value['arguments']) && value['inputSchema'] === undefined ? 'prompt' : 'tool';
}

/** A part that is not inspected, and why, as phrases. */
export interface Skipped {
  readonly what: string;
  readonly why: string;
}

/** Texts of one message. */
export interface TextsInput {
  readonly kind: TextOrigin;
  readonly fields: readonly TextField[];
  readonly skipped: readonly Skipped[];
}

/** One thing to look at. */
export type ItemInput = DefinitionInput | TextsInput;

/** Things that are looked at together: what one server declares, or what stands on one line. */
export interface ItemGroup {
  /** The line of a JSON Lines file that they were read from, from 1. */
  readonly line?: number | undefined;
  /** The name of the server; empty if nobody knows it. */
  readonly server: string;
  readonly items: readonly ItemInput[];
  /** Parts that could not be read as anything to inspect. */
  readonly skipped: readonly Skipped[];
}

export function isTexts(item: ItemInput): item is TextsInput {
  return 'fields' in item;
}

/** Types of content in a result. */
const CONTENT_TYPES: ReadonlySet<JsonValue> = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** A result to be looked at: a text, any JSON value, the result of a call, or the whole JSON-RPC message that has one. */
export function toResultItem(value: JsonValue): TextsInput {
  const answer = isJsonObject(value) && typeof value['jsonrpc'] === 'string' ? value : undefined;
  const { result, error } = answer ?? {};
  if (result !== undefined) return { kind: originOf(result), ...findTexts(result) };
  if (error !== undefined) return { kind: 'error', ...findTexts(error) };
  const isParts = Array.isArray(value) && isContent(value as readonly JsonValue[]);
  return { kind: originOf(value), ...findTexts(isParts ? { content: value } : value) };
}

/** Tells whether the values are the parts of one result, and no list of results. */
export function isContent(values: readonly JsonValue[]): boolean {
  return values.every((value) => isJsonObject(value) && CONTENT_TYPES.has(value['type'] ?? null));
}

function originOf(value: JsonValue): TextOrigin {
  if (!isJsonObject(value)) return 'result';
  if (Array.isArray(value['contents'])) return 'resource';
  return Array.isArray(value['messages']) ? 'prompt' : 'result';
}

interface FoundTexts {
  readonly fields: readonly TextField[];
  readonly skipped: readonly Skipped[];
}

/** Members that hold bytes as base64, and characters from which on they are taken for that. */
const BINARY: ReadonlySet<string> = new Set(['data', 'blob']);
const LONG = 256;

/** UTF-16 units that are kept of a member's name in a field's name. */
const MOST_NAME = 80;

interface Place {
  readonly value: JsonValue;
  readonly field: string;
  /** The key of the member that holds it. */
  readonly key: string | undefined;
}

/** Every text in a value, in order, with its place (`content[0].text`). Takes any depth. A text by itself is the field `text`. */
export function findTexts(value: JsonValue): FoundTexts {
  const fields: TextField[] = [];
  const skipped: Skipped[] = [];
  const open: Place[] = [{ value, field: '', key: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value: here, field, key } = place;
    if (typeof here === 'string') {
      if (key !== undefined && isAbout(key, here)) continue;
      const text = key !== undefined && BINARY.has(key) && here.length >= LONG ? textOfBytes(here) : here;
      if (text === undefined) skipped.push({ what: field, why: 'is no text' });
      else if (text !== '') fields.push({ field: field === '' ? 'text' : field, text });
    } else open.push(...membersOf(here, field, fields).toReversed());
  }
  return { fields, skipped };
}

/** Members of an object or an array; long keys go to the texts. */
function membersOf(value: JsonValue, field: string, fields: TextField[]): Place[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((element, i) => ({ value: element, field: `${field}[${i}]`, key: undefined }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, member]) => {
    const name = key.length > MOST_NAME ? `${key.slice(0, MOST_NAME)}…` : key;
    const path = field === '' ? name : `${field}.${name}`;
    if (mayBeSentence(key)) fields.push({ field: `${path} (name)`, text: key });
    return { value: member, field: path, key };
  });
}

/** Files of text may come as bytes too. */
function textOfBytes(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined;
}
