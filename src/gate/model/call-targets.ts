import { type Call, NATIVE_SERVER } from '../../core/call.ts';
import type { Action, Decision, ReasonCode } from '../../core/decision.ts';
import type { RegistryFacts } from '../../core/facts.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts';
import { nameProblem } from '../../core/registry/deceptive-names.ts';
import type { ModelCall } from '../../protocol/llm/dialect.ts';
import type { ClientStyle } from '../../protocol/llm/tool-names/client-style.ts';
import type { NameMeant } from '../../protocol/llm/tool-names/names-meant.ts';
import { readToolName, type RequestTool, type ToolOfServer } from '../../protocol/llm/tool-names/read-tool-name.ts';
import type { Reviewer } from '../calls/review.ts';
import type { GateSetup } from '../ports/ports.ts';
import type { Intercepted } from '../ports/records.ts';
import type { LinkedCall } from '../ports/seen-call-port.ts';
import type { Recorder } from '../recorder.ts';
import { KnownTools, NO_DEFINITION, readToolFacts, readToolFindings, serverAddressOf } from './known-tools.ts';

const TOOL_CALL = 'tools/call';

const STRICTNESS: Readonly<Record<Action, number>> = { allow: 0, prompt: 1, deny: 2 };

/** Whoever asks about a call: the request that a model's answer belongs to, with its tools, or a client's hook. */
export interface ModelRequest {
  /** Name of the API, e.g. `anthropic`. */
  readonly dialect: string;
  /** Our own id, unique to the request. */
  readonly id: string;
  /** Undefined if the client that sent it is unknown. */
  readonly client: ClientStyle | undefined;
  readonly tools: ReadonlyMap<string, RequestTool>;
  /** Replaces secrets that calls got back by what stands for them, for the record. Returns the same arguments if there are none. */
  readonly hide?: ((args: JsonObject) => JsonObject) | undefined;
  /** Parameters of its calls besides their arguments. */
  readonly extra?: JsonObject | undefined;
}

/** One meaning of a call by its name for a model: a call of a server or of the agent's own tools, with the registry's facts. */
export interface Target {
  readonly call: Call;
  readonly facts: RegistryFacts;
}

interface Decided {
  readonly target: Target;
  readonly decision: Decision;
}

/** A name that a call may have, and its arguments then. */
export interface NamedCall extends NameMeant {
  readonly args: JsonObject | undefined;
}

/** Finds the servers and tools that a call by its name for a model may be for. */
export class CallTargets {
  readonly #setup: Pick<GateSetup, 'policy' | 'ports'>;
  readonly #recorder: Recorder;
  readonly #tools: KnownTools;
  /** Facts about the calls that are being decided. */
  readonly #facts = new WeakMap<Call, RegistryFacts>();

  /** Calls of which a client's hook gets less than the model says, as it gets them. */
  readonly #made = new WeakMap<Call, LinkedCall>();

  constructor(setup: Pick<GateSetup, 'policy' | 'ports'>, recorder: Recorder) {
    this.#setup = setup;
    this.#recorder = recorder;
    this.#tools = new KnownTools(setup.ports);
  }

  /** The facts about a call that `of` has returned. */
  factsOf(call: Call): RegistryFacts {
    return this.#facts.get(call) ?? NO_DEFINITION;
  }

  /** A call that `of` has returned, as its client makes it. */
  madeOf(call: Call): LinkedCall {
    return this.#made.get(call) ?? call;
  }

  /**
   * All meanings of a call for the servers that are known. Call it in an open transaction.
   *
   * @param named all names that it may have
   */
  of({ name, server, runBy }: ModelCall, request: ModelRequest, named: readonly NamedCall[]): readonly Target[] {
    const { client, tools } = request;
    const toTarget = (owned: ToolOfServer, given: JsonObject | undefined): Target =>
      this.#withFacts({
        method: TOOL_CALL,
        ...argumentsOf(given, request),
        server: owned.server,
        tool: owned.tool,
        isUneditable: true,
      });
    // Whoever called the server itself, or its client, names the server beside the tool.
    if (server !== undefined) return [toTarget({ server, tool: name }, named[0]?.args)];
    const about = { client, servers: this.#tools.servers(), requestTools: tools };
    return named.flatMap(({ name: spelling, group: part, args: given }): readonly Target[] => {
      const meaning = readToolName(spelling, { ...about, group: part });
      if (meaning.kind === 'mcp') return meaning.candidates.map((owned) => toTarget(owned, given));
      const isNative = meaning.kind === 'native';
      const owned = isNative
        ? ({ server: NATIVE_SERVER, tool: part === undefined ? spelling : `${part}.${spelling}`, origin: 'native' } as const)
        : ({ server: meaning.server, tool: meaning.tool, origin: 'unmapped' } as const);
      const isInert = isNative && (runBy === 'provider' || (part === undefined && client?.inert?.has(spelling) === true));
      const target: Call = {
        method: TOOL_CALL,
        ...argumentsOf(given, request),
        ...owned,
        isUneditable: true,
        ...(isInert && { isInert }),
      };
      this.#facts.set(target, NO_DEFINITION);
      const told = isNative ? client?.hookArguments?.get(spelling) : undefined;
      if (told !== undefined && given !== undefined)
        this.#made.set(target, { ...owned, args: Object.fromEntries(Object.entries(given).filter(([key]) => told.has(key))) });
      return [{ call: target, facts: NO_DEFINITION }];
    });
  }

  /** Collects the facts about whoever asked, for the record of a call. Call it in an open transaction. */
  intercepted(
    { id, name, runBy, problem }: ModelCall,
    { dialect, id: request }: ModelRequest,
    { call, facts }: Target,
  ): Intercepted {
    const readServer = (): string | undefined => this.#setup.ports.registry.serverText(call.server, 'seen');
    const { type, address } = serverAddressOf(call.origin === undefined ? this.#recorder.within(readServer) : undefined);
    const { fingerprint } = facts;
    return { dialect, request, id, name, runBy, serverType: type, serverAddress: address, fingerprint, problem };
  }

  #withFacts(call: Call): Target {
    const { policy, ports } = this.#setup;
    const detection = readToolFindings(ports.registry, policy.current(), call);
    const facts = { ...readToolFacts(ports.registry, call), ...(detection !== undefined && { detection }) };
    this.#facts.set(call, facts);
    return { call, facts };
  }
}

interface StrictestOptions {
  readonly reviewer: Pick<Reviewer, 'decide' | 'refusal'>;
  /** Denies the call in any case. */
  readonly problem: ReasonCode | undefined;
  /** Rate limits do not apply here. */
  readonly hasTokens: boolean;
}

/**
 * Decides all meanings of a call and returns the one with the strictest decision. Meanings with deceptive names count only if there are no
 * others, since no server gets such a call from us.
 */
export function strictestOf(targets: readonly Target[], { reviewer, problem, hasTokens }: StrictestOptions): Decided | undefined {
  let strictest: Decided | undefined;
  const callable = targets.filter(({ call }) => nameProblem(call.tool ?? '') === undefined);
  const refused = callable.length > 0 ? problem : 'malformed';
  for (const target of callable.length > 0 ? callable : targets) {
    const decided = reviewer.decide(target.call, hasTokens);
    const decision = refused === undefined || decided.action === 'deny' ? decided : reviewer.refusal(refused).decision;
    if (strictest === undefined || STRICTNESS[decision.action] > STRICTNESS[strictest.decision.action])
      strictest = { target, decision };
  }
  return strictest;
}

function argumentsOf(args: JsonObject | undefined, { hide, extra }: ModelRequest): Pick<Call, 'args' | 'shownArgs' | 'extra'> {
  const more = extra === undefined ? {} : { extra };
  if (args === undefined) return more;
  const shown = hide?.(args) ?? args;
  return shown === args ? { args, ...more } : { args, shownArgs: shown, ...more };
}

/** The arguments of a model's call; undefined if they are incomplete, or if readers may differ on them. */
export function readCallArguments({ args, problem }: Pick<ModelCall, 'args' | 'problem'>): JsonObject | undefined {
  if (args === undefined || problem !== undefined) return undefined;
  try {
    const value = parseJson(args);
    return isJsonObject(value) ? value : undefined;
  } catch {
    // The API's stream parser has reported a problem for such arguments already.
    return undefined;
  }
}
