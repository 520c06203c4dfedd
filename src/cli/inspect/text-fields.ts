import { isUtf8 } from 'node:buffer';
import type { TextField } from '../../core/detect/types.ts';
import { isJsonObject, type JsonValue } from '../../core/json.ts';
import type { Skipped } from './item.ts';

export interface FoundTexts {
  readonly fields: readonly TextField[];
  readonly skipped: readonly Skipped[];
}

/** Members whose values say what something is, as the gate leaves them out too, and UTF-16 units of the longest that does. */
const ABOUT: ReadonlySet<string> = new Set(['type', 'mimeType', 'role', 'audience', 'lastModified', 'resultType', 'uri']);
const MOST_ABOUT = 256;

/** Members that hold bytes as base64, and characters from which on they are taken for that. */
const BINARY: ReadonlySet<string> = new Set(['data', 'blob']);
const LONG = 256;

/** UTF-16 units from which on a member's name may be data itself, and those that are kept of it in a field's name. */
const LONG_NAME = 24;
const MOST_NAME = 80;

interface Place {
  readonly value: JsonValue;
  readonly field: string;
  /** Of the member that holds it. */
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
      if (key !== undefined && ABOUT.has(key) && here.length <= MOST_ABOUT && !/\s/.test(here)) continue;
      const text = key !== undefined && BINARY.has(key) && here.length >= LONG ? textOfBytes(here) : here;
      if (text === undefined) skipped.push({ what: field, why: 'is no text' });
      else if (text !== '') fields.push({ field: field === '' ? 'text' : field, text });
    } else open.push(...membersOf(here, field, fields).toReversed());
  }
  return { fields, skipped };
}

/** What is in an object or an array; long names of members go to the texts. */
function membersOf(value: JsonValue, field: string, fields: TextField[]): Place[] {
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((element, i) => ({ value: element, field: `${field}[${i}]`, key: undefined }));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).map(([key, member]) => {
    const name = key.length > MOST_NAME ? `${key.slice(0, MOST_NAME)}…` : key;
    const path = field === '' ? name : `${field}.${name}`;
    if (key.length >= LONG_NAME) fields.push({ field: `${path} (name)`, text: key });
    return { value: member, field: path, key };
  });
}

/** Files of text may come as bytes too. */
function textOfBytes(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString() : undefined;
}
