import { isJsonObject } from '../core/json.ts';
import type { Message } from '../protocol/message.ts';
import { readObject } from './message-parts.ts';
import type { Source } from './source.ts';

/** Tasks of which is remembered what call they are; the oldest is forgotten first. */
const MOST_TASKS = 256;
const LONGEST_ID = 256;

/** Bytes that an answer with a task has at most; a result of the same call may have any number. */
const LONGEST_ANSWER = 16 * 1024;

const MARK = Buffer.from('"taskId"');
/** What the state of a task that is over is. */
const OVER = [Buffer.from('"completed"'), Buffer.from('"failed"')];

/** Notifications that may have what a task came to (MCP 2026-07-28, the tasks extension, and 2025-11-25). */
export const TASK_NEWS: ReadonlySet<string> = new Set(['notifications/tasks', 'notifications/tasks/status']);

/** Methods whose answers have what a task came to, and these. */
const METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', ...TASK_NEWS]);

/** Which calls go on as tasks: what they give comes later, as the answer to another request, by another connection or in a notification. */
export class Tasks {
  readonly #sources = new Map<string, Source>();

  /** Looks whether a call is answered with a task. */
  note(source: Source, message: Message): void {
    const { bytes, result } = message;
    if (result === undefined || result.end - result.start > LONGEST_ANSWER) return;
    if (!bytes.subarray(result.start, result.end).includes(MARK)) return;
    const answer = readObject(message, result);
    const task = isJsonObject(answer?.['task']) ? answer['task'] : answer;
    const id = task?.['taskId'];
    if (typeof id !== 'string' || id.length > LONGEST_ID) return;
    // Another task of that name is another one.
    this.#sources.delete(id);
    this.#sources.set(id, { ...source, isTask: true });
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > MOST_TASKS && oldest !== undefined) this.#sources.delete(oldest);
  }

  /** Does the answer to such a request, or such a notification, have what the task came to? Clients ask for its state again and again. */
  hasOutcome({ method, message }: { readonly method: string; readonly message: Message }): boolean {
    const { bytes, result = message.params } = message;
    if (result === undefined || method === 'tasks/result') return true;
    const said = bytes.subarray(result.start, result.end);
    return OVER.some((state) => said.includes(state));
  }

  /** The call whose task a request of the client's asks for, or a notification tells of, where it does. */
  sourceOf(message: Message): Source | undefined {
    if (this.#sources.size === 0 || !METHODS.has(message.method ?? '') || message.params === undefined) return undefined;
    const id = readObject(message, message.params)?.['taskId'];
    return typeof id === 'string' ? this.#sources.get(id) : undefined;
  }
}
