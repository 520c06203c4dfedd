import { isObject, type JsonObject, textOf } from '../../json-object.ts';
import type { DeniedCall } from '../../model-api.ts';
import { whyOf } from '../../note.ts';
import { callKindOf } from './call-kinds.ts';

/** Returns a denied call as an item; undefined if another API's model made it. */
export function itemOfDenied({ text }: Pick<DeniedCall, 'text'>): JsonObject | undefined {
  const item: unknown = JSON.parse(text);
  return isObject(item) && callKindOf(item['type'])?.result !== undefined ? item : undefined;
}

/** Formats the item that tells the model that a call was denied. @param item the call, as `itemOfDenied` returns it */
export function formatDenial(item: JsonObject, { id, note }: Pick<DeniedCall, 'id' | 'note'>): string {
  const { type, caller = null } = item;
  const why = whyOf(note);
  // The result for a program must name the program.
  const head = { type: callKindOf(type)?.result, call_id: id, ...(caller === null ? {} : { caller }) };
  return JSON.stringify(resultBy(item, { head, id, why }));
}

function resultBy(
  item: JsonObject,
  { head, id, why }: { readonly head: object; readonly id: string; readonly why: string },
): JsonObject {
  const type = textOf(item['type']);
  switch (type) {
    case 'shell_call': {
      const action = isObject(item['action']) ? item['action'] : {};
      const { commands, max_output_length: most = null } = action;
      const output = { stdout: '', stderr: why, outcome: { type: 'exit', exit_code: 1 } };
      const count = Array.isArray(commands) ? Math.max(commands.length, 1) : 1;
      return {
        ...head,
        ...(most === null ? {} : { max_output_length: most }),
        output: Array.from({ length: count }, () => output),
      };
    }
    case 'local_shell_call':
      return { type: 'local_shell_call_output', id, output: JSON.stringify({ output: why, metadata: { exit_code: 1 } }) };
    case 'apply_patch_call':
      return { ...head, status: 'failed', output: why };
    case 'tool_search_call':
      return { type: 'tool_search_output', call_id: id, execution: 'client', status: 'completed', tools: [] };
    case 'mcp_approval_request':
      return { type: 'mcp_approval_response', approval_request_id: id, approve: false, reason: why };
    default:
      return { ...head, output: why };
  }
}
