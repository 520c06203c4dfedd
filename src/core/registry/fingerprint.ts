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

/** Can this be what `fingerprintOf` returned? */
export function isFingerprint(text: string): boolean {
  return FINGERPRINT.test(text);
}

/** The name by which a definition is known, of any length; undefined where it has none, or is no object. */
export function definitionName(kind: Exclude<DefinitionKind, 'instructions'>, value: JsonValue): string | undefined {
  const name = isJsonObject(value) && Object.hasOwn(value, NAME_MEMBERS[kind]) ? value[NAME_MEMBERS[kind]] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/**
 * One element of a list: whatever member changes, the fingerprint does, but for what changes with a resource's contents. Undefined where it
 * has no name.
 */
export function toDefinition(kind: Exclude<DefinitionKind, 'instructions'>, value: JsonValue): Definition | undefined {
  const name = definitionName(kind, value);
  if (name === undefined) return undefined;
  return withFingerprint(kind, name, canonicalText(kind === 'resource' ? withoutState(value) : value));
}

/** Nothing that could be read as words. */
function isDate(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && /^[\d:.TZ+-]{4,40}$/i.test(value);
}

/** A file that was written to is declared with another size and date (MCP, Resource): it is the same resource. */
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

/** What a server tells the model when it is greeted. */
export function instructionsDefinition(instructions: string): Definition {
  return withFingerprint('instructions', '', canonicalText(instructions));
}

/**
 * Definitions of one kind and name as one: the array of them, in the order in which they were listed. Which of them a client goes by is
 * not known, so none can change, come, go or change places unseen.
 *
 * @param definitions at least one; one alone stays as it is
 */
export function combineDefinitions(definitions: readonly [Definition, ...Definition[]]): Definition {
  const [first] = definitions;
  if (definitions.length === 1) return first;
  // One that is such an array already, from another page, adds its elements: a definition that was listed is an object.
  const texts = definitions.map(({ text }) => (text.startsWith('[') ? text.slice(1, -1) : text));
  return withFingerprint(first.kind, first.name, `[${texts.join(',')}]`);
}

function withFingerprint(kind: DefinitionKind, name: string, text: string): Definition {
  return { kind, name, text, fingerprint: fingerprintOf(text) };
}

/** The beginning of a fingerprint, as people see and type it: enough to tell two by eye, and not to trust one by. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.replace(/^sha256:/, '').slice(0, 8);
}
