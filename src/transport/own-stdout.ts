import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Our stdout as a stream that never blocks the event loop.
 *
 * `process.stdout` writes to pipes synchronously: a client that stops reading would freeze us with signals unread. A socket
 * of our own on the same descriptor does not. That makes the descriptor non-blocking for everybody who shares it, hence not
 * where stderr is the same pipe: the server writes there, and may not expect that a write has to be tried again.
 */
export function openStdout(): Writable {
  try {
    const out = fstatSync(1);
    const isPipe = out.isFIFO() || out.isSocket();
    if (isPipe && !isSameFile(out, fstatSync(2))) return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    // A closed descriptor can't be inspected; process.stdout deals with it.
  }
  return process.stdout;
}

function isSameFile(a: { dev: number; ino: number }, b: { dev: number; ino: number }): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}
