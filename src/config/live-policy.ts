import { type CompiledPolicy, compilePolicy } from '../core/match/compile.ts';
import type { Policy } from '../core/policy/tables.ts';
import type { PolicyChange } from '../core/policy/types.ts';
import { describeChange, describeGone, problemOf } from './describe-change.ts';
import { parsePolicyText } from './policy-file.ts';
import { leavePolicyMark } from './policy-mark.ts';
import { findOpenPath, type Moment, PolicyWatch, type SeenCall } from './policy-watch.ts';
import { emptyPolicy, findProjectPolicy, type ProjectPlace, type StartPolicy } from './start-policy.ts';

/** Milliseconds between two checks of the disk; and while a file is missing or being written. */
const LOOK_EVERY = 250;
const LOOK_AGAIN = 10;
/** The files were just read when the first message comes, and the first check costs a start 2 ms (measured). */
const FIRST_LOOK = 200;

const NO_CHANGES: readonly PolicyChange[] = [];

const MACHINE_CLOCK = (): Moment => ({ elapsed: performance.now(), now: Date.now() });

export interface LivePolicyOptions {
  readonly start: StartPolicy;
  /** The folder of the mark that a policy exists. */
  readonly stateDir: string;
  readonly place: ProjectPlace;
  /** Tells the person who runs us, in one line. */
  readonly warn: (line: string) => void;
  readonly clock?: () => Moment;
  /** True if the files may have changed since they were read. */
  readonly isOld?: boolean;
}

/**
 * The policy in force, which follows its files. They are checked when something is decided, at most every quarter of a second: an idle
 * process does nothing. If a file is unusable, its last good version stays in force; if the user's own is gone, everything is denied.
 */
export class LivePolicy {
  readonly #options: LivePolicyOptions;
  readonly #clock: () => Moment;
  readonly #own: PolicyWatch;
  #project: PolicyWatch | undefined;
  /** The user's policy in force; undefined once it is gone. */
  #ownPolicy: Policy | undefined;
  #projectPolicy: Policy | undefined;
  /** The text in the user's file, if that is the policy in force. */
  #ownText: string | undefined;
  #compiled: CompiledPolicy;
  #nextLook: number;
  #isUnsure = false;
  #isReading = false;
  #hasWarned = false;
  #changes: readonly PolicyChange[] = NO_CHANGES;

  constructor(options: LivePolicyOptions) {
    const { start, clock = MACHINE_CLOCK, isOld = false } = options;
    this.#options = options;
    this.#clock = clock;
    this.#nextLook = clock().elapsed + (isOld ? 0 : FIRST_LOOK);
    this.#own = new PolicyWatch(start.file, start.kind === 'file');
    this.#ownPolicy = start.policy;
    this.#ownText = start.kind === 'file' ? start.policy?.text : undefined;
    this.#project = start.project === undefined ? undefined : new PolicyWatch(start.project.file, true);
    this.#projectPolicy = start.project?.policy;
    this.#compiled = this.#compile();
    if (start.kind === 'file') this.#leaveMark();
    if (start.kind === 'gone') options.warn(describeGone(start.file, start.isUsual));
  }

  /** Returns the policy in force as of the last `refresh`. */
  current(): CompiledPolicy {
    return this.#compiled;
  }

  /**
   * Call it before a decision. False while the policy is unknown, since the file has just changed: ask again a few milliseconds later.
   * Never throws.
   */
  refresh(): boolean {
    if (this.#isReading) return false;
    const at = this.#clock();
    if (at.elapsed < this.#nextLook) return !this.#isUnsure;
    return this.#look(at);
  }

  /** Returns the changes since the last call. */
  takeChanges(): readonly PolicyChange[] {
    const changes = this.#changes;
    this.#changes = NO_CHANGES;
    return changes;
  }

  #look(at: Moment): boolean {
    const own = this.#own.look(at);
    const project = this.#lookAtProject(at);
    this.#isUnsure = own.kind === 'unsure' || project?.kind === 'unsure';
    this.#nextLook = at.elapsed + (this.#isUnsure ? LOOK_AGAIN : LOOK_EVERY);
    if (!this.#hasWarned) this.#warnOfWriters();
    if (isNews(own, this.#ownText) || (project !== undefined && isNews(project, this.#projectPolicy?.text))) {
      this.#isReading = true;
      void this.#take(own, project)
        // This is a bug of ours: the policy in force stays.
        .catch((error: unknown) => this.#options.warn(`could not load a changed policy: ${String(error)}`))
        .finally(() => {
          this.#isReading = false;
        });
      return false;
    }
    return !this.#isUnsure;
  }

  /** Checks the project's policy; one may appear while we run, even nearer than the known one. */
  #lookAtProject(at: Moment): SeenCall | undefined {
    const found = findProjectPolicy(this.#options.place);
    const isNearer = found !== undefined && found.length > (this.#project?.file.length ?? 0);
    if (isNearer) this.#project = new PolicyWatch(found, true);
    return this.#project?.look(at);
  }

  async #take(own: SeenCall, project: SeenCall | undefined): Promise<void> {
    const changes: Omit<PolicyChange, 'hash'>[] = [];
    if (isNews(own, this.#ownText)) changes.push(await this.#takeOwn(own));
    if (project !== undefined && isNews(project, this.#projectPolicy?.text)) changes.push(await this.#takeProject(project));
    this.#compiled = this.#compile();
    const { hash } = this.#compiled;
    const isInitWanted = this.#options.start.isUsual;
    for (const change of changes) this.#options.warn(describeChange(change, isInitWanted));
    this.#changes = [...this.#changes, ...changes.map((change) => ({ ...change, hash }))];
  }

  async #takeOwn(seenCall: SeenCall): Promise<Omit<PolicyChange, 'hash'>> {
    const { file } = this.#own;
    const about = { source: 'user', file } as const;
    if (seenCall.kind === 'gone') {
      this.#ownPolicy = undefined;
      this.#ownText = undefined;
      return { ...about, status: 'gone', problem: undefined };
    }
    const taken = await readPolicy(seenCall, { file, last: this.#ownText });
    if ('problem' in taken) return { ...about, status: 'kept', problem: taken.problem };
    this.#ownPolicy = taken.policy;
    this.#ownText = taken.policy.text;
    this.#leaveMark();
    return { ...about, status: 'loaded', problem: undefined };
  }

  /**
   * Takes a changed project policy. A missing one stays in force until this process exits: it can only restrict, and a new start reads what
   * is there then.
   */
  async #takeProject(seenCall: SeenCall): Promise<Omit<PolicyChange, 'hash'>> {
    const file = this.#project?.file ?? '';
    const about = { source: 'project', file } as const;
    if (seenCall.kind === 'gone') return { ...about, status: 'kept', problem: `${file}: it is gone` };
    const taken = await readPolicy(seenCall, { file, isProject: true, last: this.#projectPolicy?.text });
    if ('problem' in taken) return { ...about, status: 'kept', problem: taken.problem };
    this.#projectPolicy = taken.policy;
    return { ...about, status: 'loaded', problem: undefined };
  }

  #compile(): CompiledPolicy {
    const project = this.#projectPolicy;
    if (this.#ownPolicy !== undefined) return compilePolicy(this.#ownPolicy, { project });
    return compilePolicy(emptyPolicy(), { project, isGone: true });
  }

  #leaveMark(): void {
    const { start, stateDir } = this.#options;
    if (!start.isUsual) return;
    try {
      leavePolicyMark(stateDir, start.file);
    } catch {
      // Then nothing can be recorded there either, which denies calls and reports the reason.
    }
  }

  /** Warns once if others can write to the policy: they decide what is allowed. */
  #warnOfWriters(): void {
    if (this.#ownText === undefined) return;
    this.#hasWarned = true;
    const open = findOpenPath(this.#own.file);
    if (open !== undefined)
      this.#options.warn(`other users can change the policy, because they can write to ${open}: run chmod go-w on it`);
  }
}

/** Tells whether a seen call needs handling. A known text does not: the file was only touched, or moved. */
function isNews(seenCall: SeenCall, known: string | undefined): boolean {
  if (seenCall.kind === 'text') return seenCall.text !== known;
  return seenCall.kind === 'gone' || seenCall.kind === 'unusable';
}

interface Taken {
  readonly file: string;
  readonly isProject?: boolean;
  /** The last good text of this file. */
  readonly last: string | undefined;
}

async function readPolicy(
  seenCall: SeenCall,
  { last, ...origin }: Taken,
): Promise<{ readonly policy: Policy } | { readonly problem: string }> {
  if (seenCall.kind === 'unusable') return { problem: problemOf(seenCall.error) };
  const text = seenCall.kind === 'text' ? seenCall.text : '';
  // The file was truncated before a rewrite, or by accident. A user who wants an empty policy can write a comment.
  if (isBlank(text) && last !== undefined && !isBlank(last)) return { problem: `${origin.file}: it is empty` };
  try {
    return { policy: await parsePolicyText(text, origin) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function isBlank(text: string): boolean {
  return text.replace(/^\uFEFF/, '').trim() === '';
}
