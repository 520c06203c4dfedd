import { hash } from 'node:crypto';
import { isJsonObject, type JsonValue } from '../json.ts';
import { canonicalText } from './canonical-text.ts';
import type { Definition, DefinitionKind } from './definition.ts';

/** The member of a definition that holds its name. */
export const NAME_MEMBERS = { tool: 'name', resource: 'uri', resource_template: 'uriTemplate', prompt: 'name' } as const;

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/** `sha256:` and the 64 hex digits of the SHA-256 of a canonical text's UTF-8. */
export function fingerprintOf(text: string): string {
  return `sha256:${hash('sha256', text)}`;
}

/** Tells whether a text has the form of a fingerprint. */
export function isFingerprint(text: string): boolean {
  return FINGERPRINT.test(text);
}

/** The name of a definition, of any length; undefined without one, or if it is no object. */
export function definitionName(kind: Exclude<DefinitionKind, 'instructions'>, value: JsonValue): string | undefined {
  const name = isJsonObject(value) && Object.hasOwn(value, NAME_MEMBERS[kind]) ? value[NAME_MEMBERS[kind]] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * The definition of a list's element. Its fingerprint changes with any member, except for those that change with a resource's contents.
 * Undefined without a name.
 */
export function toDefinition(kind: Exclude<DefinitionKind, 'instructions'>, value: JsonValue): Definition | undefined {
  const name = definitionName(kind, value);
  if (name === undefined) return undefined;
  return withFingerprint(kind, name, canonicalText(kind === 'resource' ? withoutState(value) : value));
}

/** Tells whether a value is a date, and so can't be read as words. */
function isDate(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^[\d:.TZ+-]{4,40}$/i.test(value);
}

/** Removes size and date, which change when a file is written (MCP, Resource): it is the same resource. */
function withoutState(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const { size, annotations, ...rest } = value;
  const isSize = size === undefined || typeof size === 'number';
  const kept: Record<string, JsonValue> = isSize ? { ...rest } : { ...rest, size };
  if (annotations === undefined) return kept;
  if (!isJsonObject(annotations) || !isDate(annotations['lastModified'])) return { ...kept, annotations };
  const { lastModified: _lastModified, ...others } = annotations;
  return { ...kept, annotations: others };
}

/** The definition of a server's instructions from its greeting. */
export function instructionsDefinition(instructions: string): Definition {
  return withFingerprint('instructions', '', canonicalText(instructions));
}

/**
 * Combines definitions of one kind and name to one: the array of them, in the order in which they were listed. It is not known which of
 * them a client uses, so none can change, come, go or move unseen.
 *
 * @param definitions at least one; a single one stays as it is
 */
export function combineDefinitions(definitions: readonly [Definition, ...Definition[]]): Definition {
  const [first] = definitions;
  if (definitions.length === 1) return first;
  // An array from another page adds its elements: a listed definition is an object.
  const texts = definitions.map(({ text }) => (text.startsWith('[') ? text.slice(1, -1) : text));
  return withFingerprint(first.kind, first.name, `[${texts.join(',')}]`);
}

function withFingerprint(kind: DefinitionKind, name: string, text: string): Definition {
  return { kind, name, text, fingerprint: fingerprintOf(text) };
}

/** The beginning of a fingerprint, as people see and type it: enough to tell two apart, but not to trust one. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.replace(/^sha256:/, '').slice(0, 8);
}
