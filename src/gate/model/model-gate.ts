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
import {
  type AboutName,
  readToolName,
  type RequestTool,
  type ToolOfServer,
} from '../../protocol/llm/tool-names/read-tool-name.ts';
import { UnmappedServers } from '../calls/guard-words.ts';
import { explain } from '../calls/reply.ts';
import { type Outcome, type Review, Reviewer } from '../calls/review.ts';
import type { DeniedLedger } from './denied-ledger.ts';
import { callKey, createDeniedMemory, DeniedResults } from './denied-results.ts';
import { ModelCallLinks } from './call-links.ts';
import { CallsBehind } from './calls-behind.ts';
import type { Judgement } from '../guard.ts';
import { BUSY, FORWARD, type Verdict } from '../verdict.ts';
import { KnownTools, NO_DEFINITION, readToolFacts, readToolFindings, serverAddressOf, takesNoTexts } from './known-tools.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Intercepted } from '../ports/records.ts';
import { Recorder } from '../recorder.ts';
import { type CallSession, followSession } from '../session/session-view.ts';

/** Session for calls that are seen before they are made: flows between servers are checked where calls are made. */
export const NO_SESSION: CallSession = {
  isActive: false,
  concerns: () => false,
  facts: () => undefined,
  note: () => {},
  takeBack: () => {},
  hasUnread: () => false,
  takeUnread: () => undefined,
};

/** Rates for the same calls: a call counts once, where it is made. */
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

/** Setup shared by everything that goes through one gate. */
export interface ModelGateSetup extends Omit<GateSetup, 'server' | 'identity' | 'paths'> {
  /** Resolves paths in arguments: relative ones are taken to be the agent's. */
  readonly paths: PathContext;
}

/** A call as the policy knows it, with its facts. */
interface Target {
  readonly call: Call;
  readonly facts: RegistryFacts;
}

interface Decided {
  readonly target: Target;
  readonly decision: Decision;
}

/**
 * The gate of a model's calls: decides each before the agent sees it. The policy is the same as where calls are made; flows between servers
 * and rates are checked there. Nothing here throws or rejects.
 */
export class ModelGate {
  readonly #setup: GateSetup;
  readonly #recorder: Recorder;
  readonly #reviewer: Reviewer;
  readonly #tools: KnownTools;
  /** The denied calls that later requests have to restore. */
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

  /** The verdict by a call's name. `hold` if it depends on the arguments, or can't be decided now. */
  nameVerdict(call: ModelCall, request: ModelRequest): NameVerdict {
    if (this.#setup.isObserving) return 'allow';
    if (!this.#recorder.open()) return 'hold';
    return this.#byName(call, request, this.#recorder.within(() => this.#targetsOf(call, request, undefined)) ?? []);
  }

  /** True if nothing is denied: unreadable calls pass as well. */
  get isObserving(): boolean {
    return this.#setup.isObserving;
  }

  /** Resolves when the current policy is known. */
  async refresh(): Promise<void> {
    while (!this.#followPolicy()) await this.#recorder.ready();
  }

  /**
   * Tells whether the policy of the last `refresh` denies every call of a tool that the provider runs itself. Needs no facts about servers,
   * so it works in any state of the store.
   *
   * @param server the MCP server that the provider calls, by the name that the request gives it; undefined for a tool of the provider's own
   */
  deniesTool(tool: string, server: string | undefined): boolean {
    if (this.#setup.isObserving) return false;
    const of = server === undefined ? ({ server: NATIVE_SERVER, origin: 'native' } as const) : { server };
    return nameOutcome(this.#setup.policy.current(), { method: TOOL_CALL, tool, ...of }) === 'deny';
  }

  /**
   * Decides a complete call and records that. `forward` if it may go on; `reply` has the text that takes its place. A promise only if a
   * person is asked.
   */
  judge(call: ModelCall, request: ModelRequest, withdrawn: AbortSignal): Judgement {
    try {
      const judged = this.#judge(call, request, withdrawn);
      return judged instanceof Promise ? judged.catch((error: unknown) => this.#failed(error)) : judged;
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Judges a request by the results of calls that the client says it has made. @param results as the client has sent them */
  judgeResults(results: readonly ResultOfCall[], request: ModelRequest): Judgement {
    const ids = results.map(({ id, call }) => (call === undefined ? id : callKey({ id, ...call })));
    return this.#results.judge(ids, request.id, this.#passesUndecided);
  }

  /** Records the decisions since the last call. */
  record(): boolean {
    return this.#recorder.close();
  }

  /** Resolves when a `busy` call is worth another try. */
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
    // If the name settles it, the arguments make no difference.
    const isReadable = args !== undefined || (call.problem !== 'unclear' && this.#byName(call, request, targets) === 'allow');
    const strictest = this.#strictest(targets, isReadable ? undefined : 'unreadable_arguments');
    if (strictest === undefined) {
      const why = `the tool call ${JSON.stringify(call.name)} was denied, because it could not be recorded.`;
      return this.#passesUndecided ? FORWARD : { kind: 'reply', line: this.denied.note(call, why) };
    }
    const { target, decision } = strictest;
    const intercepted = this.#intercepted(call, request, target);
    // Later calls of the same answer may be judged before it is settled.
    if (decision.action !== 'deny' || isObserving)
      this.#behind.note({ client: request.client, names: meantBy(call, request), args });
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
    // Exactly one of the two is used, since each notes the call's outcome.
    return {
      kind: 'recorded',
      get verdict() {
        return toVerdict(outcome);
      },
      otherwise: () => (isObserving ? FORWARD : toVerdict(this.#reviewer.unrecorded(outcome))),
    };
  }

  #byName(call: ModelCall, request: ModelRequest, targets: readonly Target[]): NameVerdict {
    const policy = this.#setup.policy.current();
    const outcomes = targets.map(({ call: { tool = '', ...named } }) => nameOutcome(policy, { ...named, tool }));
    if (outcomes.includes('deny')) return 'deny';
    if (targets.length === 0 || outcomes.some((outcome) => outcome !== 'allow')) return 'hold';
    if (targets.some((target) => nameProblem(target.call.tool ?? '') !== undefined)) return 'hold';
    // The protection of clawai itself checks arguments, unless they can't contain a path or a command.
    const { definition = '' } = (call.group === undefined && request.tools.get(call.name)) || {};
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
      this.#recorder.note(() => ports.sink.record({ type: 'policy', ...change, time, session: ports.session(), server }));
    }
    return isKnown;
  }

  /**
   * The meaning of a name that the policy is strictest with. Names that we forward to no server are skipped, unless there are no others.
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

  #targetsOf(call: ModelCall, request: ModelRequest, args: JsonObject | undefined): readonly Target[] {
    const { client, tools } = request;
    const { name, server, runBy } = call;
    // The provider's own call of a server, by the name that the request gave it.
    if (server !== undefined) return [this.#withFacts({ method: TOOL_CALL, ...(args && { args }), server, tool: name })];
    const about = { client, servers: this.#tools.servers(), requestTools: tools };
    const meant = meantBy(call, request);
    const named = meant.map((each) => ({ ...each, args }));
    return [...named, ...this.#behind.of({ client, names: meant, args })].flatMap((each) =>
      this.#targetsNamed(each, { about, runBy }),
    );
  }

  #targetsNamed(
    { name: each, group: part, args }: NameMeant & { readonly args: JsonObject | undefined },
    { about, runBy }: { readonly about: AboutName; readonly runBy: ModelCall['runBy'] },
  ): readonly Target[] {
    const { client } = about;
    const made = { method: TOOL_CALL, ...(args && { args }) };
    const ofServer = ({ server: of, tool }: ToolOfServer): Target => this.#withFacts({ ...made, server: of, tool });
    const meaning = readToolName(each, { ...about, group: part });
    if (meaning.kind === 'mcp') return meaning.candidates.map(ofServer);
    const isNative = meaning.kind === 'native';
    const own = isNative
      ? ({ server: NATIVE_SERVER, tool: part === undefined ? each : `${part}.${each}`, origin: 'native' } as const)
      : ({ server: meaning.server, tool: meaning.tool, origin: 'unmapped' } as const);
    const isInert = isNative && (runBy === 'provider' || (part === undefined && client?.inert?.has(each) === true));
    const of: Call = { ...made, ...own, ...(isInert && { isInert }) };
    this.#facts.set(of, NO_DEFINITION);
    return [{ call: of, facts: NO_DEFINITION }];
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
function meantBy({ name, group }: ModelCall, { client, tools }: ModelRequest): readonly NameMeant[] {
  return nameProblem(name) === undefined ? namesMeant(name, { client, requestTools: tools, group }) : [{ name, group }];
}

/** The arguments of a model's call as a policy reads them; undefined if they are not reliable. */
export function readCallArguments({ args, problem }: ModelCall): JsonObject | undefined {
  if (args === undefined || problem !== undefined) return undefined;
  try {
    const value = parseJson(args);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The dialect has parsed it before and reports a problem for what it can't read.
    return undefined;
  }
}
