import {
  type CallVerdict,
  createSplitter,
  type Framing,
  type ModelCall,
  type ModelStream,
  type NameVerdict,
  type StreamOptions,
} from '../../src/protocol/llm/dialect.ts';
import { STRIDE } from './runs.ts';

export interface Driving {
  readonly create: (options: StreamOptions) => ModelStream;
  /** What a name settles; `allow` unless told otherwise. */
  readonly nameVerdict?: (call: ModelCall) => NameVerdict;
  /** What becomes of a call that is complete; allowed unless told otherwise. */
  readonly verdict?: (call: ModelCall) => CallVerdict;
  /** When answers come: at once, with the next chunk, or after everything has come. */
  readonly answers?: 'at once' | 'next chunk' | 'after the end';
  readonly maxHeld?: number;
  /** As server-sent events, unless said otherwise. */
  readonly framing?: Framing;
  readonly passesUnknown?: boolean;
}

export interface Driven {
  /** What the client got. */
  readonly text: string;
  readonly asked: readonly ModelCall[];
  /** What was asked about by name. */
  readonly named: readonly ModelCall[];
  readonly fault: string | undefined;
  /** How much the client had got after each chunk, and whether something was held then. */
  readonly steps: readonly { readonly sent: number; readonly isHolding: boolean }[];
}

/** Has a stream of upstream's pass through a dialect, as whoever moves the bytes does it, and returns what came of it. */
export function driveModelStream(chunks: readonly Buffer[], driving: Driving): Driven {
  const {
    create,
    nameVerdict = () => 'allow',
    verdict = () => ({ isAllowed: true }),
    answers = 'at once',
    maxHeld = 1 << 20,
    framing = 'sse',
    passesUnknown = false,
  } = driving;
  const out: Buffer[] = [];
  const asked: ModelCall[] = [];
  const named: ModelCall[] = [];
  const steps: { sent: number; isHolding: boolean }[] = [];
  let sent = 0;
  let fault: string | undefined;
  const open: ModelCall[] = [];
  const send = (bytes: Buffer) => {
    if (fault !== undefined) throw new Error('sent after a fault');
    sent += bytes.length;
    out.push(bytes);
  };
  const answer = () => {
    const call = open.pop();
    if (call !== undefined) stream.answer(verdict(call));
  };
  const stream = create({
    nonce: 'n-o-n-c-e',
    output: {
      pass: ({ bytes, start, end }) => send(Buffer.from(bytes.subarray(start, end))),
      own: send,
      text: (text) => send(Buffer.from(text)),
      parts: (parts) => {
        for (const part of parts) send(Buffer.from(part));
      },
      ask: (call) => {
        if (open.length > 0) throw new Error('asked before the answer');
        asked.push(call);
        open.push(call);
        if (answers === 'at once') answer();
      },
      fault: (why) => {
        fault = why;
      },
    },
    nameVerdict: (call) => {
      named.push(call);
      return nameVerdict(call);
    },
    maxHeld,
    framing,
    passesUnknown,
  });
  const splitter = createSplitter(framing, 1 << 23);
  for (const chunk of chunks) {
    if (answers === 'next chunk') answer();
    // A copy that is overwritten afterwards: nothing may be kept of the bytes.
    const bytes = Buffer.from(chunk);
    splitter.push(bytes, (event) => stream.push(event));
    bytes.fill(0x21);
    steps.push({ sent, isHolding: stream.isHolding });
  }
  stream.end(splitter.end?.());
  while (open.length > 0) answer();
  if (stream.isHolding) throw new Error('still holding at the end');
  return { text: Buffer.concat(out).toString(), asked, named, fault, steps };
}

/** Every way to cut a text in two, and the text byte by byte. */
export function everySplit(text: string | Buffer): readonly (readonly Buffer[])[] {
  const bytes = Buffer.from(text);
  const splits: Buffer[][] = [Array.from(bytes, (byte) => Buffer.of(byte))];
  for (let at = 0; at < bytes.length; at += STRIDE) splits.push([bytes.subarray(0, at), bytes.subarray(at)]);
  return splits;
}
