import { isJsonObject, type JsonValue } from '../json.ts';
import type { TextField } from './types.ts';

/** A text of a definition; keys count as well. */
export interface DefinitionField extends TextField {
  /** True for a name of something, such as a parameter's. */
  readonly isName: boolean;
  /** True in a place for values, or one that nobody shows: an order does not belong there. */
  readonly isOdd: boolean;
}

/** Most texts of a definition that are inspected: nobody writes more, and each costs time. */
export const MOST_FIELDS = 20_000;

/** Keys of JSON Schema and of MCP, which all definitions have. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  (
    'name title description inputSchema outputSchema annotations _meta icons execution type properties required items enum default examples format pattern additionalProperties ' +
    'anyOf oneOf allOf not const minimum maximum minLength maxLength minItems maxItems uniqueItems exclusiveMinimum exclusiveMaximum multipleOf patternProperties propertyNames ' +
    '$schema $id $ref $defs definitions $comment if then else dependentRequired dependentSchemas prefixItems contains minContains maxContains unevaluatedProperties unevaluatedItems ' +
    'deprecated readOnly writeOnly contentEncoding contentMediaType minProperties maxProperties nullable readOnlyHint destructiveHint idempotentHint openWorldHint ' +
    'arguments uri uriTemplate mimeType size audience priority lastModified x-order'
  ).split(' '),
);

/** Keys whose values are no sentences. */
const PLAIN_VALUES: ReadonlySet<string> = new Set(['$schema', '$ref', '$id', 'pattern', 'format', 'mimeType', 'src', 'sizes']);

/** A text without a blank is no sentence; a definition is known by its name, and some clients show it. */
const HAS_BLANK = /\s/;

/** Matches keys whose lists hold values, not sentences: an order does not belong there. */
const LIST_OF_VALUES = /(?:^|\.)(?:enum|examples|required)$|type$/;

/** Keys whose values are sentences of documentation. */
const SENTENCE_KEYS: ReadonlySet<string> = new Set(['description', 'title', 'text', 'content', 'instructions']);

interface Place {
  readonly field: string;
  /** Empty for an element of a list. */
  readonly key: string;
  readonly value: JsonValue;
  readonly isInSchema: boolean;
  readonly isInList: boolean;
}

/** All texts of a definition, with their keys, in order. References are not followed. */
export function fieldsOf(value: JsonValue): readonly DefinitionField[] {
  const fields: DefinitionField[] = [];
  const open: Place[] = [{ field: '', key: '', value, isInSchema: false, isInList: false }];
  for (let place = open.pop(); place !== undefined && fields.length < MOST_FIELDS; place = open.pop()) {
    const { field, key } = place;
    if (typeof place.value === 'string') addText(fields, place, place.value);
    else openPlaces(open, place);
    if (!hasKnownKey(key)) fields.push({ field, text: namesAsWords(key), ...kindOfKey(key) });
  }
  return fields;
}

function addText(fields: DefinitionField[], { field, key, isInSchema, isInList }: Place, text: string): void {
  if ((field === 'name' || PLAIN_VALUES.has(key)) && !HAS_BLANK.test(text)) return;
  const isOdd = isInList || (isInSchema && !SENTENCE_KEYS.has(key));
  fields.push({ field: field === '' ? 'text' : field, text, isName: false, isOdd });
}

/**
 * Pushes the members, the last one first, as the stack reverses them. Members without text are skipped: a list may have a million numbers.
 */
function openPlaces(open: Place[], place: Place): void {
  const { field, key, value, isInSchema, isInList } = place;
  if (Array.isArray(value)) {
    const inList = isInList || LIST_OF_VALUES.test(key);
    for (let index = value.length - 1; index >= 0; index -= 1) {
      const entry = (value as readonly JsonValue[])[index];
      if (mayHaveText(entry)) open.push({ field: `${field}[${index}]`, key: '', value: entry, isInSchema, isInList: inList });
    }
    return;
  }
  if (!isJsonObject(value)) return;
  const inSchema = isInSchema || key.endsWith('Schema');
  const names = Object.keys(value);
  for (let index = names.length - 1; index >= 0; index -= 1) {
    const name = names[index] ?? '';
    const entry = value[name];
    if (entry === undefined || (!mayHaveText(entry) && hasKnownKey(name))) continue;
    open.push({ field: field === '' ? name : `${field}.${name}`, key: name, value: entry, isInSchema: inSchema, isInList });
  }
}

function mayHaveText(value: JsonValue | undefined): value is JsonValue {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function hasKnownKey(key: string): boolean {
  return key === '' || KNOWN_KEYS.has(key);
}

/** Least words of a key with blanks that make it a sentence; no name is one. */
const WORDS_OF_A_SENTENCE = 4;

function kindOfKey(key: string): Pick<DefinitionField, 'isName' | 'isOdd'> {
  const isSentence = /\s/.test(key) && key.split(/\s+/, WORDS_OF_A_SENTENCE).length === WORDS_OF_A_SENTENCE;
  return { isName: !isSentence, isOdd: isSentence };
}

const PLAIN_WORD = /^[a-z]*$/;

/** Splits `readPrivateKey` and `read_private_key` into words; text with spaces stays as it is. */
function namesAsWords(name: string): string {
  if (PLAIN_WORD.test(name) || name.includes(' ')) return name;
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
}
