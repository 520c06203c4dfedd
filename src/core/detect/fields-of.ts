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

interface Place {
  readonly field: string;
  readonly key: string;
  readonly value: JsonValue;
}

/** All texts of a definition, with their keys, in their order. References are not followed. */
export function fieldsOf(value: JsonValue): readonly DefinitionField[] {
  const fields: DefinitionField[] = [];
  const open: Place[] = [{ field: '', key: '', value }];
  while (open.length > 0 && fields.length < MOST_FIELDS) {
    const place = open.pop();
    if (place === undefined) break;
    if (typeof place.value === 'string') fields.push(...fieldsOfText(place, place.value));
    else open.push(...placesIn(place).toReversed());
    if (place.key !== '' && !KNOWN_KEYS.has(place.key))
      fields.push({ field: place.field, text: namesAsWords(place.key), ...kindOfKey(place.key) });
  }
  return fields;
}

function fieldsOfText({ field, key }: Place, text: string): readonly DefinitionField[] {
  if (PLAIN_VALUES.has(key) && !text.includes(' ')) return [];
  if (field === 'name') return [];
  return [{ field: field === '' ? 'text' : field, text, isName: false, isOdd: isOddPlace(field, key) }];
}

/** Where a sentence of documentation stands. */
const SENTENCE_KEYS: ReadonlySet<string> = new Set(['description', 'title', 'text', 'content', 'instructions']);
const LISTS_OF_VALUES = ['.enum[', '.examples[', '.required[', 'type['];

function isOddPlace(field: string, key: string): boolean {
  if (LISTS_OF_VALUES.some((part) => field.includes(part))) return true;
  return field.includes('Schema.') && !SENTENCE_KEYS.has(key);
}

function placesIn({ field, value }: Place): readonly Place[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((entry, index) => ({ field: `${field}[${index}]`, key: '', value: entry }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, entry]) => ({ field: field === '' ? key : `${field}.${key}`, key, value: entry }));
}

/** Words from which on a key with blanks in it is a sentence, which no name is. */
const WORDS_OF_A_SENTENCE = 4;

function kindOfKey(key: string): Pick<DefinitionField, 'isName' | 'isOdd'> {
  const isSentence = key.split(/\s+/, WORDS_OF_A_SENTENCE).length === WORDS_OF_A_SENTENCE;
  return { isName: !isSentence, isOdd: isSentence };
}

/** `readPrivateKey` and `read_private_key` as words; anything with spaces as it is. */
function namesAsWords(name: string): string {
  if (name.includes(' ')) return name;
  return name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_-]+/g, ' ');
}
