const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '1' },
};

/** What reaches the policy: a call as file servers get it, with paths that must be resolved. */
const CALL = { name: 'read_text_file', arguments: { path: '/usr/share/doc/readme.txt', head: 20 } };

export const initialize = line(1, 'initialize', INITIALIZE);
export const ping = line(2, 'ping');
export const call = line(3, 'tools/call', CALL);

/** A call with other arguments each time. */
export function freshCall(at: number): Buffer {
  return line(3, 'tools/call', { name: CALL.name, arguments: { path: `/usr/share/doc/part-${at}/readme.txt`, head: 20 } });
}

export const list = line(4, 'tools/list');

/** So many pings, in pieces of about the size of a pipe. */
export function pings(count: number): readonly Buffer[] {
  return pieces(count, (id) => line(id, 'ping'));
}

/** So many calls that reach the policy. */
export function calls(count: number): readonly Buffer[] {
  return pieces(count, (id) => line(id, 'tools/call', CALL));
}

function pieces(count: number, message: (id: number) => Buffer): readonly Buffer[] {
  const perPiece = 1000;
  return Array.from({ length: Math.ceil(count / perPiece) }, (_, piece) => {
    const first = piece * perPiece;
    const size = Math.min(perPiece, count - first);
    return Buffer.concat(Array.from({ length: size }, (_unused, i) => message(first + i)));
  });
}

/** What large messages are made of: plain words, or text with an escape every few bytes. */
export type Content = 'text' | 'escaped';
export const LARGE = 10 * 1024 * 1024;

/** A request of `LARGE` bytes that needs no decision. */
export function large(content: Content): Buffer {
  return line(4, 'bench/sink', { text: textOf(content, LARGE) });
}

/** Bytes of the arguments that a big call has. */
export const BIG_ARGUMENTS = 1024 * 1024;

/** Such a call, as a tool gets it that writes files. */
export function bigCall(content: Content): Buffer {
  return line(6, 'tools/call', {
    name: 'write_file',
    arguments: { path: '/tmp/project/notes.txt', content: textOf(content, BIG_ARGUMENTS) },
  });
}

/** So many bytes as JSON. */
export function textOf(content: Content, bytes: number): string {
  const unit = content === 'text' ? 'The quick brown fox jumps over the lazy dog. ' : '"line\\one"\né\t';
  const size = Buffer.byteLength(JSON.stringify(unit)) - 2;
  return unit.repeat(Math.ceil(bytes / size));
}

/** A request that is answered with `LARGE` bytes. */
export function largeAnswer(content: Content): Buffer {
  return line(5, `bench/source-${content}`);
}

function line(id: number, method: string, params?: unknown): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
}
