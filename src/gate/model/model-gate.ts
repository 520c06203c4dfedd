import { type Call, NATIVE_SERVER } from '../../core/call.ts';
import type { Action, Decision, ReasonCode } from '../../core/decision.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { nameOutcome } from '../../core/decide/decide-by-name.ts';
import type { PathContext } from '../../core/match/paths-to-resolve.ts';
import type { RegistryFacts } from '../../core/facts.ts';
import { nameProblem } from '../../core/registry/deceptive-names.ts';
import type { ModelCall, NameVerdict } from '../../protocol/llm/dialect.ts';
import type { ResultOfCall } from '../../protocol/llm/model-api.ts';
import { formatNote } from '../../protocol/llm/note.ts';
import type { ClientStyle } from '../../protocol/llm/tool-names/client-style.ts';
import { type NameMeant, namesMeant } from '../../protocol/llm/tool-names/names-meant.ts';
import { readToolName, type RequestTool, type ToolOfServer } from '../../protocol/llm/tool-names/read-tool-name.ts';
import { UnmappedServers } from '../calls/guard-words.ts';
import { explain } from '../calls/reply.ts';
import { type Outcome, type Review, Reviewer } from '../calls/review.ts';
import type { DeniedLedger } from './denied-ledger.ts';
import { callKey, createDeniedMemory, DeniedResults } from './denied-results.ts';
import { ModelCallLinks } from './call-links.ts';
import { CallsBehind } from './calls-behind.ts';
import type { Judgement } from '../fail-closed.ts';
import { BUSY, FORWARD, type Verdict } from '../verdict.ts';
import { KnownTools, NO_DEFINITION, readToolFacts, readToolFindings, serverAddressOf, takesNoTexts } from './known-tools.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Intercepted } from '../ports/records.ts';
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
  takeUnread: () => undefined,
};

/** Rate limits for the same calls: each counts once, where it is made. */
export const NO_RATES = { snapshot: () => undefined, spend: () => {}, refund: () => {} };

const TOOL_CALL = 'tools/call';

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

/** The request that a model's answer belongs to, with its tools. */
export interface ModelRequest {
  /** Name of the API, e.g. `anthropic`. */
  readonly dialect: string;
  /** Our own id, unique to the request. */
  readonly id: string;
  /** Undefined if the client that sent it is unknown. */
  readonly client: ClientStyle | undefined;
  readonly tools: ReadonlyMap<string, RequestTool>;
}

/** Setup of a gate for models' calls. */
export interface ModelGateSetup extends Omit<GateSetup, 'server' | 'identity' | 'paths'> {
  /** Resolves paths in arguments: relative ones are taken to be the agent's. */
  readonly paths: PathContext;
}

/** One meaning of a model's call: a call of a server or of the agent's own tools, with the registry's facts. */
interface Target {
  readonly call: Call;
  readonly facts: RegistryFacts;
}

interface Decided {
  readonly target: Target;
  readonly decision: Decision;
}

/**
 * The gate of a model's calls: decides each before the agent sees it, by the policy that also decides where the agent makes it. Flows between
 * servers and rate limits are checked only there. Nothing here throws or rejects.
 */
export class ModelGate {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #reviewer: Reviewer;
  readonly #tools: KnownTools;
  /** The denied calls, which later requests have to restore. */
  readonly denied: DeniedLedger;
  readonly #results: DeniedResults;
  readonly #unmapped: UnmappedServers;
  readonly #behind = new CallsBehind();
  /** Facts about the calls that are being decided. */
  readonly #facts = new WeakMap<Call, RegistryFacts>();

  constructor(setup: ModelGateSetup, memory = createDeniedMemory(setup.ports.clock)) {
    const { ports } = setup;
    this.#setup = {
      ...setup,
      server: NATIVE_SERVER,
      identity: () => {
        throw new Error('a model has no launch identity');
      },
    };
    this.#recorder = new Recorder({ ...ports, prepare: () => this.#followPolicy() });
    this.#tools = new KnownTools(ports);
    this.#unmapped = new UnmappedServers(ports.warn);
    this.#results = new DeniedResults(ports, this.#recorder, memory);
    this.denied = memory.ledger;
    this.#reviewer = new Reviewer(this.#setup, {
      recorder: this.#recorder,
      session: NO_SESSION,
      rates: NO_RATES,
      seenCalls: new ModelCallLinks(ports),
      facts: (call) => this.#facts.get(call) ?? NO_DEFINITION,
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
    return this.#recorder.ready();
  }

  /** Resolves when all is on record. */
  finish(): Promise<void> {
    return this.#recorder.finish();
  }

  #judge(call: ModelCall, request: ModelRequest, withdrawn: AbortSignal): Judgement {
    const { isObserving, ports } = this.#setup;
    const started = ports.clock.elapsed();
    if (!this.#recorder.open()) return BUSY;
    this.#recorder.within(() => followSession(ports));
    const args = readCallArguments(call);
    const targets = this.#recorder.within(() => this.#targetsOf(call, request, args)) ?? [];
    // If the name alone allows the call, its arguments need not be readable.
    const isReadable =
      args !== undefined || (call.problem !== 'unclear' && this.#nameVerdict(call, request, targets) === 'allow');
    const strictest = this.#strictest(targets, isReadable ? undefined : 'unreadable_arguments');
    if (strictest === undefined) {
      const why = `the tool call ${JSON.stringify(call.name)} was denied, because it could not be recorded.`;
      return this.#passesUndecided ? FORWARD : { kind: 'reply', line: this.denied.note(call, why) };
    }
    const { target, decision } = strictest;
    const intercepted = this.#intercepted(call, request, target);
    // Later calls of the same answer may be judged before it is settled.
    if (decision.action !== 'deny' || isObserving)
      this.#behind.note({ client: request.client, names: spellingsOf(call, request), args });
    const review: Review = { from: 'client', call: target.call, requestId: undefined, intercepted, started };
    const outcome = this.#reviewer.settle(review, decision, withdrawn);
    const toVerdict = (settled: Outcome): Verdict => {
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

  /**
   * Decides all meanings of a call and returns the one with the strictest decision. Meanings with deceptive names count only if there are no
   * others, since no server gets such a call from us.
   *
   * @param problem denies the call in any case
   */
  #strictest(targets: readonly Target[], problem: ReasonCode | undefined): Decided | undefined {
    let strictest: Decided | undefined;
    const callable = targets.filter(({ call }) => nameProblem(call.tool ?? '') === undefined);
    const refused = callable.length > 0 ? problem : 'malformed';
    for (const target of callable.length > 0 ? callable : targets) {
      const decided = this.#reviewer.decide(target.call, true);
      const decision = refused === undefined || decided.action === 'deny' ? decided : this.#reviewer.refusal(refused).decision;
      if (strictest === undefined || STRICTNESS[decision.action] > STRICTNESS[strictest.decision.action])
        strictest = { target, decision };
    }
    return strictest;
  }

  /** All meanings of a call's name for the servers that are known. Call it in an open transaction. */
  #targetsOf(call: ModelCall, request: ModelRequest, args: JsonObject | undefined): readonly Target[] {
    const { client, tools } = request;
    const { name, server, runBy } = call;
    const toTarget = (owned: ToolOfServer, given: JsonObject | undefined): Target =>
      this.#withFacts({ method: TOOL_CALL, ...(given && { args: given }), server: owned.server, tool: owned.tool });
    // The provider called the server itself, under the name that the request gives it.
    if (server !== undefined) return [toTarget({ server, tool: name }, args)];
    const about = { client, servers: this.#tools.servers(), requestTools: tools };
    const names = spellingsOf(call, request);
    const made = names.map((each) => ({ ...each, args }));
    const all = [...made, ...this.#behind.of({ client, names, args })];
    return all.flatMap(({ name: spelling, group: part, args: given }): readonly Target[] => {
      const meaning = readToolName(spelling, { ...about, group: part });
      if (meaning.kind === 'mcp') return meaning.candidates.map((owned) => toTarget(owned, given));
      const isNative = meaning.kind === 'native';
      const owned = isNative
        ? ({ server: NATIVE_SERVER, tool: part === undefined ? spelling : `${part}.${spelling}`, origin: 'native' } as const)
        : ({ server: meaning.server, tool: meaning.tool, origin: 'unmapped' } as const);
      const isInert = isNative && (runBy === 'provider' || (part === undefined && client?.inert?.has(spelling) === true));
      const target: Call = { method: TOOL_CALL, ...(given && { args: given }), ...owned, ...(isInert && { isInert }) };
      this.#facts.set(target, NO_DEFINITION);
      return [{ call: target, facts: NO_DEFINITION }];
    });
  }

  #withFacts(call: Call): Target {
    const { policy, ports } = this.#setup;
    const detection = readToolFindings(ports.registry, policy.current(), call);
    const facts = { ...readToolFacts(ports.registry, call), ...(detection !== undefined && { detection }) };
    this.#facts.set(call, facts);
    return { call, facts };
  }

  #intercepted({ id, name, runBy, problem }: ModelCall, request: ModelRequest, { call, facts }: Target): Intercepted {
    const readServer = (): string | undefined => this.#setup.ports.registry.serverText(call.server, 'seen');
    const { type, address } = serverAddressOf(call.origin === undefined ? this.#recorder.within(readServer) : undefined);
    return {
      dialect: request.dialect,
      request: request.id,
      id,
      name,
      runBy,
      serverType: type,
      serverAddress: address,
      fingerprint: facts.fingerprint,
      problem,
    };
  }
}

/** The names that a call may have for the client that runs it. */
function spellingsOf({ name, group }: ModelCall, { client, tools }: ModelRequest): readonly NameMeant[] {
  return nameProblem(name) === undefined ? namesMeant(name, { client, requestTools: tools, group }) : [{ name, group }];
}

/** The arguments of a model's call; undefined if they are incomplete, or if readers may differ on them. */
export function readCallArguments({ args, problem }: ModelCall): JsonObject | undefined {
  if (args === undefined || problem !== undefined) return undefined;
  try {
    const value = parseJson(args);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The API's stream parser has reported a problem for such arguments already.
    return undefined;
  }
}
