import type { Socket } from 'node:net';
import { type ClosableApprover, LazyApprover } from '../../approval/lazy-approver.ts';
import type { Config } from '../../config/config.ts';
import type { LivePolicy } from '../../config/live-policy.ts';
import type { Tasks } from '../../gate/answers/tasks.ts';
import type { SessionBy } from '../../gate/ports/session-port.ts';
import { runsFolder } from '../../session/registered-runs.ts';
import { createNamedSession, type Session } from '../../session/session.ts';
import { openApprover } from '../proxy/open-ports.ts';
import { Callers, createStdioServers, type FoundCaller } from './callers.ts';

export interface RunsOptions {
  readonly config: Config;
  readonly policy: LivePolicy;
  /** The session of all calls, if it was given. */
  readonly session: Session | undefined;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
}

/** The state of one session's calls: those of one run of a client, or whatever comes by the URLs of one. */
export interface Run {
  readonly session: Session;
  /** Undefined where somebody has said so. */
  readonly sessionBy?: (() => SessionBy) | undefined;
  readonly approver: ClosableApprover;
  /** Tasks by server name: their results may be asked for in another session of MCP, or in none. */
  readonly tasks: Map<string, Tasks>;
}

/** Sessions that are remembered; of more, the one that was called for longest ago is forgotten. */
const MOST_RUNS = 10_000;

/** The runs that calls by URLs belong to. */
export class Runs {
  readonly #options: RunsOptions;
  readonly #callers: Callers;
  /** Runs by the group of a URL or the key of a caller, the last used one last. */
  readonly #runs = new Map<string, Run>();

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#callers = new Callers(runsFolder(options.config.stateDir));
  }

  /** Finds the run that calls over a connection belong to. A promise only while it looks; it never rejects. */
  callerOf(group: string, socket: Socket): Run | Promise<Run> {
    if (this.#options.session !== undefined) return this.of(group);
    const found = this.#callers.of(socket);
    return found instanceof Promise ? found.then((caller) => this.#ofCaller(caller, group)) : this.#ofCaller(found, group);
  }

  /** The run of a group's URLs. */
  of(group: string): Run {
    const { session } = this.#options;
    if (session !== undefined) return this.#at(group, () => ({ session }));
    return this.#at(group, () => ({ session: createNamedSession(group), sessionBy: () => 'url' }));
  }

  close(): void {
    for (const { approver } of this.#runs.values()) approver.close();
  }

  #ofCaller(found: FoundCaller, group: string): Run {
    if (typeof found === 'object' && 'session' in found)
      return this.#at(`peer ${found.key}`, () => ({ session: found.session, sessionBy: () => 'process' }));
    // Another user who has got hold of a URL is not the client that it was meant for.
    if (typeof found === 'object') return this.of(`${group} of user ${found.user}`);
    if (found !== 'unknown') return this.of(group);
    return this.#at(`unknown ${group}`, () => {
      const session = createNamedSession(group, createStdioServers(group));
      const name = session.id();
      const sessionBy = (): SessionBy => (session.id().startsWith(name) ? 'url' : 'servers');
      // A person's approvals for a session don't apply to callers that merely may belong to it.
      return { session, sessionBy, approvals: () => name };
    });
  }

  /** @param find `approvals`: the session in which a yes for a session counts, where that is another one */
  #at(key: string, find: () => Omit<Run, 'approver' | 'tasks'> & { readonly approvals?: () => string }): Run {
    const run = this.#runs.get(key) ?? this.#create(find());
    this.#runs.delete(key);
    this.#runs.set(key, run);
    const [[oldestKey, oldest] = []] = this.#runs;
    if (this.#runs.size > MOST_RUNS && oldestKey !== undefined) {
      this.#runs.delete(oldestKey);
      oldest?.approver.close();
    }
    return run;
  }

  #create({
    session,
    sessionBy,
    approvals = session.id,
  }: Omit<Run, 'approver' | 'tasks'> & { readonly approvals?: () => string }): Run {
    const { config, warn } = this.#options;
    const policy = (): ReturnType<LivePolicy['current']>['policy'] => this.#options.policy.current().policy;
    const approver = new LazyApprover(async () => openApprover({ config, session: approvals, policy, warn }));
    return { session, sessionBy, approver, tasks: new Map() };
  }
}
