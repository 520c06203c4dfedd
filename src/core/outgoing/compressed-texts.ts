import { base64Runs } from '../flow/values/base64-runs.ts';
import { inflate } from './inflate.ts';

/** A text that was compressed, and how. */
interface CompressedText {
  readonly text: string;
  readonly hiding: string;
}

/** The shortest text that has a secret. */
const SHORTEST = 12;
/** Most bytes that one compressed text may become, and most such texts. */
const MOST_INFLATED = 256 * 1024;
const MOST_COMPRESSED = 32;

/** Matches the beginning of gzip and of zlib in base64, with the usual window: the check bits of the header are right. */
const COMPRESSED = /^(?:H4sI|e(?:J[w-z]|A[E-H]|F[4-7]|N[o-r]))/;

/** The hiding of a text of which a part was not read. */
export const UNREAD = 'unread';

/** Texts that were compressed (RFC 1950, RFC 1952) and written as base64. More than is read has a reading that tells so. */
export function compressed(whole: string): readonly CompressedText[] {
  const found: CompressedText[] = [];
  if (!/H4sI|eJ[w-z]|eA[E-H]|eF[4-7]|eN[o-r]/.test(whole)) return found;
  let tried = 0;
  let isCut = false;
  for (const { signs } of base64Runs(whole, 16)) {
    if (!COMPRESSED.test(signs)) continue;
    const isGzip = signs.startsWith('H4sI');
    if (tried >= MOST_COMPRESSED) {
      // Only the beginning, since most runs only look compressed.
      isCut ||= inflated(Buffer.from(signs.slice(0, 256), 'base64'), isGzip) !== undefined;
      continue;
    }
    tried += 1;
    const inside = inflated(Buffer.from(signs, 'base64'), isGzip);
    if (inside === undefined) continue;
    isCut ||= inside.isCut;
    found.push({ text: inside.text, hiding: isGzip ? 'base64, gzip' : 'base64, zlib' });
  }
  if (isCut) found.push({ text: '', hiding: UNREAD });
  return found;
}

/** The text that was compressed, of all members; undefined if there is none, since most such text only looks compressed. */
function inflated(bytes: Uint8Array, isGzip: boolean): { readonly text: string; readonly isCut: boolean } | undefined {
  const texts: string[] = [];
  let rest = bytes;
  let room = MOST_INFLATED;
  let isCut = false;
  for (let hasNext = true; hasNext;) {
    const start = isGzip ? gzipStart(rest) : 2;
    const { output, end } = inflate(rest.subarray(start), room);
    texts.push(Buffer.from(output).toString('utf8'));
    room -= output.length;
    // A member of gzip ends with a checksum and a length (RFC 1952, 2.3.1), and another may follow.
    rest = rest.subarray(start + end + 8);
    isCut = room <= 0;
    hasNext = isGzip && !isCut && rest[0] === 0x1f && rest[1] === 0x8b;
  }
  const text = texts.join('');
  return text.length < SHORTEST || !isReadable(text) ? undefined : { text, isCut };
}

/** Tells whether a beginning is text: compressed pictures and programs are no text, and need not be read to the end. */
function isReadable(text: string): boolean {
  const beginning = text.slice(0, 64);
  return (beginning.match(/[\x00-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0) <= beginning.length / 4;
}

/** The beginning of the data behind the header, which may have a name and a comment (RFC 1952, 2.3). */
function gzipStart(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = bytes.indexOf(0, at) + 1;
  return (flags & 2) === 0 ? at : at + 2;
}
