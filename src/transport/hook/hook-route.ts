import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HookGate } from '../../gate/hook/hook-gate.ts';
import { denialBy, type HookCall, type HookClient } from '../../protocol/hooks/hook-client.ts';
import { readHookCall } from '../../protocol/hooks/read-hook-call.ts';
import { BODY_PROBLEMS, readBody } from '../http/read-body.ts';
import { sendJson } from '../http/respond.ts';

/** Milliseconds before the end of a client's patience at which a call is denied. */
const RESERVE = 10_000;

export interface HookRouteParts {
  readonly client: HookClient;
  /** Most bytes of a call. */
  readonly limit: number;
  /** Creates the gate of one call. Rejects if the policy can't be read. */
  readonly gateFor: (socket: Socket, call: HookCall) => Promise<HookGate>;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** Answers a client that asks by HTTP before it runs a tool. Every answer has status 200: with others, the client may run the call. */
export class HookRoute {
  readonly #parts: HookRouteParts;

  constructor(parts: HookRouteParts) {
    // An empty answer would be no opinion.
    if (denialBy(parts.client, '').stdout === '') throw new Error(`${parts.client.id} is not denied by words`);
    this.#parts = parts;
  }

  /** Decides the call in a request, and answers. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { client, warn } = this.#parts;
    const left = new AbortController();
    response.once('close', () => left.abort());
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      const why = 'clawai denied this call, because it could not decide it in time. Tell the user, or repeat the call.';
      timer = setTimeout(() => {
        resolve(why);
        left.abort();
      }, client.patience - RESERVE);
    });
    let why: string | undefined;
    try {
      why = await Promise.race([this.#judge(request, left.signal), late]);
    } catch (error) {
      const what = error instanceof Error ? error.message : String(error);
      warn(`denied a call of ${client.id}, because it could not be decided: ${what}`);
      why = `clawai denied this call, because it could not decide it: ${what}. Tell the user to run clawai doctor.`;
    } finally {
      clearTimeout(timer);
    }
    if (response.destroyed) return;
    if (!request.complete) response.setHeader('connection', 'close');
    if (why === undefined) response.writeHead(200, { 'content-length': 0 }).end();
    else sendJson(response, 200, denialBy(client, why).stdout.trimEnd());
  }

  async #judge(request: IncomingMessage, withdrawn: AbortSignal): Promise<string | undefined> {
    const { client, limit, gateFor } = this.#parts;
    const { socket } = request;
    if (request.method !== 'POST') throw new Error('a hook is asked by POST');
    const read = await readBody(request, { limit });
    if (read.kind !== 'ok') throw new Error(BODY_PROBLEMS[read.kind][1]);
    const call = readHookCall(new TextDecoder('utf-8', { fatal: true }).decode(read.body), client);
    const gate = await gateFor(socket, call);
    try {
      return await gate.judge(call, client, withdrawn);
    } finally {
      await gate.finish();
    }
  }
}
