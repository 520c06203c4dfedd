import { isJsonObject, type JsonValue } from '../json.ts';
import type { TextField } from './types.ts';

/** A text of a definition; a key counts as one as well. */
export interface DefinitionField extends TextField {
  /** It is a name of something, such as a parameter's, and no sentence. */
  readonly isName: boolean;
  /** It stands where definitions have values, or what nobody shows: an order has no business there. */
  readonly isOdd: boolean;
}

/** A definition with more texts than this is not looked at further: nobody writes such, and each costs time. */
export const MOST_FIELDS = 20_000;

/** Keys of JSON Schema and of MCP: everybody's definitions have them. */
const KNOWN_KEYS: ReadonlySet<string> = new Set(
  (
    'name title description inputSchema outputSchema annotations _meta icons execution type properties required items enum default examples format pattern additionalProperties ' +
    'anyOf oneOf allOf not const minimum maximum minLength maxLength minItems maxItems uniqueItems exclusiveMinimum exclusiveMaximum multipleOf patternProperties propertyNames ' +
    '$schema $id $ref $defs definitions $comment if then else dependentRequired dependentSchemas prefixItems contains minContains maxContains unevaluatedProperties unevaluatedItems ' +
    'deprecated readOnly writeOnly contentEncoding contentMediaType minProperties maxProperties nullable readOnlyHint destructiveHint idempotentHint openWorldHint ' +
    'arguments uri uriTemplate mimeType size audience priority lastModified x-order'
  ).split(' '),
);

/** Names whose own words are those of a schema: their values are no sentences. */
const PLAIN_VALUES: ReadonlySet<string> = new Set(['$schema', '$ref', '$id', 'pattern', 'format', 'mimeType', 'src', 'sizes']);

/** What has none is no sentence; a definition is known by its name, and some are shown by it. */
const HAS_BLANK = /\s/;

/** Lists of what a parameter may be, not of sentences: an order in one of them stands where no order should. */
const LIST_OF_VALUES = /(?:^|\.)(?:enum|examples|required)$|type$/;

/** Where a sentence of documentation stands. */
const SENTENCE_KEYS: ReadonlySet<string> = new Set(['description', 'title', 'text', 'content', 'instructions']);

interface Place {
  readonly field: string;
  /** Empty for an element of a list. */
  readonly key: string;
  readonly value: JsonValue;
  readonly isInSchema: boolean;
  readonly isInList: boolean;
}

/** All texts of a definition, with their keys, in their order. References are not followed. */
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

/** What is within, the last one first, as the stack gives it back. What has no text is left out: a list may have a million numbers. */
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

/** Words from which on a key with blanks in it is a sentence, which no name is. */
const WORDS_OF_A_SENTENCE = 4;

function kindOfKey(key: string): Pick<DefinitionField, 'isName' | 'isOdd'> {
  const isSentence = /\s/.test(key) && key.split(/\s+/, WORDS_OF_A_SENTENCE).length === WORDS_OF_A_SENTENCE;
  return { isName: !isSentence, isOdd: isSentence };
}

const PLAIN_WORD = /^[a-z]*$/;

/** `readPrivateKey` and `read_private_key` as words; anything with spaces as it is. */
function namesAsWords(name: string): string {
  if (PLAIN_WORD.test(name) || name.includes(' ')) return name;
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
}
