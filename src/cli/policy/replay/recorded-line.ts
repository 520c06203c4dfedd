import { CALL_TYPES, EVENT_TYPES } from '../../../audit/event-types.ts';
import { parseBody } from '../../../audit/event-columns.ts';

/** What changes what is trusted. */
export const CHANGE_TYPES = ['mcp_tool_changed', 'mcp_server_changed'] as const;

/** What one event is to a replay. `problem` is half a sentence. */
export type RecordedLine =
  | { readonly kind: 'call'; readonly body: string }
  | { readonly kind: 'change'; readonly server: string; readonly tool: string | undefined; readonly time: number }
  | { readonly kind: 'erased' | 'other' }
  | { readonly kind: 'unreadable'; readonly problem: string };

const CALLS: ReadonlySet<string> = new Set(CALL_TYPES);
const CHANGES: ReadonlySet<string> = new Set(CHANGE_TYPES);
const EVENTS: ReadonlySet<string> = new Set(EVENT_TYPES);

/** Our events begin like this, and reading all of one only to see its type would take as long as all else. */
const TYPE = /^\{"type":"(\w+)"/;

/** Reads a line of `clawai log export`, of `clawai log --calls --json`, or of `events.jsonl`. */
export function readRecordedLine(line: string): RecordedLine {
  if (!line.startsWith('{"writer":')) return readEvent(line);
  const exported = parseBody(line);
  if (exported === undefined) return { kind: 'unreadable', problem: 'it is no JSON object' };
  if ('checkpoint' in exported) return { kind: 'other' };
  const { event, body } = exported;
  if (typeof body === 'string') return readEvent(body);
  if (event === null) return { kind: 'erased' };
  const at = line.indexOf('"event":');
  // Numbers in it have to stay as they were sent.
  return event === undefined || at === -1
    ? { kind: 'unreadable', problem: 'it has no event' }
    : readEvent(line.slice(at + '"event":'.length, line.lastIndexOf('}')));
}

/** @param body an event as it is stored */
export function readEvent(body: string): RecordedLine {
  const quick = TYPE.exec(body)?.[1];
  if (quick !== undefined && CALLS.has(quick)) return { kind: 'call', body };
  const fields = parseBody(body);
  if (fields === undefined) return { kind: 'unreadable', problem: 'it is no JSON object' };
  const { type, server_id: server, tool_name: tool, timestamp } = fields;
  if (typeof type !== 'string' || !EVENTS.has(type)) return { kind: 'unreadable', problem: 'it is no event of clawai' };
  if (CALLS.has(type)) return { kind: 'call', body };
  if (!CHANGES.has(type) || typeof server !== 'string') return { kind: 'other' };
  const isTool = typeof tool === 'string';
  // What has changed is a resource, a prompt or what the server says of itself.
  if (type === 'mcp_tool_changed' && !isTool && fields['kind'] !== 'instructions') return { kind: 'other' };
  return { kind: 'change', server, tool: isTool ? tool : undefined, time: Date.parse(String(timestamp)) };
}
