import { type Fields, textOf, objectsOf } from '../../log/event-fields.ts';

/** Hex digits of a fingerprint that tell two apart by eye. */
const SHORT_HASH = 8;

/**
 * Describes what an event says of a definition, or of how a server is started; undefined for other events, and if it says nothing. Texts
 * are as recorded, and fields that an edit has given another type are left out.
 */
export function describeNews(type: string, fields: Fields): string | undefined {
  const parts = partsOf(type, fields).filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join(', ');
}

function partsOf(type: string, fields: Fields): string[] {
  if (type === 'mcp_tool_seen') return describeSeen(fields);
  if (type !== 'mcp_tool_changed' && type !== 'mcp_server_changed') return [];
  return [kindOf(fields), hashesOf(fields), ...changesOf(fields), foundIn(fields)];
}

function describeSeen(fields: Fields): string[] {
  const owners = objectsOf(fields, 'look_alikes').map((owner) => `${textOf(owner, 'server_id')}:${textOf(owner, 'tool_name')}`);
  const description = textOf(fields, 'description');
  return [
    textOf(fields, 'status'),
    kindOf(fields),
    named('was', textOf(fields, 'renamed_from')),
    named('looks like', owners.join(' and ')),
    textOf(fields, 'problem'),
    foundIn(fields),
    shortHash(textOf(fields, 'tool_hash')),
    description === '' ? '' : JSON.stringify(description),
  ];
}

/** A tool is what most are. */
function kindOf(fields: Fields): string {
  const kind = textOf(fields, 'kind');
  return kind === 'tool' ? '' : kind.replace('_', ' ');
}

/** The rules by which something was found, as the registry's list has them. */
function foundIn(fields: Fields): string {
  const rules = objectsOf(fields, 'detections').map((found) => `${textOf(found, 'severity')} ${textOf(found, 'pattern')}`);
  return named('found', [...new Set(rules)].join(' and '));
}

function hashesOf(fields: Fields): string {
  const hashes = [textOf(fields, 'previous_hash'), textOf(fields, 'new_hash')].map(shortHash);
  return hashes.includes('') ? '' : hashes.join(' → ');
}

function changesOf(fields: Fields): string[] {
  return objectsOf(fields, 'changes').map((change) => {
    const { previous, new: next } = change;
    if (typeof previous !== 'string' && typeof next !== 'string') return textOf(change, 'field');
    return `${textOf(change, 'field')}: ${sideOf(previous)} → ${sideOf(next)}`;
  });
}

/** JSON as it is, and all else quoted: no text of a server's looks like another change, or breaks the line. */
function sideOf(value: unknown): string {
  if (typeof value !== 'string') return '(none)';
  try {
    JSON.parse(value);
    return value;
  } catch {
    // The value is no JSON: a text, or JSON that was cut.
    return JSON.stringify(value);
  }
}

function named(word: string, text: string): string {
  return text === '' ? '' : `${word} ${text}`;
}

function shortHash(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, SHORT_HASH);
}
