import type { IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';

/** Most bytes of an answer. */
const MOST_BYTES = 32 * 1024 * 1024;

/** A server's answer to one request of ours. */
export interface Answer {
  readonly status: number;
  readonly session: string | undefined;
  readonly message: JsonObject | undefined;
  /** Characters that were read. */
  readonly length: number;
}

/** Reads until the answer to the request arrives; other events of the stream are ignored. */
export function readAnswer(response: IncomingMessage, id: unknown): Promise<Answer> {
  const status = response.statusCode ?? 0;
  const header = response.headers['mcp-session-id'];
  const session = typeof header === 'string' ? header : undefined;
  const isStream = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
  return new Promise((resolve, reject) => {
    let text = '';
    let length = 0;
    const settle = (message: Answer['message']): void => {
      resolve({ status, session, message, length });
      response.destroy();
    };
    const feed = readEvents(({ data }) => {
      const message = parseMessage(data);
      if (message?.['id'] === id && message?.['method'] === undefined) settle(message);
    });
    response.setEncoding('utf8');
    response.on('error', reject);
    response.on('data', (chunk: string) => {
      length += chunk.length;
      if (length > MOST_BYTES) response.destroy(new Error('its answer is too long'));
      else if (isStream) feed(chunk);
      else text += chunk;
    });
    response.on('end', () => settle(isStream ? undefined : parseMessage(text)));
  });
}

/** Reads a stream of events. @returns takes the next part of its text */
export function readEvents(onEvent: (event: EventSourceMessage) => void): (text: string) => void {
  const parser = createParser({ onEvent });
  return (text) => parser.feed(text);
}

/** Parses a message; undefined if the text is not an object. */
export function parseMessage(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The text is not a message.
    return undefined;
  }
}
