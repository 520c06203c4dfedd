import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { LineSplitter } from '../../protocol/ndjson.ts';
import { judgeCall, type Judging } from './judge-call.ts';

const LINE_FEED = Buffer.of(0x0a);

export interface PassLinesOptions extends Judging {
  readonly api: ModelApi;
  /** The provider's answer, decoded. */
  readonly source: Readable;
  /** The response; its head has been written. */
  readonly response: ServerResponse;
  /** Most bytes of a line. */
  readonly maxLine: number;
}

/** A line, as it came. */
interface Line {
  readonly bytes: Buffer;
  /** True if a line feed followed. */
  readonly isEnded: boolean;
}

/**
 * Passes the results of a batch to the client, one answer per line, as the verdicts on its calls say. Other lines pass unchanged: not
 * everything that is fetched like results contains answers, or is text. A line that may contain a call but can't be parsed ends the
 * response.
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
    options.secrets?.report();
    if (await carryOver()) response.end();
    else response.destroy();
  } catch {
    // The provider's answer was cut off, so ours is too.
    response.destroy();
  }
}

async function judgeLine({ bytes }: Line, options: PassLinesOptions): Promise<Buffer | undefined> {
  const { api, gate, secrets } = options;
  const given = bytes.toString('utf8');
  if (given.trim() === '') return bytes;
  const text = isUtf8(bytes) ? (secrets?.restoreAnswer(given, 'line') ?? given) : given;
  const calls = api.findCalls(text, 'line');
  // Some readers decode invalid UTF-8 to this text all the same, but it can't be rewritten.
  if (typeof calls === 'string' || (calls.length > 0 && !isUtf8(bytes))) return gate.isObserving ? bytes : undefined;
  const verdicts = await Promise.all(calls.map((call) => judgeCall(call, options)));
  return verdicts.every(({ isAllowed }) => isAllowed) && text === given
    ? bytes
    : Buffer.from(api.rewrite(text, verdicts, 'line'));
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
