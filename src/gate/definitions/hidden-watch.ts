import type { DefinitionKind } from '../../core/registry/definition.ts';
import { SUBSCRIPTION_ID_KEY } from '../../protocol/mcp/methods.ts';
import { type ChangingList, LISTS } from '../messages/list-methods.ts';
import { idOf, type PendingRequests } from '../messages/pending.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Recorder } from '../recorder.ts';
import type { ServerLaunch } from './server-launch.ts';

/** Milliseconds between checks for new approvals. */
const INTERVAL = 1000;

/** The parts of the connection that are used here. */
export interface Told {
  readonly fromClient: Pick<PendingRequests, 'listening'>;
  readonly isLegacy: boolean;
  readonly isModern: boolean;
  readonly launch: Pick<ServerLaunch, 'scope' | 'refusal'>;
  /** Tells whether something may be hidden from the client. */
  hides(): boolean;
}

interface Approved {
  /** The trusted launch, or `refused`; undefined for a launch not seen yet, which is trusted on first use. */
  readonly server: string | undefined;
  readonly definitions: string;
}

function isNews({ was, now }: { readonly was: Approved; readonly now: Approved }): boolean {
  return now.definitions !== was.definitions || (was.server !== undefined && now.server !== was.server);
}

/** Tells a client to list again once a person has approved something that was hidden from it. Looks nothing up while nothing is hidden. */
export class HiddenWatch {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #client: Told;
  /** The approvals at the time when something was hidden. */
  readonly #hidden = new Map<DefinitionKind, Approved>();
  /** Ways to the client, the latest last. */
  readonly #ways = new Set<(line: string) => void>();
  #isApart = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(setup: GateSetup, recorder: Recorder, client: Told) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#client = client;
  }

  /** Notes that something of a list was hidden. Call it in an open transaction. */
  note(kind: DefinitionKind): void {
    this.#hidden.set(kind, this.#approved(kind));
    this.#checkSoon();
  }

  /**
   * Adds a way to the client; the returned function removes it.
   *
   * @param tell sends a line to the client, outside of all answers
   * @param isApart lists come by other gates: what they hide is not known here, so every later approval is told
   */
  listen(tell: (line: string) => void, isApart = false): () => void {
    this.#ways.add(tell);
    this.#isApart = isApart;
    if (isApart && this.#client.hides()) void this.#noteAll();
    this.#checkSoon();
    return () => {
      this.#ways.delete(tell);
      if (this.#ways.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      // The next user of this gate has seen other lists.
      if (isApart) this.#hidden.clear();
    };
  }

  /** The way to the client that came last; undefined if there is none now. */
  get way(): ((line: string) => void) | undefined {
    return [...this.#ways].at(-1);
  }

  async #noteAll(): Promise<void> {
    const note = (): void => {
      for (const kind of LISTS.keys()) if (this.#ways.size > 0) this.note(kind);
    };
    await this.#recorder.transact(
      () => this.#recorder.within(note),
      () => undefined,
    );
  }

  #checkSoon(): void {
    if (this.#ways.size === 0 || this.#hidden.size === 0) return;
    this.#timer ??= setTimeout(() => void this.#check(), INTERVAL).unref();
  }

  async #check(): Promise<void> {
    const approved = await this.#recorder.transact(
      () => this.#recorder.within(() => [...this.#hidden].map(([kind, was]) => ({ kind, was, now: this.#approved(kind) }))),
      () => undefined,
    );
    this.#timer = undefined;
    const tell = this.way;
    // If there is no way to the client now, it is told when there is one again.
    if (tell !== undefined && approved !== undefined) {
      const changed = approved.filter(isNews).map((one) => ({ ...one, list: LISTS.get(one.kind) }));
      const lines = new Map(changed.map(({ list }) => [list, list === undefined ? [] : this.#linesOf(list)]));
      for (const { kind, now, list } of changed) {
        if (lines.get(list)?.length === 0) continue;
        if (this.#isApart) this.#hidden.set(kind, now);
        else this.#hidden.delete(kind);
      }
      for (const line of [...lines.values()].flat()) tell(line);
    }
    this.#checkSoon();
  }

  /** In the modern era, only subscribers are told, under the id of their request (MCP 2026-07-28, subscriptions). */
  #linesOf(list: ChangingList): readonly string[] {
    const { fromClient, isLegacy, isModern } = this.#client;
    const subscriptions = fromClient.listening();
    const method = `"method":"notifications/${list}/list_changed"`;
    if (subscriptions.length === 0) return isModern && !isLegacy ? [] : [`{"jsonrpc":"2.0",${method}}\n`];
    return subscriptions
      .filter(({ listening }) => listening?.has(list) === true)
      .map((asked) => `{"jsonrpc":"2.0",${method},"params":{"_meta":{"${SUBSCRIPTION_ID_KEY}":${idOf(asked)}}}}\n`);
  }

  /** All that a person's approval may have changed; definitions trusted on first use are shown at once. */
  #approved(kind: DefinitionKind): Approved {
    const { registry } = this.#setup.ports;
    const { scope, refusal } = this.#client.launch;
    const pins = [...registry.pins(scope, kind).values(), registry.pin(scope, 'instructions', '')];
    const approved = pins.filter((pin) => pin?.isApproved === true).map((pin) => [pin?.name, pin?.pinned]);
    const server = refusal === undefined ? registry.server(scope)?.pinned : 'refused';
    return { server, definitions: JSON.stringify(approved) };
  }
}
