import type { JsonPath, JsonSyntax } from './client.ts';

/** Why a text was not read or not edited; line and column are 1-based, in UTF-16 code units, a byte order mark not counted. */
export interface JsonProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/**
 * One value to change. `value` is written in the file's own style; `raw` is written as it is, which is how an earlier edit is undone;
 * `absent` removes the member with one comma. Where the member does not exist yet it is put behind its sibling `after`, else last.
 */
export interface JsonEdit {
  readonly path: JsonPath;
  readonly to: { readonly value: JsonValue } | { readonly raw: string } | { readonly absent: true };
  /** Key of the sibling behind which a new member goes. */
  readonly after?: string | undefined;
}

/** What an edit did: the exact text of the value before and after, undefined where the member was or is absent. */
export interface JsonChange {
  readonly path: JsonPath;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export type JsonEditResult =
  | { readonly ok: true; readonly text: string; readonly changes: readonly JsonChange[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * Changes the bytes of the named values and no others. All edits succeed or none; paths must lead to an existing object, without duplicate
 * keys on the way, and no edit may lie within another. The text must be what `syntax` allows.
 */
export function editJson(_text: string, _syntax: JsonSyntax, _edits: readonly JsonEdit[]): JsonEditResult {
  throw new Error('not written yet');
}

/** The edits that take changes back: on the text that they made, the result is the text before, byte for byte. */
export function undoEdits(changes: readonly JsonChange[]): readonly JsonEdit[] {
  return changes.map(({ path, before }) => ({ path, to: before === undefined ? { absent: true } : { raw: before } }));
}
