import { type Call, CLIENT_CALLS } from '../core/call.ts';
import { exactJson } from '../core/canonical-json.ts';
import { decide } from '../core/decide.ts';
import type { Decision } from '../core/decision.ts';
import type { ServerContext } from '../core/detect/types.ts';
import { PastCalls } from '../core/flow/past-calls.ts';
import type { Evidence, SessionFacts } from '../core/flow/window.ts';
import type { JsonValue } from '../core/json.ts';
import type { CompiledPolicy } from '../core/policy/compile.ts';
import { createSubject } from '../core/policy/subject.ts';
import type { Bucket } from '../core/rate/bucket.ts';
import type { Category } from '../core/registry/category.ts';
import type { Snapshot } from '../core/snapshot.ts';
import type { Buckets } from '../gate/ports.ts';
import { Rates } from '../gate/rates.ts';
import { textsIn } from '../gate/result-texts.ts';
import type { Provenance, RememberedValues } from '../gate/session-port.ts';
import { IDLE } from '../gate/session-view.ts';
import { turnOf } from '../gate/turn.ts';
import { ValueProvenance } from '../gate/value-provenance.ts';
import type { Fixture, SessionSetup } from './fixture-case.ts';
import type { FixtureContext } from './fixture-context.ts';
import { FixtureDetection, type RequestOutcome, type ResultOutcome } from './fixture-detection.ts';

/** When every session of fixtures begins. */
const START = Date.UTC(2026, 0, 1);

/**
 * The machine that fixtures run on, the same everywhere: a result must not depend on who tests, where, or on what is on
 * the disk. A path is therefore its own real path.
 */
export const FIXTURE_PATHS: Snapshot['paths'] = {
  home: '/home/user',
  cwd: '/home/user/project',
  platform: 'posix',
  remote: false,
};

/** Fixtures without steps are alone in theirs. */
const ALONE: SessionSetup = { tools: new Map(), servers: new Set() };

/** The key of what is known of values: nothing that is hashed with it leaves this process, and what is found must be the same each time. */
const KEY = new Uint8Array(32);

/** What a session needs of its surroundings. */
export interface SessionParts {
  readonly policy: CompiledPolicy;
  /** The machine; that of fixtures where nothing is said. */
  readonly paths?: Snapshot['paths'];
}

/** What became of a call. */
export interface Decided {
  readonly decision: Decision;
  /** What became of its result; undefined where there is none. */
  readonly result: ResultOutcome | undefined;
  /** What became of it where a server asks for it; undefined of other calls. */
  readonly request?: ResultOutcome | undefined;
}

/** Who decides a call, and who says what became of one that nobody gets to see. */
interface Judges<Judged> {
  readonly by: (call: Call, snapshot: Snapshot) => Judged;
  readonly keptBack: (call: Call, decision: Decision) => Judged;
}

/** A session as fixtures tell it: decides one call after the other, each with what the ones before have left. No clock, no store. */
export class FixtureSession {
  readonly #parts: SessionParts;
  readonly #setup: SessionSetup;
  readonly #rates: Rates;
  readonly #detection: FixtureDetection;
  readonly #called = new Set<string>();
  readonly #calls = new PastCalls();
  readonly #values: RememberedValues[] = [];
  readonly #provenance: Provenance;
  #now = START;
  /** When the last call came that the session is about. */
  #last = START;

  constructor(parts: SessionParts, setup = ALONE) {
    this.#parts = parts;
    this.#provenance = new ValueProvenance(() => KEY);
    this.#setup = setup;
    this.#detection = new FixtureDetection(parts.policy);
    const clock = { now: () => this.#now, elapsed: () => 0 };
    this.#rates = new Rates({ buckets: createBuckets(), clock }, () => parts.policy);
  }

  /** Decides a call, and notes what it leaves behind. Calls come in the order of their times. */
  decide(fixture: Fixture): Decided {
    return this.judge(fixture, {
      by: (call, snapshot) => ({ decision: decide(call, snapshot) }),
      keptBack: (_call, decision) => ({ decision }),
    });
  }

  /** The same with more than the decision, which must be that of `decide`, as the one that an explanation has. */
  judge<Judged extends { readonly decision: Decision }>(
    fixture: Fixture,
    { by, keptBack }: Judges<Judged>,
  ): Judged & Pick<Decided, 'result' | 'request'> {
    const asked = this.#detection.requestOf(fixture.call);
    if (asked?.outcome === 'deny')
      return { ...keptBack(fixture.call, this.#keptBack(asked)), result: undefined, request: 'deny' };
    const judged = this.#judge(asked === undefined ? fixture : { ...fixture, call: asked.call }, by);
    return asked === undefined ? judged : { ...judged, request: asked.outcome };
  }

  /** What nobody gets to see is not decided any further. */
  #keptBack({ found }: RequestOutcome): Decision {
    return { action: 'deny', reason: 'detection', foundIn: 'answer', findings: found, policyHash: this.#parts.policy.hash };
  }

  #judge<Judged extends { readonly decision: Decision }>(
    fixture: Fixture,
    by: Judges<Judged>['by'],
  ): Judged & Pick<Decided, 'result'> {
    const { context = {}, step } = fixture;
    const { policy, paths = FIXTURE_PATHS } = this.#parts;
    const call: Call = context.isUnmapped === true ? { ...fixture.call, origin: 'unmapped' } : fixture.call;
    // An agent's own tools are no server's, and nothing flows between servers through them.
    const isNative = call.origin === 'native';
    this.#now = START + (step?.at ?? 0);
    const { registry } = context;
    const known = registry === undefined ? {} : { registry };
    const categories = context.categories ?? createSubject(call, { policy, ...known }).categories();
    const isAbout = !isNative && CLIENT_CALLS.has(call.method) && policy.policy.flow.enabled;
    if (isAbout) this.#goOn();
    if (!isNative) this.#called.add(call.server);
    const servers = this.#serversFor(context);
    // Until there are two, nothing can flow from one to another, and nothing is noted.
    const isLookedAt = isAbout && servers > 1;
    const rates = this.#rates.snapshot(call);
    const turn = step?.turn ?? turnOf(call);
    const around = this.#contextOf(call);
    const detection = this.#detection.facts(call, context.detection, around);
    const judged = by(call, {
      policy,
      paths,
      realPaths: new Map(),
      categories,
      ...known,
      ...(isLookedAt ? { session: this.#factsFor(call, { context, servers, turn }) } : {}),
      ...(rates === undefined ? {} : { rates }),
      ...(detection === undefined ? {} : { detection }),
    });
    const { decision } = judged;
    const isForwarded = decision.action === 'allow' || (decision.action === 'prompt' && step?.isApproved === true);
    if (isForwarded) this.#rates.spend(call);
    const answer = isForwarded && !isNative ? step?.result : undefined;
    const result = answer === undefined ? undefined : this.#detection.outcomeOf(call, answer);
    // What is kept back, nobody can carry elsewhere.
    const seen = result === 'deny' ? undefined : answer;
    if (isLookedAt) this.#note({ call, step, categories, turn, isForwarded, answer: seen });
    if (isForwarded && step?.isRetracted === true) this.#rates.refund(call);
    return { ...judged, result };
  }

  /** What detection sees a server's texts beside. */
  #contextOf({ server, tool }: Call): ServerContext {
    const others = new Map([...this.#setup.tools].filter(([name]) => name !== server));
    const own = this.#setup.tools.get(server) ?? [];
    return { server, tools: tool === undefined ? own : [...new Set([...own, tool])], others };
  }

  /** After so long a pause another session begins. It goes on with what a window may look back at; what servers were told is not known any more. */
  #goOn(): void {
    if (this.#now - this.#last > IDLE) {
      this.#provenance.clear();
      for (const values of this.#values) this.#provenance.add(values);
    }
    this.#last = this.#now;
  }

  /** How many servers are part of the session. */
  #serversFor({ servers = [...this.#setup.servers], shadowed }: FixtureContext): number {
    const others = shadowed === undefined ? [] : [shadowed];
    return new Set([...servers, ...this.#setup.tools.keys(), ...this.#called, ...others]).size;
  }

  #factsFor(call: Call, { context, servers, turn }: Surroundings): SessionFacts {
    const now = this.#calls.nowFrom(this.#now);
    let evidence: readonly Evidence[] | undefined;
    return {
      now,
      calls: this.#calls.list(now),
      turn,
      servers,
      shadowed: context.shadowed ?? this.#shadowed(call),
      evidence: () => (evidence ??= this.#provenance.find(call.args, call.server)),
    };
  }

  /** The server that listed a tool of this name before this call's did. */
  #shadowed({ server, tool }: Call): string | undefined {
    const [first] = [...this.#setup.tools].find(([, names]) => tool !== undefined && names.includes(tool)) ?? [];
    return first === server ? undefined : first;
  }

  #note({ call, step, categories, turn, isForwarded, answer }: Noted): void {
    const id = `step ${step?.number ?? 1}`;
    const time = this.#now;
    const { server, method } = call;
    const subject = call.tool ?? call.resource ?? call.prompt ?? '';
    this.#calls.add({ id, time, server, method, subject, categories, turn, isForwarded });
    if (step?.isRetracted === true) this.#calls.retract(id);
    if (!isForwarded) return;
    this.#provenance.noteSaid(server, call.args, time);
    if (answer === undefined) return;
    const { hashes } = drain(this.#provenance.read(server, textsIn(toBytes(answer)).texts));
    const values = { n: this.#values.length + 1, source: id, server, time, hashes };
    this.#values.push(values);
    this.#provenance.add(values);
  }
}

interface Surroundings {
  readonly context: FixtureContext;
  readonly servers: number;
  readonly turn: string | undefined;
}

interface Noted {
  readonly call: Call;
  readonly step: Fixture['step'];
  readonly categories: readonly Category[];
  readonly turn: string | undefined;
  readonly isForwarded: boolean;
  /** What the agent gets to see. */
  readonly answer: JsonValue | undefined;
}

/** As it would come from the server. */
function toBytes(result: JsonValue): Buffer {
  return Buffer.from(exactJson(result));
}

function createBuckets(): Buckets {
  const buckets = new Map<string, Bucket>();
  return { read: (key) => buckets.get(key), write: (key, bucket) => void buckets.set(key, bucket) };
}

/** What a generator comes to. */
function drain<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
