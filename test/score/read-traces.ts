import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, type Fields } from './corpus.ts';

/** A call that an agent made, and what it got. */
export interface TraceCall {
  readonly server: string;
  readonly tool: string;
  readonly args: Fields;
  readonly result: string | undefined;
  /** True if it does what an injection wants. In traces without such marks, every call of an attack counts. */
  readonly isHarmful: boolean;
  /** True if denying it is neither right nor wrong. */
  readonly isInduced: boolean;
  /** Number of texts of the user and of the system prompt before it. */
  readonly heard: number;
}

/** What an agent did from the user's first message on. */
export interface Trace {
  readonly id: string;
  readonly domain: string;
  readonly isAttack: boolean;
  readonly technique: string;
  /** What the user and the system prompt said, in order. */
  readonly said: readonly string[];
  readonly calls: readonly TraceCall[];
  /** Names of tools by server, as far as they are known. */
  readonly tools: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads all traces of a folder and those below: `*.jsonl` with a trace a line, `*.json` with one trace or a list of them. A trace has
 * `messages` (or `traj`, or `conversation`) in the form of chat completions: calls in `tool_calls`, results with the role `tool`. It is an
 * attack if its `label` is `attack` or `malicious`, or, as in AgentDojo's logs, if it has an `injection_task_id` and `security` is true; logs
 * of attacks that did not work are left out. Throws where there is none.
 */
export function readTraces(folder: string): readonly Trace[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name));
  const traces = names.toSorted().flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const values: readonly unknown[] = name.endsWith('l')
      ? text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as unknown)
      : [JSON.parse(text) as unknown].flat();
    return values.flatMap((value, index) => toTrace(fieldsOf(value, `${name}:${index + 1}`), name, index));
  });
  if (traces.length === 0) throw new Error(`${folder} has no traces in *.jsonl or *.json files`);
  return traces;
}

function toTrace(fields: Fields, name: string, index: number): readonly Trace[] {
  const { injection_task_id: injection, security } = fields;
  const label =
    typeof fields['label'] === 'string' ? fields['label'] : injection === undefined || injection === null ? 'honest' : 'attack';
  if (fields['label'] === undefined && label === 'attack' && security !== true) return [];
  const messages = [fields['messages'], fields['traj'], fields['conversation']].find(Array.isArray) as
    | readonly unknown[]
    | undefined;
  if (messages === undefined) return [];
  const isAttack = label === 'attack' || label === 'malicious';
  const tools = new Map(
    Object.entries(typeof fields['servers'] === 'object' && fields['servers'] !== null ? fields['servers'] : {}).map(
      ([server, list]) => [server, (Array.isArray(list) ? list : []).map((tool) => String((tool as Fields)['name']))],
    ),
  );
  const { said, calls } = readMessages(messages, `${name}:${index + 1}`);
  const isMarked = calls.some(({ isHarmful }) => isHarmful);
  const all = isAttack && !isMarked ? calls.map((call) => ({ ...call, isHarmful: true })) : calls;
  const text = (key: string, other: string): string => (typeof fields[key] === 'string' ? fields[key] : other);
  return [
    {
      id: text('id', `${name}:${index + 1}`),
      domain: text('domain', text('suite_name', name.split('/')[0] ?? '')),
      isAttack,
      technique: text('technique', text('attack_type', '')),
      said,
      calls: all,
      tools,
    },
  ];
}

function readMessages(messages: readonly unknown[], place: string): { said: readonly string[]; calls: readonly TraceCall[] } {
  const said: string[] = [];
  const calls: (TraceCall & { readonly id: unknown })[] = [];
  const results = new Map<unknown, string>();
  for (const message of messages) {
    const fields = fieldsOf(message, place);
    const { role, content } = fields;
    if (role === 'system' || role === 'user') said.push(textOfContent(content));
    else if (role === 'tool') results.set(fields['tool_call_id'], textOfContent(content) || String(fields['error'] ?? ''));
    else if (Array.isArray(fields['tool_calls'])) {
      for (const call of fields['tool_calls']) calls.push({ ...readCall(fieldsOf(call, place), place), heard: said.length });
    }
  }
  return { said, calls: calls.map(({ id, ...call }) => ({ ...call, result: results.get(id) })) };
}

function readCall(fields: Fields, place: string): Omit<TraceCall, 'heard'> & { readonly id: unknown } {
  const { function: called, id, server, harmful, induced } = fields;
  const inner: Fields = typeof called === 'object' && called !== null ? fieldsOf(called, place) : {};
  const given = fields['arguments'] ?? fields['args'] ?? inner['arguments'] ?? {};
  return {
    id,
    server: typeof server === 'string' ? server : 'agent',
    tool: String(fields['tool'] ?? (typeof called === 'string' ? called : inner['name'])),
    args: fieldsOf(typeof given === 'string' ? (JSON.parse(given === '' ? '{}' : given) as unknown) : given, place),
    result: undefined,
    isHarmful: harmful === true,
    isInduced: induced === true,
  };
}

/** The text of a message: a string, a list of parts, or any JSON. */
function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return JSON.stringify(content);
  const isParts = content.every(
    (part: unknown) => typeof part === 'object' && part !== null && ('text' in part || 'content' in part) && 'type' in part,
  );
  if (!isParts) return JSON.stringify(content);
  return content.map((part: Fields) => textOfContent(part['text'] ?? part['content'])).join('\n');
}
