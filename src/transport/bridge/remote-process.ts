import { PassThrough, Writable } from 'node:stream';
import { LineSplitter } from '../../protocol/ndjson.ts';
import type { ServerProcess } from '../stdio/child-process.ts';
import { Upstream } from '../http/upstream.ts';
import { RemotePeer, type RemotePeerOptions } from './remote-peer.ts';

/** The exit code of a server that ends by itself, as a process that fails. */
const FAILED = 1;

interface StartRemoteOptions extends Omit<RemotePeerOptions, 'write' | 'lost' | 'upstream' | 'headers'> {
  /** Headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly tlsFingerprint: string | undefined;
}

/**
 * Reaches a remote server as if it were a process that speaks MCP over stdio: each line that is written to it goes there as a message, and
 * each message that comes back is a line. It ends with its input, or when the server ends the session for good.
 */
export function startRemote({ headers, tlsFingerprint, ...options }: StartRemoteOptions): ServerProcess {
  const upstream = new Upstream({ url: options.url, ...(tlsFingerprint === undefined ? {} : { tlsFingerprint }) });
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  const stdout = new PassThrough();
  let isOver = false;
  const end = (code: number): void => {
    if (isOver) return;
    isOver = true;
    void peer.leave().finally(() => {
      upstream.close();
      stdout.end();
      resolve(code);
    });
  };
  const peer = new RemotePeer({
    ...options,
    upstream,
    headers: () => headers,
    write: (line) =>
      new Promise((written) => {
        if (isOver || stdout.write(`${line.toString('latin1')}\n`, 'latin1')) written();
        else stdout.once('drain', written);
      }),
    lost: () => end(FAILED),
  });
  const lines = new LineSplitter(options.limits.message, () => options.warn('a message is longer than clawai accepts'));
  const stdin = new Writable({
    async write(chunk: Buffer, _encoding, done) {
      lines.push(chunk, (bytes, start, finish, _next, release) => {
        const line = Buffer.from(bytes.subarray(start, finish));
        release?.();
        peer.send(line);
      });
      // While the server has not taken what came before, nothing more is read.
      await peer.taken();
      done();
    },
    final(done) {
      done();
      void peer.answered().then(() => end(0));
    },
  });
  stdin.on('error', () => {});
  return {
    stdin,
    stdout,
    stderr: null,
    exited,
    signal: () => end(0),
    isThere: () => !isOver,
    release: () => {
      end(0);
      stdin.destroy();
      stdout.destroy();
    },
  };
}
