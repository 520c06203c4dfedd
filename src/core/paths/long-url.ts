import type { Stage } from './pieces.ts';
import { DRIVE_SEGMENT, type UrlSink, UrlWalk } from './url-walk.ts';

/** The parts of a URL whose characters are encoded, each in its own way. */
type UrlPart = 'path' | 'query' | 'fragment';

const BEFORE: Readonly<Record<UrlPart, string>> = { path: 'http://h/', query: 'http://h/?', fragment: 'http://h/#' };

const encoded = new Map<UrlPart, RegExp>();

const SINGLE_DOT = /^(?:\.|%2e)$/i;
const DOUBLE_DOT = /^(?:\.|%2e){2}$/i;

/** As much of a segment as tells whether it is two encoded dots. */
const MOST_OF_DOTS = 7;

/** What becomes of a segment: two bits. A drive stays whatever climbs, and nothing before it does. */
const NAME = 0;
const DOT = 1;
const CLIMB = 2;
const DRIVE = 3;

/** Values of two bits in a row, four to the byte: a text can have a segment for each of its characters. */
class Pairs {
  length = 0;
  #bytes = new Uint8Array(1024);

  get(at: number): number {
    return ((this.#bytes[at >> 2] ?? 0) >> ((at & 3) * 2)) & 3;
  }

  add(value: number): void {
    if (this.length >> 2 === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.set(this.length, value);
    this.length += 1;
  }

  set(at: number, value: number): void {
    const shift = (at & 3) * 2;
    this.#bytes[at >> 2] = ((this.#bytes[at >> 2] ?? 0) & ~(3 << shift)) | (value << shift);
  }
}

/** What has to be known of a URL before it can be tidied in pieces. */
export interface UrlPlan {
  /** Scheme, user and host, tidied. */
  readonly origin: string;
  /** `NAME` or `DRIVE` for each segment that stays. */
  readonly segments: { get(at: number): number };
  /** Climbing or staying is what comes last, so the path ends in a slash. */
  readonly endsInSlash: boolean;
  readonly solidLength: number;
}

/** Makes out what of a special URL's path stays. To be given all pieces of the URL, then asked for the plan. */
export class UrlPlanner implements UrlSink {
  readonly #walk: UrlWalk;
  readonly #solidLength: number;
  readonly #segments = new Pairs();
  #start = '';
  /** Segments that would stay if the path ended here. */
  #depth = 0;
  #floor = 0;

  /** @param solidLength see `UrlWalk` */
  constructor(solidLength: number) {
    this.#solidLength = solidLength;
    this.#walk = new UrlWalk(this, solidLength);
  }

  push(piece: string): void {
    this.#walk.push(piece);
  }

  /** Undefined for what the URL parser refuses. */
  plan(): UrlPlan | undefined {
    this.#walk.end();
    const origin = URL.parse(`${this.#walk.origin}/`)?.href.slice(0, -1);
    if (origin === undefined) return undefined;
    const segments = this.#segments;
    const last = segments.get(segments.length - 1);
    const endsInSlash = last === DOT || last === CLIMB;
    // From the end, since what a climb takes away comes before it.
    let climbs = 0;
    for (let at = segments.length - 1; at >= 0; at -= 1) {
      const kind = segments.get(at);
      if (kind === DRIVE) climbs = Number.POSITIVE_INFINITY;
      else if (kind === CLIMB) climbs += 1;
      else if (kind === NAME && climbs > 0) {
        climbs -= 1;
        segments.set(at, DOT);
      }
    }
    return { origin, segments, endsInSlash, solidLength: this.#solidLength };
  }

  segment(text: string): void {
    if (this.#start.length < MOST_OF_DOTS) this.#start += text.slice(0, MOST_OF_DOTS);
  }

  endSegment(): void {
    const kind = this.#kindOf(this.#start);
    this.#start = '';
    this.#segments.add(kind);
    if (kind === NAME) this.#depth += 1;
    else if (kind === CLIMB) this.#depth = Math.max(this.#floor, this.#depth - 1);
    else if (kind === DRIVE) this.#depth = this.#floor = 1;
  }

  endPath(): void {}
  query(): void {}
  fragment(): void {}

  #kindOf(segment: string): number {
    if (segment.startsWith('.') || segment.startsWith('%')) {
      if (SINGLE_DOT.test(segment)) return DOT;
      if (DOUBLE_DOT.test(segment)) return CLIMB;
    }
    return this.#walk.isFile && this.#depth === 0 && DRIVE_SEGMENT.test(segment) ? DRIVE : NAME;
  }
}

/** Makes of a special URL in pieces what `URL.parse` prints. */
export class UrlTidier implements UrlSink, Stage {
  readonly #walk: UrlWalk;
  readonly #plan: UrlPlan;
  #out: string;
  #at = 0;
  #isWithin = false;

  constructor(plan: UrlPlan) {
    this.#plan = plan;
    this.#walk = new UrlWalk(this, plan.solidLength);
    this.#out = plan.origin;
  }

  push(piece: string): string {
    this.#walk.push(piece);
    return this.#take();
  }

  end(): string {
    this.#walk.end();
    return this.#take();
  }

  segment(text: string): void {
    const kind = this.#plan.segments.get(this.#at);
    if (kind === DOT || kind === CLIMB) return;
    this.#begin();
    this.#out += kind === DRIVE ? text.replace('|', ':') : encodeUrlPart(text, 'path');
  }

  endSegment(): void {
    const kind = this.#plan.segments.get(this.#at);
    if (kind === NAME || kind === DRIVE) this.#begin();
    this.#isWithin = false;
    this.#at += 1;
  }

  endPath(): void {
    if (this.#plan.endsInSlash) this.#out += '/';
  }

  query(text: string): void {
    this.#out += text === '?' ? text : encodeUrlPart(text, 'query');
  }

  fragment(text: string): void {
    this.#out += text === '#' ? text : encodeUrlPart(text, 'fragment');
  }

  #begin(): void {
    if (!this.#isWithin) this.#out += '/';
    this.#isWithin = true;
  }

  #take(): string {
    const text = this.#out;
    this.#out = '';
    return text;
  }
}

/** Percent-encodes what the platform's URL parser encodes in this part of a special URL (WHATWG URL §1.3). The text is well-formed. */
export function encodeUrlPart(text: string, part: UrlPart): string {
  let pattern = encoded.get(part);
  if (pattern === undefined) {
    pattern = findEncoded(part);
    encoded.set(part, pattern);
  }
  return text.replace(pattern, encodeRun);
}

/** The parser is asked itself: which ASCII characters it encodes has changed over the years. */
function findEncoded(part: UrlPart): RegExp {
  let found = '';
  for (let code = 0; code < 0x80; code += 1) {
    const hex = code.toString(16).padStart(2, '0');
    const text = `${BEFORE[part]}a${String.fromCharCode(code)}a`;
    if (URL.parse(text)?.href === `${BEFORE[part]}a%${hex.toUpperCase()}a`) found += `\\x${hex}`;
  }
  return new RegExp(`[${found}]|[^\\0-\\x7f]+`, 'g');
}

function encodeRun(run: string): string {
  const code = run.charCodeAt(0);
  return code < 0x80 ? `%${code.toString(16).toUpperCase().padStart(2, '0')}` : encodeURIComponent(run);
}
