import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import { SharedSink } from '../../audit/shared-sink.ts';
import type { Config } from '../../config/config.ts';
import { LivePolicy } from '../../config/live-policy.ts';
import { loadPlainPolicy } from '../../config/policy-file.ts';
import { findProjectPolicy, type StartPolicy } from '../../config/start-policy.ts';
import { isAbsolute } from 'node:path';
import type { SecretFinder } from '../../core/dlp/find-secrets.ts';
import { finderOf } from '../../core/outgoing/secrets-of-call.ts';
import { Tasks } from '../../gate/answers/tasks.ts';
import { HookGate } from '../../gate/hook/hook-gate.ts';
import { loadDetector } from '../../gate/detection/detector-source.ts';
import { mayHold } from '../../gate/detection/message-part.ts';
import { ScanQueue } from '../../gate/detection/scan-queue.ts';
import { Interceptor } from '../../gate/interceptor.ts';
import type { DeniedMemory } from '../../gate/model/denied-results.ts';
import { SeenCallsById } from '../../gate/model/seen-calls.ts';
import { KnownTools } from '../../gate/model/known-tools.ts';
import { ModelGate } from '../../gate/model/model-gate.ts';
import { ModelSecrets } from '../../gate/model/secrets/model-secrets.ts';
import { UserWords } from '../../gate/model/user-words.ts';
import { OfferedTools } from '../../gate/model/offered-tools.ts';
import type { GateSetup, Sink } from '../../gate/ports/ports.ts';
import type { BodyRecord, RequestCounts } from '../../gate/ports/records.ts';
import type { LaunchIdentity } from '../../gate/ports/registry-port.ts';
import type { SeenCalls } from '../../gate/ports/seen-call-port.ts';
import { Recorder } from '../../gate/recorder.ts';
import { machineClock } from '../../host/machine.ts';
import { pathStyle, realPath } from '../../host/paths.ts';
import { type RemoteServer, showUrl } from '../../remote/remote-server.ts';
import { createRecordIds, remoteIdentity } from '../../session/ids.ts';
import type { Session } from '../../session/session.ts';
import type { UpstreamFault } from '../../transport/http/upstream-fault.ts';
import { createLiveOwnPaths, ownFiles } from '../machine/own-paths.ts';
import { openSink, tokenKey } from '../proxy/open-ports.ts';
import { type Run, Runs } from './runs.ts';

export interface GateMakerOptions {
  readonly config: Config;
  readonly start: StartPolicy;
  readonly isObserving: boolean;
  /** The folder that the project is around and agents work in, absolute. Without it that is not known, and no project has a say. */
  readonly cwd?: string;
  /** The session of all calls, if it was given. */
  readonly session?: Session;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** Projects whose policies are kept at hand. */
const MOST_PROJECTS = 64;

/** Makes the gates of all remote servers and of all that models call: one policy, one store and one set of ids for all of them. */
export class GateMaker {
  readonly #options: GateMakerOptions;
  readonly #policy: LivePolicy;
  readonly #sink: SharedSink;
  /** The sink of records that belong to no gate. */
  readonly #member: Sink;
  readonly #recorder: Recorder;
  readonly #shared: Pick<GateSetup['ports'], 'registry' | 'sessionLog' | 'memories' | 'buckets' | 'recordId' | 'scanQueue'>;
  readonly #seenCalls: SeenCalls;
  readonly #seenCallsById: SeenCalls;
  readonly #own: GateSetup['own'];
  readonly #identities = new WeakMap<RemoteServer, LaunchIdentity>();
  readonly #runs: Runs;
  /** The policies that count in a project, by the file of its own one. */
  readonly #projects = new Map<string, LivePolicy>();

  constructor(options: GateMakerOptions) {
    const { config, start, warn } = options;
    const { env, platform } = process;
    const home = homedir();
    this.#options = options;
    // A project's policy is of those who work in it. Whoever calls a remote server may do so from anywhere.
    const place = { cwd: options.cwd ?? home, home };
    this.#policy = new LivePolicy({ start, stateDir: config.stateDir, place, warn });
    this.#runs = new Runs({ config, policy: this.#policy, session: options.session, warn });
    const recording = openSink(config, warn);
    this.#sink = new SharedSink(recording.sink);
    this.#member = this.#sink.forConnection();
    this.#recorder = new Recorder({ sink: this.#member, clock: machineClock, warn });
    const { seenCalls, ...stores } = this.#sink.share(recording.stores);
    this.#shared = {
      ...stores,
      memories: () => recording.memories,
      recordId: createRecordIds(),
      scanQueue: new ScanQueue(machineClock),
    };
    this.#seenCalls = seenCalls;
    this.#seenCallsById = new SeenCallsById(seenCalls);
    const { detection } = this.#policy.current().policy;
    // The first list would wait for it. Each gate tells if that fails, since it asks again.
    if (mayHold(detection) && !options.isObserving) loadDetector(detection.rules).catch(() => undefined);
    this.#own = createLiveOwnPaths({ env, platform, home, stateDir: config.stateDir, files: ownFiles(start, config) });
  }

  /** Finds the run that calls over a connection belong to. A promise only while it looks; it never rejects. */
  callerOf({ group }: { readonly group: string }, socket: Socket): Run | Promise<Run> {
    return this.#runs.callerOf(group, socket);
  }

  /** A gate of its own for a session or a request. @param run whose; that of the URL without it */
  create(server: RemoteServer, run = this.#runs.of(server.group)): Interceptor {
    const { platform } = process;
    const setup = {
      server: server.name,
      identity: () => this.#identityOf(server),
      // The paths of a remote server are not on our disk.
      paths: { home: homedir(), cwd: homedir(), roots: [], platform: pathStyle(platform), remote: true },
      ...this.#setupOf(run),
    };
    return new Interceptor(setup, tasksOf(run, server.name));
  }

  /** Worked out once: gates ask for it again and again. */
  #identityOf(server: RemoteServer): LaunchIdentity {
    let identity = this.#identities.get(server);
    if (identity === undefined) {
      identity = remoteIdentity(server.url, showUrl(server.url));
      this.#identities.set(server, identity);
    }
    return identity;
  }

  /** The gate of what a run's models call. @param memory of all gates before the provider */
  createModelGate(run: Run, memory: DeniedMemory, { words }: { readonly words: UserWords }): ModelGate {
    const home = homedir();
    // Calls of agents run on this machine.
    const paths = { home, cwd: this.#options.cwd ?? home, roots: [], platform: pathStyle(process.platform), remote: false };
    return new ModelGate({ paths, onCall: (args) => words.noteCall(args), ...this.#setupOf(run) }, memory);
  }

  /**
   * The gate of one call that a client asks about.
   *
   * @param cwd the client's folder
   * @throws ClawaiError if the project there has a policy that can't be read
   */
  async createHookGate(run: Run, cwd: string | undefined): Promise<HookGate> {
    const home = homedir();
    const folder = cwd !== undefined && isAbsolute(cwd) ? cwd : home;
    const paths = { home, cwd: folder, roots: [], platform: pathStyle(process.platform), remote: false };
    return new HookGate({ paths, ...this.#setupOf(run), policy: await this.#policyIn({ cwd: folder, home }) });
  }

  async #policyIn(place: { readonly cwd: string; readonly home: string }): Promise<LivePolicy> {
    const file = findProjectPolicy(place);
    if (file === undefined) return this.#policy;
    const known = this.#projects.get(file);
    if (known !== undefined) return known;
    const { config, start, warn } = this.#options;
    const project = { file, policy: await loadPlainPolicy({ file, isProject: true }) };
    const { stateDir } = config;
    const policy = new LivePolicy({ start: { ...start, project }, stateDir, place, warn, isOld: true });
    this.#projects.set(file, policy);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > MOST_PROJECTS && oldest !== undefined) this.#projects.delete(oldest);
    return policy;
  }

  /** Records, by the way, that a server had another key than the one that it is pinned to. */
  recordPinnedKey(server: RemoteServer, { fingerprints, message }: UpstreamFault): void {
    if (fingerprints === undefined) return;
    const session = this.#runs.of(server.group).session.id();
    const record = { time: Date.now(), session, server: server.name, address: new URL(server.url).host, problem: message };
    this.#recorder.recordLater(() => this.#member.record({ type: 'connection', ...record, ...fingerprints }));
  }

  /** Compares what is offered to a run's models with what servers have listed. */
  createOfferedTools({ session }: Run): OfferedTools {
    const { registry } = this.#shared;
    return new OfferedTools({
      ports: { clock: machineClock, registry, session: session.id },
      tools: new KnownTools({ clock: machineClock, registry }),
      soon: (act) => this.#recorder.recordLater(act),
      record: (record) => this.#member.record({ type: 'offered_differs', ...record }),
    });
  }

  /** Finds the secrets in a run's requests to models. */
  createModelSecrets({ session }: Run): ModelSecrets {
    const { config, isObserving, warn } = this.#options;
    return new ModelSecrets({
      policy: this.#policy,
      isObserving,
      session: session.id,
      key: () => tokenKey(config, warn),
      record: (news) => {
        const record = { ...news, time: Date.now(), session: session.id() };
        this.#recorder.recordLater(() => this.#member.record(record));
      },
    });
  }

  /** Reads what a run's user says to models. */
  createUserWords(run: Run): UserWords {
    const { ports, policy } = this.#setupOf(run);
    // Somebody gave the session, or its process was found: several agents may use one URL.
    return new UserWords({ ports, policy, isSure: () => (run.sessionBy?.() ?? 'process') === 'process' });
  }

  /** Finds what the policy counts as secrets. */
  secretFinder(): SecretFinder {
    return finderOf(this.#policy.current().policy.dlp);
  }

  /** Records, by the way, what goes to an LLM provider or comes from it. */
  recordBody(run: Run, body: Omit<BodyRecord, 'session'>): void {
    const session = run.session.id();
    this.#recorder.recordLater(() => this.#member.record({ type: 'body', ...body, session }));
  }

  /** Records, by the way, what became of the requests to a run's models. */
  recordModelRequests(run: Run, counts: RequestCounts): void {
    const record = { time: Date.now(), session: run.session.id(), counts };
    this.#recorder.recordLater(() => this.#member.record({ type: 'model_requests', ...record }));
  }

  /** Closes everything after all gates have finished; resolves when all is on record. */
  async close(): Promise<void> {
    await this.#recorder.finish();
    this.#runs.close();
    this.#sink.close();
  }

  #setupOf({ session, sessionBy, approver }: Run): Omit<GateSetup, 'server' | 'identity' | 'paths'> {
    const { config, isObserving, warn } = this.#options;
    return {
      policy: this.#policy,
      own: this.#own,
      isObserving,
      maxDepth: config.limits.depth,
      onError: config.onError,
      ports: {
        clock: machineClock,
        realPath,
        approver,
        sink: this.#sink.forConnection(),
        ...this.#shared,
        // Calls of the agent's model are known only in a session that somebody has named.
        seenCalls: () => (session.isGiven() ? this.#seenCalls : this.#seenCallsById),
        session: session.id,
        ...(sessionBy !== undefined && { sessionBy }),
        followSession: session.follow,
        warn,
      },
    };
  }
}

function tasksOf({ tasks }: Run, server: string): Tasks {
  const known = tasks.get(server) ?? new Tasks();
  tasks.set(server, known);
  return known;
}
