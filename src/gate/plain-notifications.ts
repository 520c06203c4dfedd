import { CALL_METHODS } from '../core/call.ts';
import type { CompiledPolicy } from '../core/policy/compile.ts';
import type { Message } from '../protocol/message.ts';
import { reviewedServerVariant } from './server-methods.ts';

/** Methods come from peers: so many are remembered, and no long ones. */
const MOST_KNOWN = 64;
const LONGEST_METHOD = 128;

/** Methods of a server's notifications that nobody can deny or is asked about; thousands of one come in a row, such as progress. */
export class PlainNotifications {
  readonly #server: string;
  #policy: CompiledPolicy | undefined;
  readonly #known = new Set<string>();

  constructor(server: string) {
    this.#server = server;
  }

  /** Is a message of the server's such a notification, which passes whatever its params say? That a request is cancelled passes, and is heeded. */
  passes({ kind, method = '', inputRequests }: Message, policy: CompiledPolicy): boolean {
    return kind === 'notification' && inputRequests === undefined && this.has(method, policy);
  }

  /** Does such a notification pass whatever is in it, under this policy? */
  has(method: string, policy: CompiledPolicy): boolean {
    if (policy !== this.#policy) this.#known.clear();
    this.#policy = policy;
    if (this.#known.has(method)) return true;
    // Whoever leaves out what is no text may read the name of a call.
    const mayBeCall = CALL_METHODS.has(method) || method.includes('\ufffd') || reviewedServerVariant(method) !== undefined;
    if (mayBeCall || policy.mayStop({ method, server: this.#server })) return false;
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    if (method.length <= LONGEST_METHOD) this.#known.add(method);
    return true;
  }
}
