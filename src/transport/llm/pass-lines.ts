import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ModelApi } from '../../protocol/llm/model-api.ts';
import { LineSplitter } from '../../protocol/ndjson.ts';
import { judgeCall, type Judging } from './judge-call.ts';

export interface PassLinesOptions extends Judging {
  readonly api: ModelApi;
  /** Decoded. */
  readonly source: Readable;
  /** Its head has been written. */
  readonly response: ServerResponse;
  /** Bytes that a line may have. */
  readonly maxLine: number;
}

/** Carries the results of a batch to the client, one answer a line, each as the verdicts on its calls say. What can't be read ends them. */
export async function passLines(options: PassLinesOptions): Promise<void> {
  const { source, response, maxLine } = options;
  let lines: string[] = [];
  let isBroken = false;
  const splitter = new LineSplitter(maxLine, () => (isBroken = true));
  const visit = (bytes: Buffer, start: number, end: number, _next: number, release?: () => void): void => {
    const line = bytes.subarray(start, end);
    if (isUtf8(line)) lines.push(line.toString('utf8'));
    else isBroken = true;
    release?.();
  };
  const carryOver = async (): Promise<boolean> => {
    const ready = lines;
    lines = [];
    for (const line of ready) {
      const judged = await judgeLine(line, options);
      if (judged === undefined || response.destroyed) return false;
      if (!response.write(`${judged}\n`)) await drained(response);
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

async function judgeLine(line: string, options: PassLinesOptions): Promise<string | undefined> {
  const { api } = options;
  if (line.trim() === '') return line;
  const calls = api.findCalls(line, 'line');
  if (typeof calls === 'string') return undefined;
  const verdicts = await Promise.all(calls.map((call) => judgeCall(call, options)));
  return verdicts.every(({ isAllowed }) => isAllowed) ? line : api.rewrite(line, verdicts, 'line');
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
