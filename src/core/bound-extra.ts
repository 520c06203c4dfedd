import { isJsonObject, type JsonObject } from './json.ts';

/**
 * Members of `_meta` by which clients and their tracing find a call again: another one each time, and no part of what is asked for. It is
 * the client program that writes them, not the model.
 */
const EACH_TIME: ReadonlySet<string> = new Set([
  'progressToken',
  'traceparent',
  'tracestate',
  'claudecode/toolUseId',
  'callId',
  'x-codex-turn-metadata',
  'vscode.conversationId',
  'vscode.requestId',
]);

/** What of a call's other parameters a yes is to; undefined where there is nothing. */
export function boundExtra(extra: JsonObject | undefined): JsonObject | undefined {
  return withoutMeta(extra, EACH_TIME);
}

/** The same without these members of `_meta`; undefined where nothing is left. */
export function withoutMeta(extra: JsonObject | undefined, names: ReadonlySet<string>): JsonObject | undefined {
  if (extra === undefined) return undefined;
  const meta = extra['_meta'];
  if (!isJsonObject(meta)) return extra;
  const { _meta: _, ...others } = extra;
  const left = Object.entries(meta).filter(([name]) => !names.has(name));
  const rest: JsonObject = left.length === 0 ? others : { ...others, _meta: Object.fromEntries(left) };
  return Object.keys(rest).length === 0 ? undefined : rest;
}
