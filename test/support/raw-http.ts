import { type Socket, connect } from 'node:net';

/** Milliseconds after which a connection that is still open counts as one that stays open. */
const PATIENCE = 10_000;

/** A connection on which tests say what no HTTP client would. */
export interface RawConnection {
  readonly socket: Socket;
  /** All that has come, as Latin-1. */
  readonly received: () => string;
  /** Resolves when the other side has closed; rejects when it does not for long. */
  readonly closed: Promise<void>;
}

/** @param origin of the listener, as in `http://127.0.0.1:4711` */
export function connectRaw(origin: string): RawConnection {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
  // A reset is a way to close.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`the connection stays open after ${JSON.stringify(text.slice(0, 200))}`));
    }, PATIENCE);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  closed.catch(() => {});
  return { socket, received: () => text, closed };
}

/** Sends bytes, and resolves with all that came back until the connection was closed. Nothing is added to the bytes. */
export async function exchange(origin: string, bytes: string): Promise<string> {
  const connection = connectRaw(origin);
  connection.socket.write(bytes, 'latin1');
  await connection.closed;
  return connection.received();
}

/** Lines of a head, and the body. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** The statuses of all responses in what came back. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
