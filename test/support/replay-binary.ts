import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Running } from './running.ts';
import { type Sandbox, support } from './sandbox.ts';
import type { Scene, Side, Step } from './transcript.ts';
import { findDifference } from './transcript-match.ts';

/** Milliseconds that a line may take through the binary. */
const PATIENCE = 10_000;

/** Replays a scene through the real binary, one line after the other. Returns what differed, or undefined. */
export async function replayThroughBinary(scene: Scene, sandbox: Sandbox): Promise<string | undefined> {
  const listener = createServer({ allowHalfOpen: true });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const connection = await connect(scene, sandbox, listener);
  try {
    for (const step of scene.steps) {
      await connection.send(step);
      for (const side of ['client', 'server'] as const) {
        const difference = findDifference([step], side, connection.take(side));
        if (difference !== undefined) return `${scene.name}, ${difference}`;
      }
    }
    return undefined;
  } finally {
    await connection.end();
    listener.close();
  }
}

async function connect(scene: Scene, sandbox: Sandbox, listener: Server): Promise<BinaryConnection> {
  const policy = sandbox.write('policy.toml', scene.policy);
  const { port } = listener.address() as AddressInfo;
  const command = [process.execPath, support('socket-server.mjs'), String(port)];
  const connected = once(listener, 'connection', { signal: AbortSignal.timeout(PATIENCE) });
  const clawai = sandbox.clawai('proxy', '--server', 'files', '--policy', policy, '--', ...command);
  const [socket] = (await connected) as [Socket];
  return new BinaryConnection(clawai, socket);
}

/** Notifications that pass under any policy of a transcript: when one has arrived, so has everything before it. */
const BARRIERS: Readonly<Record<Side, string>> = {
  client: 'notifications/roots/list_changed',
  server: 'notifications/tools/list_changed',
};

class BinaryConnection {
  readonly #clawai: Running;
  readonly #socket: Socket;
  /** What each side has got and nobody took yet. */
  readonly #got: Record<Side, string> = { client: '', server: '' };
  readonly #ended = new Set<Side>();
  #barriers = 0;
  #onBytes = (): void => {};

  constructor(clawai: Running, socket: Socket) {
    this.#clawai = clawai;
    this.#socket = socket;
    clawai.output.on('data', (chunk: Buffer) => this.#keep('client', chunk));
    clawai.output.on('end', () => this.#end('client'));
    socket.on('data', (chunk: Buffer) => this.#keep('server', chunk));
    socket.on('end', () => this.#end('server'));
    // Its process may be ended by ours; what the test waits for tells.
    socket.on('error', () => this.#end('server'));
  }

  async send(step: Step): Promise<void> {
    const from = step.from as Side;
    const to = from === 'client' ? 'server' : 'client';
    this.#write(from, step.bytes);
    if (step.isLast) {
      if (from === 'client') this.#clawai.stdin.end();
      else this.#socket.end();
      await this.#until(() => this.#ended.has(to));
      if (from === 'server') return;
    } else await this.#pass(from, to);
    // Only now has the line been judged, so only now is what goes back on its way.
    await this.#pass(to, from);
  }

  /** What this side got since the last time. */
  take(side: Side): Buffer {
    const bytes = Buffer.from(this.#got[side], 'latin1');
    this.#got[side] = '';
    return bytes;
  }

  async end(): Promise<void> {
    this.#clawai.stdin.end();
    this.#socket.end();
    await this.#clawai.ended;
  }

  /** Sends a barrier and waits until it is through; it leaves no trace. */
  async #pass(from: Side, to: Side): Promise<void> {
    const line = `{"jsonrpc":"2.0","method":"${BARRIERS[from]}","params":{"barrier":${++this.#barriers}}}\n`;
    this.#write(from, Buffer.from(line));
    await this.#until(() => this.#got[to].includes(line));
    this.#got[to] = this.#got[to].replace(line, '');
  }

  #write(from: Side, bytes: Buffer): void {
    if (from === 'client') this.#clawai.send(bytes);
    else this.#socket.write(bytes);
  }

  #keep(side: Side, chunk: Buffer): void {
    this.#got[side] += chunk.toString('latin1');
    this.#onBytes();
  }

  #end(side: Side): void {
    this.#ended.add(side);
    this.#onBytes();
  }

  #until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`waited in vain; ${JSON.stringify(this.#got)}; ${this.#clawai.stderr}`)),
        PATIENCE,
      );
      this.#onBytes = () => {
        if (!isReached()) return;
        clearTimeout(timer);
        resolve();
      };
      this.#onBytes();
    });
  }
}
