import { afterAll, beforeAll } from 'vitest';
import { type Listener, type ListenerOptions, startListener } from '../../src/transport/http/listener.ts';
import { readBody } from '../../src/transport/http/read-body.ts';
import { refuse } from '../../src/transport/http/respond.ts';
import type { Target } from '../../src/transport/http/target.ts';

/** A request that was let through, with its whole body. */
export interface Seen {
  readonly method: string;
  readonly target: Target;
  readonly headers: readonly string[];
  readonly body: string;
}

export interface RunningListener {
  readonly listener: Listener;
  /** Host and port, for Host headers. */
  readonly host: string;
  /** What got through so far. */
  readonly seen: Seen[];
  readonly warnings: string[];
}

/** Bytes. */
const BODY_LIMIT = 64 * 1024;

/** Starts a listener that answers `ok` to all that it lets through, once the body is there, and what it makes of the body otherwise. */
export async function runListener(options: Partial<ListenerOptions> = {}): Promise<RunningListener> {
  const seen: Seen[] = [];
  const warnings: string[] = [];
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    hosts: [],
    warn: (message) => warnings.push(message),
    handle: (request, response, target) => {
      void readBody(request, { limit: BODY_LIMIT }).then((read) => {
        if (read.kind !== 'ok') {
          refuse(response, read.kind === 'too_large' ? 413 : 400, read.kind);
          return;
        }
        seen.push({ method: request.method ?? '', target, headers: request.rawHeaders, body: read.body.toString() });
        response.end('ok');
      });
    },
    ...options,
  });
  return { listener, host: new URL(listener.origin).host, seen, warnings };
}

/** As `runListener`, for all tests of a file. */
export function useListener(options: Partial<ListenerOptions> = {}): { readonly current: RunningListener } {
  let running: RunningListener | undefined;
  beforeAll(async () => {
    running = await runListener(options);
  });
  afterAll(() => running?.listener.close(0));
  return {
    get current() {
      if (running === undefined) throw new Error('the listener has not been started');
      return running;
    },
  };
}
