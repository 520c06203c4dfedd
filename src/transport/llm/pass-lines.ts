import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { LineSplitter } from '../../protocol/ndjson.ts';
import { judgeCall, type Judging } from './judge-call.ts';

const LINE_FEED = Buffer.of(0x0a);

export interface PassLinesOptions extends Judging {
  readonly api: ModelApi;
  /** Decoded. */
  readonly source: Readable;
  /** Its head has been written. */
  readonly response: ServerResponse;
  /** Bytes that a line may have. */
  readonly maxLine: number;
}

/** A line, as it came. */
interface Line {
  readonly bytes: Buffer;
  /** Behind it was a line feed. */
  readonly isEnded: boolean;
}

/**
 * Carries the results of a batch to the client, one answer a line, each as the verdicts on its calls say, and every other line in the bytes that it came
 * in: not all that is fetched like results has answers in it, or is text. What may have a call and can't be read ends them.
 */
export async function passLines(options: PassLinesOptions): Promise<void> {
  const { source, response, maxLine } = options;
  let lines: Line[] = [];
  let isBroken = false;
  const splitter = new LineSplitter(maxLine, () => (isBroken = true));
  const visit = (bytes: Buffer, start: number, end: number, next: number, release?: () => void): void => {
    lines.push({ bytes: Buffer.from(bytes.subarray(start, end)), isEnded: next > end });
    release?.();
  };
  const carryOver = async (): Promise<boolean> => {
    const ready = lines;
    lines = [];
    for (const line of ready) {
      const judged = await judgeLine(line, options);
      if (judged === undefined || response.destroyed) return false;
      const bytes = line.isEnded ? Buffer.concat([judged, LINE_FEED]) : judged;
      if (!response.write(bytes)) await drained(response);
    }
    return !isBroken;
  };
  try {
    for await (const chunk of source) {
      splitter.push(chunk as Buffer, visit);
      if (await carryOver()) continue;
      response.destroy();
      return;
    }
    splitter.end(visit);
    if (await carryOver()) response.end();
    else response.destroy();
  } catch {
    // The provider's answer broke off, and so does ours.
    response.destroy();
  }
}

async function judgeLine({ bytes }: Line, options: PassLinesOptions): Promise<Buffer | undefined> {
  const { api, gate } = options;
  const text = bytes.toString('utf8');
  if (text.trim() === '') return bytes;
  const calls = api.findCalls(text, 'line');
  // What is no UTF-8 some readers have as this text all the same, but nobody could write it anew.
  if (typeof calls === 'string' || (calls.length > 0 && !isUtf8(bytes))) return gate.isObserving ? bytes : undefined;
  const verdicts = await Promise.all(calls.map((call) => judgeCall(call, options)));
  return verdicts.every(({ isAllowed }) => isAllowed) ? bytes : Buffer.from(api.rewrite(text, verdicts, 'line'));
}

/** Resolves when more may be written, or nobody reads any more. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
