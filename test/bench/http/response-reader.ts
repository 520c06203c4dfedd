const CR = 0x0d;
const HEAD_END = '\r\n\r\n';
const NOTHING = Buffer.alloc(0);
const LENGTH = /^content-length: *(\d+)/im;
const CHUNKED = /^transfer-encoding: *chunked/im;

/** Whom a reader tells what it has seen. */
export interface ResponseVisitor {
  /** The first byte of the body has come. */
  readonly first: () => void;
  /** The response is complete. */
  readonly end: () => void;
}

/** Finds where responses end, and nothing more: it shares a processor with the server that is measured through. */
export class ResponseReader {
  /** Of the response that is being read. */
  status = 0;
  /** Bytes of its body so far, without what frames them. */
  body = 0;
  readonly #visitor: ResponseVisitor;
  #state: 'head' | 'size' | 'data' = 'head';
  #rest: Buffer = NOTHING;
  /** Bytes of the body, or of the chunk and the line end behind it. */
  #left = 0;
  #chunked = false;
  #last = false;

  constructor(visitor: ResponseVisitor) {
    this.#visitor = visitor;
  }

  /** @throws on a response without a length */
  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = NOTHING;
    let at = 0;
    while (at < bytes.length) {
      const next =
        this.#state === 'head'
          ? this.#readHead(bytes, at)
          : this.#state === 'size'
            ? this.#readSize(bytes, at)
            : this.#skip(bytes, at);
      if (next === -1) {
        this.#rest = bytes.subarray(at);
        return;
      }
      at = next;
    }
  }

  #readHead(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(HEAD_END, at, 'latin1');
    if (end === -1) return -1;
    const head = bytes.toString('latin1', at, end);
    this.status = Number(head.slice(9, 12));
    this.body = 0;
    this.#chunked = CHUNKED.test(head);
    this.#last = !this.#chunked;
    const length = LENGTH.exec(head)?.[1];
    if (!this.#chunked && length === undefined) throw new Error(`a response without a length:\n${head}`);
    this.#left = Number(length ?? 0);
    this.#state = this.#chunked ? 'size' : 'data';
    if (!this.#chunked) this.body = this.#left;
    if (!this.#chunked && this.#left === 0) this.#finish();
    return end + HEAD_END.length;
  }

  /** The line before a chunk; nobody here sends extensions or trailers. */
  #readSize(bytes: Buffer, at: number): number {
    let size = 0;
    let end = at;
    for (; end < bytes.length && bytes[end] !== CR; end++) {
      const code = bytes[end] ?? 0;
      size = size * 16 + (code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57);
    }
    if (end + 2 > bytes.length) return -1;
    this.body += size;
    this.#last = size === 0;
    this.#left = size + 2;
    this.#state = 'data';
    return end + 2;
  }

  #skip(bytes: Buffer, at: number): number {
    const taken = Math.min(this.#left, bytes.length - at);
    this.#left -= taken;
    if (this.body !== 0) this.#visitor.first();
    if (this.#left === 0) {
      if (this.#last) this.#finish();
      else this.#state = 'size';
    }
    return at + taken;
  }

  #finish(): void {
    this.#state = 'head';
    this.#visitor.end();
  }
}
