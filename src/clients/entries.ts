import type { JsonPath, Location } from './client.ts';
import type { JsonEdit, JsonProblem } from './edit-json.ts';

/** One server of a config file, whatever its client's shape. */
export interface Entry {
  /** Where the entry is, e.g. `['mcpServers', 'github']`. */
  readonly path: JsonPath;
  /** The last part of the path: the key by which the client knows the server. */
  readonly name: string;
  /** `other`: well-formed, but neither a process nor a URL, e.g. provided by an extension. `malformed`: see `problem`; never touched. */
  readonly kind: 'stdio' | 'remote' | 'other' | 'malformed';
  readonly isDisabled: boolean;
  readonly command?: string | undefined;
  /** Empty where the entry has none. */
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  /** The key that holds the URL. */
  readonly urlKey?: string | undefined;
  /** The entry's `type`, if it is a string. */
  readonly type?: string | undefined;
  /** All keys of the entry, in order. */
  readonly keys: readonly string[];
  /** Where command and args are; they need not exist. Both the same for an argv array. */
  readonly commandPath?: JsonPath | undefined;
  readonly argsPath?: JsonPath | undefined;
  /** Exact text of those values as in the file; undefined where absent. */
  readonly rawCommand?: string | undefined;
  readonly rawArgs?: string | undefined;
  /** Why it is malformed or other. */
  readonly problem?: string | undefined;
  /** 1-based line of the entry's key. */
  readonly line: number;
}

export type EntriesResult =
  | { readonly ok: true; readonly entries: readonly Entry[] }
  | { readonly ok: false; readonly problem: JsonProblem };

/** The servers of a config file, in its order. An empty text has none; a text that its client could not read is a problem. */
export function readEntries(_text: string, _location: Location): EntriesResult {
  throw new Error('not written yet');
}

/** The edits that give an entry of kind `stdio` another command line. */
export function rewriteCommand(
  _entry: Entry,
  _to: { readonly command: string; readonly args: readonly string[] },
): readonly JsonEdit[] {
  throw new Error('not written yet');
}

/** The edit that gives an entry of kind `remote` another URL, under the key it has. */
export function rewriteUrl(_entry: Entry, _url: string): readonly JsonEdit[] {
  throw new Error('not written yet');
}
