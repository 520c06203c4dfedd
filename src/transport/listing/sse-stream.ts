import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../core/json.ts';
import { parseMessage, readEvents } from './read-answer.ts';

/** Most characters before the first event, an honest server sends a comment at most; and most characters of a stream. */
const MOST_BEFORE_EVENT = 64 * 1024;
const MOST = 64 * 1024 * 1024;

type StreamEvent = Parameters<Parameters<typeof readEvents>[0]>[0];

/** The stream of HTTP+SSE (MCP 2024-11-05), by which all answers of a server come. */
export class SseStream {
  /** The address for messages, as the server announces it. */
  readonly endpoint: string;
  readonly #response: IncomingMessage;
  readonly #answers = new Map<unknown, (answer: JsonObject | undefined) => void>();
  #isOver = false;

  private constructor(response: IncomingMessage, endpoint: string) {
    this.#response = response;
    this.endpoint = endpoint;
  }

  /** Reads the beginning of a stream; undefined if it names no address, and is closed then. Rejects if the stream breaks before. */
  static open(response: IncomingMessage): Promise<SseStream | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<SseStream | undefined>();
    let stream: SseStream | undefined;
    let length = 0;
    const begin = ({ event, data }: StreamEvent): void => {
      stream = event === 'endpoint' ? new SseStream(response, data) : undefined;
      resolve(stream);
      if (stream === undefined) response.destroy();
    };
    const feed = readEvents((event) => (stream === undefined ? begin(event) : stream.#take(event)));
    const end = (): void => {
      resolve(undefined);
      stream?.close();
    };
    response.setEncoding('utf8');
    response.on('error', (error) => {
      reject(error);
      end();
    });
    response.on('close', end);
    response.on('data', (chunk: string) => {
      length += chunk.length;
      if (length <= (stream === undefined ? MOST_BEFORE_EVENT : MOST)) feed(chunk);
      else {
        response.destroy();
        end();
      }
    });
    return promise;
  }

  /** The answer to the request with this id; undefined if the stream ends before. */
  answerTo(id: unknown): Promise<JsonObject | undefined> {
    return this.#isOver ? Promise.resolve(undefined) : new Promise((resolve) => this.#answers.set(id, resolve));
  }

  close(): void {
    this.#isOver = true;
    this.#response.destroy();
    for (const settle of this.#answers.values()) settle(undefined);
    this.#answers.clear();
  }

  #take({ data }: StreamEvent): void {
    const message = parseMessage(data);
    if (message === undefined || message['method'] !== undefined) return;
    this.#answers.get(message['id'])?.(message);
    this.#answers.delete(message['id']);
  }
}
