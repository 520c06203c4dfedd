import type { Readable, Writable } from 'node:stream';
import type { RecordedVerdict, Verdict } from '../gate/verdict.ts';
import type { OversizedLine } from '../protocol/ndjson.ts';

/** One direction of a conversation, and what happens to its lines. */
export interface RelayOptions {
  readonly source: Readable;
  /** Where forwarded bytes go. */
  readonly onward: Writable;
  /** Where replies go: to the side that `source` belongs to. */
  readonly back: Writable;
  /** Bytes a line may have. */
  readonly maxLine: number;
  readonly inspect: (bytes: Buffer, start: number, end: number) => Verdict | RecordedVerdict | Promise<Verdict>;
  readonly oversized: (line: OversizedLine) => Verdict;
  /** Puts on record what `inspect` decided; called after each chunk, before its `recorded` verdicts are carried out. False where that failed. */
  readonly record: () => boolean;
  /** Resolves when a line whose verdict was `busy` is worth another try. */
  readonly ready: () => Promise<void>;
  /** Called with lines that were to be forwarded and are known to have reached nobody, since `onward` is closed. */
  readonly lost?: (lines: Buffer) => void;
  /** Called before a big line is inspected. */
  readonly beforeBig?: () => void;
  /** Called after each chunk, with the bytes of the big lines in it that were taken from memory of ours. */
  readonly afterChunk?: (bigBytes: number) => void;
}
