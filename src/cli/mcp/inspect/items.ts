import type { DefinitionInput } from '../../../core/detect/types.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { definitionName } from '../../../core/registry/fingerprint.ts';
import { isPlain } from '../../../gate/detection/message-part.ts';
import type { ListedKind } from '../../../transport/server-lister.ts';
import type { ItemInput, Skipped, TextsInput } from './item.ts';
import { findTexts } from './text-fields.ts';

export interface FoundDefinitions {
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

/** What a server says of itself, or beside a list: all of an answer that is no definition by itself. Undefined where that says nothing. */
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

/** What has a name is a definition, whatever else it has. */
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
