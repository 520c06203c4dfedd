import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CallRecord, Sink, SummaryRecord } from '../gate/ports.ts';
import { callEvent, summaryEvent } from './events.ts';

/**
 * Appends one JSON line per event to a file that all processes of a user share. The file and its folder are made at the first
 * event, for nobody but the user to read. Each line is one `write` to a descriptor opened for appending, which the
 * operating system does not mix with those of others.
 */
export class JsonlSink implements Sink {
  readonly #file: string;
  #descriptor: number | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  recordCall(record: CallRecord): void {
    this.#append(callEvent(record));
  }

  recordSummary(record: SummaryRecord): void {
    this.#append(summaryEvent(record));
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #append(event: Readonly<Record<string, unknown>>): void {
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    const written = writeSync(this.#open(), line);
    // A disk that fills up takes a part of the line and reports no error.
    if (written !== line.length) throw new Error(`only ${written} of ${line.length} bytes were written to ${this.#file}`);
  }

  #open(): number {
    if (this.#descriptor !== undefined) return this.#descriptor;
    mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
    this.#descriptor = openSync(this.#file, 'a', 0o600);
    return this.#descriptor;
  }
}
