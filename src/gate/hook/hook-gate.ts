import { type Call, NATIVE_SERVER } from '../../core/call.ts';
import type { HookCall, HookClient, HookForm } from '../../protocol/hooks/hook-client.ts';
import type { ModelCall } from '../../protocol/llm/dialect.ts';
import { UnmappedServers } from '../calls/guard-words.ts';
import { Rates } from '../calls/rates.ts';
import { explain } from '../calls/reply.ts';
import { type Outcome, type Review, Reviewer } from '../calls/review.ts';
import { CallsBehind } from '../model/calls-behind.ts';
import { CallTargets, type ModelRequest, readCallArguments, strictestOf, type Target } from '../model/call-targets.ts';
import { type ModelGateSetup, NO_SESSION } from '../model/model-gate.ts';
import type { GateSetup } from '../ports/ports.ts';
import { Recorder } from '../recorder.ts';
import { followSession } from '../session/session-view.ts';
import { HookCallLinks } from './hook-links.ts';

/** The reason for the denial of a call, for the model; undefined if nothing is against it. */
export type WhyDenied = string | undefined;

/**
 * The gate of the calls that clients ask a hook about. They are decided as in a model's answer; but calls of servers that no clawai stands in
 * front of are seen here for the last time, so their rate limits count here.
 */
export class HookGate {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #reviewer: Reviewer;
  readonly #targets: CallTargets;
  readonly #unmapped: UnmappedServers;
  /** The calls of the agent's own tools that are being decided, by all their names. */
  readonly #names = new WeakMap<Call, readonly Call[]>();

  constructor(setup: ModelGateSetup) {
    const { ports } = setup;
    this.#setup = {
      ...setup,
      server: NATIVE_SERVER,
      identity: () => {
        throw new Error('a hook has no launch identity');
      },
    };
    this.#recorder = new Recorder({ ...ports, prepare: () => this.#followPolicy() });
    this.#targets = new CallTargets(this.#setup, this.#recorder);
    this.#unmapped = new UnmappedServers(ports.warn);
    const rates = new Rates(ports, () => setup.policy.current());
    this.#reviewer = new Reviewer(this.#setup, {
      recorder: this.#recorder,
      session: NO_SESSION,
      rates: {
        snapshot: (call) => (isMadeHere(call) ? rates.snapshot(call) : undefined),
        spend: (call) => (isMadeHere(call) ? rates.spend(call) : undefined),
        refund: (call) => (isMadeHere(call) ? rates.refund(call) : undefined),
      },
      seenCalls: new HookCallLinks(ports, (call) => this.#names.get(call) ?? [call]),
      facts: (call) => this.#targets.factsOf(call),
    });
  }

  /**
   * Decides and records a call; a `prompt` asks a person first. Resolves when that is on record, and rejects if it fails: the call must be
   * denied then.
   *
   * @param withdrawn aborts when the client waits no longer
   */
  async judge(asked: HookCall, client: Pick<HookClient, 'id' | 'style'>, withdrawn: AbortSignal): Promise<WhyDenied> {
    const { ports, isObserving } = this.#setup;
    const started = ports.clock.elapsed();
    const request: ModelRequest = {
      dialect: `hook/${client.id}`,
      id: ports.recordId(),
      client: client.style,
      tools: new Map(),
      // Clients put it there in their requests to servers.
      extra: asked.id === '' ? undefined : { _meta: { callId: asked.id } },
    };
    const behind = new CallsBehind();
    const calls = asked.forms.map((form) => toModelCall(form, asked.id));
    const waiting = calls.map((call) => behind.isWaiting(madeOf(call, request))).includes(true);
    if (waiting) await behind.load();
    const settle = (): { readonly target: Target; readonly outcome: Outcome | Promise<Outcome> } | undefined => {
      this.#recorder.within(() => followSession(ports));
      const targets = calls.flatMap((call) => this.#targetsOf(call, request, behind).map((target) => ({ target, call })));
      const native = targets.flatMap(({ target }) => (target.call.origin === 'native' ? [target.call] : []));
      for (const call of native) this.#names.set(call, native);
      const isReadable = calls.every((call) => readCallArguments(call) !== undefined);
      const strictest = strictestOf(
        targets.map(({ target }) => target),
        { reviewer: this.#reviewer, problem: isReadable ? undefined : 'unreadable_arguments', hasTokens: false },
      );
      if (strictest === undefined) return undefined;
      const { target, decision } = strictest;
      const call = targets.find((each) => each.target === target)?.call ?? calls[0];
      if (call === undefined) return undefined;
      const intercepted = this.#targets.intercepted(call, request, target);
      const review: Review = { from: 'client', call: target.call, requestId: undefined, intercepted, started };
      return { target, outcome: this.#reviewer.settle(review, decision, withdrawn) };
    };
    const settled = await this.#recorder.transact(settle, (lost) =>
      lost === undefined || lost.outcome instanceof Promise
        ? lost
        : { ...lost, outcome: this.#reviewer.unrecorded(lost.outcome) },
    );
    if (settled === undefined) {
      if (isObserving || this.#setup.onError === 'allow') return undefined;
      return `clawai denied the tool call ${JSON.stringify(asked.forms[0].name)}, because it could not record it. Tell the user to check clawai's messages.`;
    }
    const outcome = await settled.outcome;
    if (outcome.isForwarded || isObserving) return undefined;
    const { call } = settled.target;
    if (outcome.decision.reason === 'unmapped_tool') this.#unmapped.tell(call.server);
    return explain({ ...outcome, call });
  }

  /** Resolves when all is on record. */
  finish(): Promise<void> {
    return this.#recorder.finish();
  }

  #targetsOf(call: ModelCall, request: ModelRequest, behind: CallsBehind): readonly Target[] {
    const made = madeOf(call, request);
    const named = [...made.names.map((name) => ({ ...name, args: made.args })), ...behind.of(made)];
    return this.#recorder.within(() => this.#targets.of(call, request, named)) ?? [];
  }

  #followPolicy(): boolean {
    const { policy, ports, server } = this.#setup;
    const isKnown = policy.refresh();
    for (const change of policy.takeChanges()) {
      const time = ports.clock.now();
      this.#recorder.recordLater(() => ports.sink.record({ type: 'policy', ...change, time, session: ports.session(), server }));
    }
    return isKnown;
  }
}

/** Tells whether no server behind us will see the call again. */
function isMadeHere({ origin }: Call): boolean {
  return origin !== undefined;
}

/** The client that runs the call gives its exact name. */
function toModelCall({ name, args, problem, server }: HookForm, id: string): ModelCall {
  return { id, name, group: undefined, args, problem, runBy: 'client', server };
}

function madeOf(call: ModelCall, { client }: ModelRequest): Parameters<CallsBehind['isWaiting']>[0] {
  return { client, names: [{ name: call.name, group: undefined }], args: readCallArguments(call) };
}
