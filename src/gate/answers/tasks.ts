import { isJsonObject } from '../../core/json.ts';
import type { Message } from '../../protocol/message.ts';
import { readObject } from '../messages/message-parts.ts';
import type { Source } from '../recorder.ts';

/** Tasks of which is remembered what call they are; the oldest is forgotten first. */
const MOST_TASKS = 1024;
const LONGEST_ID = 256;

/** Bytes that an answer with a task has at most, and one that says how it stands; a result of the same call may have any number. */
const LONGEST_ANSWER = 16 * 1024;

const MARK = Buffer.from('"taskId"');
/** Members of an answer that says no more than how a task stands (2025-11-25, and the tasks extension of 2026-07-28). */
const STATE: ReadonlySet<string> = new Set(
  'task resultType taskId status createdAt lastUpdatedAt ttl ttlMs pollInterval pollIntervalMs'.split(' '),
);
const STATUS = /^[a-z_]{1,16}$/;

/** Notifications that may have what a task came to (MCP 2026-07-28, the tasks extension, and 2025-11-25). */
export const TASK_NEWS: ReadonlySet<string> = new Set(['notifications/tasks', 'notifications/tasks/status']);

/** Lists all tasks. */
const LIST = 'tasks/list';

/** Methods whose answers may have what a task came to, or how far it has come. */
export const TASK_METHODS: ReadonlySet<string> = new Set(['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel', LIST]);

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

  /** Does the answer to such a request, or such a notification, say more than how the task stands? Clients ask for its state again and again. */
  hasOutcome({ method, message }: { readonly method: string; readonly message: Message }): boolean {
    const { result = message.params } = message;
    if (result === undefined || method === 'tasks/result' || result.end - result.start > LONGEST_ANSWER) return true;
    const answer = readObject(message, result);
    if (answer === undefined) return true;
    const task = isJsonObject(answer['task']) ? { ...answer, ...answer['task'] } : answer;
    return !STATUS.test(String(task['status'])) || Object.keys(task).some((key) => !STATE.has(key));
  }

  /** The call whose task a request of the client's asks for, or a notification tells of, where it does. */
  sourceOf(message: Message): Source | undefined {
    const { method = '' } = message;
    if (this.#sources.size === 0 || !(TASK_METHODS.has(method) || TASK_NEWS.has(method))) return undefined;
    // What any of them came to may flow from this server, whichever it is.
    if (method === LIST) return [...this.#sources.values()].at(-1);
    if (message.params === undefined) return undefined;
    const id = readObject(message, message.params)?.['taskId'];
    return typeof id === 'string' ? this.#sources.get(id) : undefined;
  }
}
