import { isJsonObject } from '../../core/json.ts';
import type { Message } from '../../protocol/message.ts';
import { readObject } from '../messages/message-parts.ts';
import type { ForwardedCall } from '../recorder.ts';

/** Tasks whose calls are remembered; the oldest is forgotten first. */
const MOST_TASKS = 1024;
const LONGEST_ID = 256;

/** Most bytes of an answer with a task, or of one that tells its state; a call's result may have any number. */
const LONGEST_ANSWER = 16 * 1024;

const MARK = Buffer.from('"taskId"');
/** Members of an answer that tells only a task's state (2025-11-25, and the tasks extension of 2026-07-28). */
const STATE: ReadonlySet<string> = new Set(
  'task resultType taskId status createdAt lastUpdatedAt ttl ttlMs pollInterval pollIntervalMs'.split(' '),
);
const STATUS = /^[a-z_]{1,16}$/;

/** Notifications that may carry a task's result (MCP 2026-07-28, the tasks extension, and 2025-11-25). */
export const TASK_NEWS: ReadonlySet<string> = new Set(['notifications/tasks', 'notifications/tasks/status']);

const LIST = 'tasks/list';

/** Methods whose answers may carry a task's result or its progress. */
export const TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel', LIST]);

/**
 * Remembers which calls go on as tasks: their results come later, as the answer to another request, by another connection or in a
 * notification.
 */
export class Tasks {
  readonly #sources = new Map<string, ForwardedCall>();

  /** Notes a call that is answered with a task. */
  note(source: ForwardedCall, message: Message): void {
    const { bytes, result } = message;
    if (result === undefined || result.end - result.start > LONGEST_ANSWER) return;
    if (!bytes.subarray(result.start, result.end).includes(MARK)) return;
    const answer = readObject(message, result);
    const task = isJsonObject(answer?.['task']) ? answer['task'] : answer;
    const id = task?.['taskId'];
    if (typeof id !== 'string' || id.length > LONGEST_ID) return;
    // Deleting first moves a reused id to the end.
    this.#sources.delete(id);
    this.#sources.set(id, { ...source, isTask: true });
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > MOST_TASKS && oldest !== undefined) this.#sources.delete(oldest);
  }

  /** Tells whether an answer or notification carries more than a task's state, which clients poll again and again. */
  hasOutcome({ method, message }: { readonly method: string; readonly message: Message }): boolean {
    const { result = message.params } = message;
    if (result === undefined || method === 'tasks/result' || result.end - result.start > LONGEST_ANSWER) return true;
    const answer = readObject(message, result);
    if (answer === undefined) return true;
    const task = isJsonObject(answer['task']) ? { ...answer, ...answer['task'] } : answer;
    return !STATUS.test(String(task['status'])) || Object.keys(task).some((key) => !STATE.has(key));
  }

  /** The call whose task a client's request asks for or a notification is about, if known. */
  sourceOf(message: Message): ForwardedCall | undefined {
    const { method = '' } = message;
    if (this.#sources.size === 0 || !(TASK_METHODS.has(method) || TASK_NEWS.has(method))) return undefined;
    // A list may carry the result of any task; which one does not matter, since all flow from this server.
    if (method === LIST) return [...this.#sources.values()].at(-1);
    if (message.params === undefined) return undefined;
    const id = readObject(message, message.params)?.['taskId'];
    return typeof id === 'string' ? this.#sources.get(id) : undefined;
  }
}
