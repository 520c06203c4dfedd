import { type Call, NATIVE_SERVER } from '../../core/call.ts';
import type { JsonObject } from '../../core/json.ts';
import { nameOutcome } from '../../core/decide/decide-by-name.ts';
import type { PathContext } from '../../core/match/paths-to-resolve.ts';
import { nameProblem } from '../../core/registry/deceptive-names.ts';
import type { ModelCall, NameVerdict } from '../../protocol/llm/dialect.ts';
import type { ResultOfCall } from '../../protocol/llm/model-api.ts';
import { formatNote } from '../../protocol/llm/note.ts';
import { type NameMeant, namesMeant } from '../../protocol/llm/tool-names/names-meant.ts';
import { UnmappedServers } from '../calls/guard-words.ts';
import { explain } from '../calls/reply.ts';
import { type Outcome, type Review, Reviewer } from '../calls/review.ts';
import type { DeniedLedger } from './denied-ledger.ts';
import { callKey, createDeniedMemory, DeniedResults } from './denied-results.ts';
import { ModelCallLinks } from './call-links.ts';
import { CallTargets, type ModelRequest, readCallArguments, strictestOf, type Target } from './call-targets.ts';
import { CallsBehind } from './calls-behind.ts';
import type { Judgement } from '../fail-closed.ts';
import { BUSY, FORWARD, type Verdict } from '../verdict.ts';
import { takesNoTexts } from './known-tools.ts';
import type { GateSetup } from '../ports/ports.ts';
import { Recorder } from '../recorder.ts';
import { type CallSession, followSession } from '../session/session-view.ts';

/** Session for calls in models' answers. Flow rules are checked where the agent makes the call. */
export const NO_SESSION: CallSession = {
  isActive: false,
  concerns: () => false,
  facts: () => undefined,
  note: () => {},
  takeBack: () => {},
  hasUnread: () => false,
  onlyAlerts: () => true,
  takeUnread: () => undefined,
};

/** Rate limits for the same calls: each counts once, where it is made. */
export const NO_RATES = { snapshot: () => undefined, spend: () => {}, refund: () => {} };

const TOOL_CALL = 'tools/call';

/** Setup of a gate for models' calls. */
export interface ModelGateSetup extends Omit<GateSetup, 'server' | 'identity' | 'paths'> {
  /** Resolves paths in arguments: relative ones are taken to be the agent's. */
  readonly paths: PathContext;
  /** Receives the arguments of each call. */
  readonly onCall?: ((args: JsonObject) => void) | undefined;
}

/**
 * The gate of a model's calls: decides each before the agent sees it, by the policy that also decides where the agent makes it. Flows between
 * servers and rate limits are checked only there. Nothing here throws or rejects.
 */
export class ModelGate {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #reviewer: Reviewer;
  readonly #targets: CallTargets;
  /** The denied calls, which later requests have to restore. */
  readonly denied: DeniedLedger;
  readonly #results: DeniedResults;
  readonly #unmapped: UnmappedServers;
  readonly #behind = new CallsBehind();
  readonly #onCall: ModelGateSetup['onCall'];

  constructor(setup: ModelGateSetup, memory = createDeniedMemory(setup.ports.clock)) {
    const { ports } = setup;
    this.#onCall = setup.onCall;
    this.#setup = {
      ...setup,
      server: NATIVE_SERVER,
      identity: () => {
        throw new Error('a model has no launch identity');
      },
    };
    this.#recorder = new Recorder({ ...ports, prepare: () => this.#followPolicy() });
    this.#targets = new CallTargets(this.#setup, this.#recorder);
    this.#unmapped = new UnmappedServers(ports.warn);
    this.#results = new DeniedResults(ports, this.#recorder, memory);
    this.denied = memory.ledger;
    this.#reviewer = new Reviewer(this.#setup, {
      recorder: this.#recorder,
      session: NO_SESSION,
      rates: NO_RATES,
      seenCalls: new ModelCallLinks(ports, (call) => this.#targets.madeOf(call)),
      facts: (call) => this.#targets.factsOf(call),
    });
  }

  /** The verdict by a call's name alone. `hold` if arguments may change it, or if it can't be decided now. */
  nameVerdict(call: ModelCall, request: ModelRequest): NameVerdict {
    if (this.#setup.isObserving) return 'allow';
    if (!this.#recorder.open()) return 'hold';
    return this.#nameVerdict(call, request, this.#recorder.within(() => this.#targetsOf(call, request, undefined)) ?? []);
  }

  /** True if nothing is denied, not even unreadable calls. */
  get isObserving(): boolean {
    return this.#setup.isObserving;
  }

  /** Resolves when the current policy is known. */
  async refresh(): Promise<void> {
    while (!this.#followPolicy()) await this.#recorder.ready();
  }

  /**
   * Tells whether the policy of the last `refresh` denies every call of a tool that the provider runs. It reads nothing from the store, so it
   * also works while the store is locked.
   *
   * @param server the MCP server that the provider calls, by the name that the request gives it; undefined for a tool of the provider's own
   */
  deniesTool(tool: string, server: string | undefined): boolean {
    if (this.#setup.isObserving) return false;
    const owner = server === undefined ? ({ server: NATIVE_SERVER, origin: 'native' } as const) : { server };
    return nameOutcome(this.#setup.policy.current(), { method: TOOL_CALL, tool, ...owner }) === 'deny';
  }

  /** The servers that a call may be for, and `native`; none if they are not known now, and an empty name for one that is not clear. */
  serversOf(name: Pick<ModelCall, 'name' | 'group'>, request: ModelRequest): readonly string[] {
    if (!this.#recorder.open()) return [];
    const call: ModelCall = { ...name, id: '', args: undefined, problem: undefined, runBy: 'client', server: undefined };
    const targets = this.#recorder.within(() => this.#targetsOf(call, request, undefined)) ?? [];
    // The name of a tool that no server listed may have its border elsewhere.
    const isClear = ({ origin, tool = '' }: Call): boolean => origin !== 'unmapped' || !/[_.-]{2}/.test(tool);
    return targets.map((target) => (isClear(target.call) ? target.call.server : ''));
  }

  /**
   * Decides and records a complete call. `forward` if the agent may have it; the line of a `reply` is the note that replaces it. A promise
   * only if a person is asked.
   */
  judge(call: ModelCall, request: ModelRequest, withdrawn: AbortSignal): Judgement {
    try {
      const judged = this.#judge(call, request, withdrawn);
      return judged instanceof Promise ? judged.catch((error: unknown) => this.#failed(error)) : judged;
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Records a request's results of denied calls before it goes on. @param results all that the client sent, by API id */
  judgeResults(results: readonly ResultOfCall[], request: ModelRequest): Judgement {
    const ids = results.map(({ id, call }) => (call === undefined ? id : callKey({ id, ...call })));
    return this.#results.judge(ids, request.id, this.#passesUndecided);
  }

  /** Commits the decisions since the last call. False if they are not on record. */
  commit(): boolean {
    return this.#recorder.close();
  }

  /** Resolves when a `busy` call can be judged again. */
  ready(): Promise<void> {
    return Promise.all([this.#recorder.ready(), this.#behind.load()]).then(() => {});
  }

  /** Resolves when all is on record. */
  finish(): Promise<void> {
    return this.#recorder.finish();
  }

  #judge(call: ModelCall, request: ModelRequest, withdrawn: AbortSignal): Judgement {
    const { isObserving, ports } = this.#setup;
    const started = ports.clock.elapsed();
    const args = readCallArguments(call);
    const made = { client: request.client, names: spellingsOf(call, request), args };
    if (this.#behind.isWaiting(made) || !this.#recorder.open()) return BUSY;
    if (args !== undefined) this.#onCall?.(args);
    this.#recorder.within(() => followSession(ports));
    const targets = this.#recorder.within(() => this.#targetsOf(call, request, args)) ?? [];
    // If the name alone allows the call, its arguments need not be readable.
    const isReadable =
      args !== undefined || (call.problem !== 'unclear' && this.#nameVerdict(call, request, targets) === 'allow');
    const strictest = strictestOf(targets, {
      reviewer: this.#reviewer,
      problem: isReadable ? undefined : 'unreadable_arguments',
      hasTokens: true,
    });
    if (strictest === undefined) {
      const why = `the tool call ${JSON.stringify(call.name)} was denied, because it could not be recorded.`;
      return this.#passesUndecided ? FORWARD : { kind: 'reply', line: this.denied.note(call, why) };
    }
    const { target, decision } = strictest;
    const intercepted = this.#targets.intercepted(call, request, target);
    // Later calls of the same answer may be judged before it is settled.
    const isMade = decision.action !== 'deny' || isObserving;
    const settle = isMade ? this.#behind.note(made, decision.action === 'prompt' && !isObserving) : () => {};
    const review: Review = { from: 'client', call: target.call, requestId: undefined, intercepted, started };
    const outcome = this.#reviewer.settle(review, decision, withdrawn);
    const toVerdict = (settled: Outcome): Verdict => {
      settle(settled.isForwarded || isObserving);
      if (settled.isForwarded || isObserving) {
        this.#results.allow(callKey(call));
        return FORWARD;
      }
      const { server, tool = '' } = target.call;
      if (settled.decision.reason === 'unmapped_tool') this.#unmapped.tell(server);
      if (call.runBy === 'client') this.#results.deny({ server, tool, intercepted }, callKey(call));
      return { kind: 'reply', line: this.denied.note(call, explain({ ...settled, call: target.call })) };
    };
    if (outcome instanceof Promise) return outcome.then(toVerdict);
    // A getter, since `toVerdict` notes the outcome: only one of the two may run.
    return {
      kind: 'recorded',
      get verdict() {
        return toVerdict(outcome);
      },
      otherwise: () => (isObserving ? FORWARD : toVerdict(this.#reviewer.unrecorded(outcome))),
    };
  }

  #nameVerdict(call: ModelCall, request: ModelRequest, targets: readonly Target[]): NameVerdict {
    const policy = this.#setup.policy.current();
    const outcomes = targets.map(({ call: { tool = '', ...named } }) => nameOutcome(policy, { ...named, tool }));
    if (outcomes.includes('deny')) return 'deny';
    if (targets.length === 0 || outcomes.some((outcome) => outcome !== 'allow')) return 'hold';
    if (targets.some((target) => nameProblem(target.call.tool ?? '') !== undefined)) return 'hold';
    // `self` checks arguments, unless they can't contain a path or a command.
    const offered = request.tools.get(call.name);
    const definition = call.group === undefined && offered?.group === undefined ? (offered?.definition ?? '') : '';
    return targets.every((target) => target.call.isInert === true) || takesNoTexts(definition) ? 'allow' : 'hold';
  }

  /** True if undecidable calls pass: nothing is denied, or the user chose so. */
  get #passesUndecided(): boolean {
    return this.#setup.isObserving || this.#setup.onError === 'allow';
  }

  #failed(error: unknown): Verdict {
    this.#setup.ports.warn(`judging a model's call failed: ${String(error)}`);
    if (this.#passesUndecided) return FORWARD;
    return { kind: 'reply', line: formatNote('a tool call was denied, because clawai failed to judge it.') };
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

  /** All meanings of a call's name for the servers that are known. Call it in an open transaction. */
  #targetsOf(call: ModelCall, request: ModelRequest, args: JsonObject | undefined): readonly Target[] {
    const names = spellingsOf(call, request);
    const made = names.map((each) => ({ ...each, args }));
    return this.#targets.of(call, request, [...made, ...this.#behind.of({ client: request.client, names, args })]);
  }
}

/** The names that a call may have for the client that runs it. */
function spellingsOf({ name, group }: ModelCall, { client, tools }: ModelRequest): readonly NameMeant[] {
  return nameProblem(name) === undefined ? namesMeant(name, { client, requestTools: tools, group }) : [{ name, group }];
}
