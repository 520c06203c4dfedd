import { findAssignments } from '../../dlp/find-assignments.ts';
import { withoutBinary } from './base64-runs.ts';
import { base64Texts, unescaped } from './decodings.ts';
import { type MarkSet, type SentValues, wellKnownMarks } from './known-values.ts';
import { lowerCase, plainText } from './letters.ts';
import { visitNumbers, withoutKnownNumbers } from './numbers.ts';
import { visitPassages, visitRandomPieces } from './pieces.ts';
import { informationOf } from './plain-words.ts';
import { PIECE, RollingHash } from './rolling-hash.ts';
import { Smallest } from './smallest.ts';
import type { ValueHasher } from './value-hasher.ts';
import { jsonValues } from './views.ts';

/** Most characters of a result that are read. */
export const MOST_READ = 1024 * 1024;

/** Most hashes of a result that are remembered: 32 KiB. */
export const MOST_HASHES = 4096;
/** Most characters of a value that only its name makes a secret. */
const LONGEST_SECRET = 128;
const SECRET_BITS = 16;
const MOST_PASSAGES = MOST_HASHES / 2;

/** The remembered values of one result. */
export interface ReadValues {
  /** Eight bytes for each value. */
  readonly hashes: Uint8Array;
  /** True if the result was too long, or had too many values: some are not remembered. */
  readonly isCut: boolean;
  /** True if a binary file in the result was not read. */
  readonly hasBinary: boolean;
}

/** Reads the texts of one result. The omissions in a long one only depend on the texts: its end, and all but an even sample of the rest. */
export class ResultReader {
  readonly #hasher: ValueHasher;
  readonly #sent: SentValues;
  readonly #pieces = new Smallest(MOST_HASHES);
  readonly #passages = new Smallest(MOST_HASHES);
  readonly #pieceHash: RollingHash;
  readonly #passageHash: RollingHash;
  readonly #wellKnown: MarkSet;
  #room = MOST_READ;
  #isCut = false;
  #hasBinary = false;

  /** @param sent values that the answering server was told, including the very call that it answers */
  constructor(hasher: ValueHasher, sent: SentValues) {
    this.#hasher = hasher;
    this.#sent = sent;
    this.#pieceHash = new RollingHash(hasher);
    this.#passageHash = new RollingHash(hasher);
    this.#wellKnown = wellKnownMarks(hasher);
  }

  /** Reads one of the texts, in order: of a content block, a resource, a message, or a string or number of the structured content. */
  add(text: string): void {
    if (text.length > this.#room) this.#isCut = true;
    const start = text.slice(0, this.#room);
    this.#room -= start.length;
    if (start === '') return;
    const { text: read, isCut } = withoutBinary(start);
    if (isCut) this.#hasBinary = true;
    const plain = plainText(read);
    this.#addText(plain);
    const decoded = base64Texts(plain);
    if (decoded !== '') this.#addText(plainText(decoded));
  }

  #addText(plain: string): void {
    this.#addPassages(lowerCase(jsonValues(plain) ?? unescaped(plain)));
    this.#addPieces(unescaped(plain));
  }

  finish(): ReadValues {
    const isNew = (mark: number): boolean => !this.#isKnown(mark);
    const pieces = this.#pieces.values().filter(isNew);
    const passages = this.#passages.values().filter(isNew);
    const passageCount = Math.min(passages.length, Math.max(MOST_PASSAGES, MOST_HASHES - pieces.length));
    const pieceCount = Math.min(pieces.length, MOST_HASHES - passageCount);
    const marks = new Float64Array(passageCount + pieceCount);
    marks.set(passages.subarray(0, passageCount));
    marks.set(pieces.subarray(0, pieceCount), passageCount);
    const isSampled = this.#pieces.isCut || this.#passages.isCut || marks.length < pieces.length + passages.length;
    return { hashes: this.#hasher.seal(marks), isCut: this.#isCut || isSampled, hasBinary: this.#hasBinary };
  }

  #addPassages(text: string): void {
    visitPassages(text, this.#passageHash, {
      passage: (mark) => this.#passages.add(mark),
      line: (mark, end) => {
        if (this.#passages.wants(mark) && !this.#isKnown(end)) this.#passages.add(mark);
      },
    });
  }

  #addPieces(text: string): void {
    const telling = withoutKnownNumbers(text);
    visitNumbers(telling, (value) => this.#pieces.add(this.#hasher.numberMark(value)));
    visitRandomPieces(telling, this.#pieceHash, {
      wants: (mark) => this.#pieces.wants(mark),
      piece: (mark) => this.#pieces.add(mark),
    });
    // A value that its name makes a secret counts, random or not. Prose, code and addresses do not.
    for (const { start, end } of findAssignments(text)) {
      const secret = lowerCase(text.slice(start, Math.min(end, start + LONGEST_SECRET + 1)));
      const isValue = secret.length >= PIECE && secret.length <= LONGEST_SECRET && !/[\s/()]/.test(secret);
      if (isValue && informationOf(secret) >= SECRET_BITS) this.#addSecret(secret);
    }
  }

  #addSecret(text: string): void {
    const hash = this.#pieceHash;
    hash.reset();
    hash.read(text, 0);
    for (let at = PIECE - 1; at < hash.to; at += 1) this.#pieces.add(hash.piece(at));
  }

  #isKnown(mark: number): boolean {
    return this.#wellKnown.has(mark) || this.#sent.has(mark);
  }
}
