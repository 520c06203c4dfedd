import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { loadConfig } from '../../config/config-file.ts';
import { ClawaiError } from '../../errors.ts';
import type { RequestCounts } from '../../gate/ports/records.ts';
import { lookAtProcesses } from '../../session/processes.ts';
import { registerRun, runsFolder } from '../../session/registered-runs.ts';
import { isSessionName, NAME_RULE } from '../../session/ids.ts';
import { runAgent } from '../../transport/stdio/child-process.ts';
import { defineCommand, usageError } from '../command.ts';
import { DISABLED_LINE } from '../serve/llm-target.ts';
import { countOf } from '../terminal/layout.ts';
import { warn } from '../terminal/notes.ts';

/** `clawai run`: starts an agent whose servers, all of them, are of one session with a name, and stands in front of its LLM. */
export const runCommand = defineCommand({
  meta: {
    name: 'run',
    description: 'Start an agent in its own session, check its model by the policy, and sum up at the end.',
    // Stdout belongs to the agent.
    stdoutIs: 'protocol',
    notes: [
      'All events carry the name of the session. The session lasts as long as the agent runs, even if nothing happens in it.',
      'clawai sets ANTHROPIC_BASE_URL, OPENAI_BASE_URL and GOOGLE_GEMINI_BASE_URL, the variables that goose and Crush read instead, and adds an argument for Codex, so the agent sends its LLM requests through it. Calls that the policy denies never reach the agent. Requests that clawai cannot check are refused. It checks goose, Crush and opencode at Anthropic and OpenAI only. For Cursor, and Copilot CLI with GitHub models, it guards only the servers.',
    ],
    exitCodes: { 0: "the agent's own, whatever it is", 2: 'it could not be started' },
    examples: ['clawai run -- claude', 'clawai run --session nightly -- codex exec "run the tests"'],
  },
  args: {
    session: { type: 'string', hint: 'NAME', description: 'The name of the session. The default is run- and eight digits.' },
    policy: { type: 'string', hint: 'FILE', description: 'The policy that decides what the model may call.' },
    config: {
      type: 'string',
      hint: 'FILE',
      description: 'The config.toml with the store and the LLM providers.',
    },
    'no-llm': { type: 'boolean', description: 'Do not check the requests to the LLM.' },
    quiet: { type: 'boolean', letter: 'q', description: 'Print no summary at the end.' },
  },
  rest: {
    hint: 'AGENT [ARG…]',
    what: "the agent's command",
    description:
      'The command that starts the agent. Only arguments for Codex, and for Claude Code if clawai is its hook, are added.',
  },
  async run({ flags, rest }) {
    // The terminal may be gone when the agent ends, which is no error of ours.
    process.stderr.on('error', () => {});
    const session = flags.session ?? `run-${randomBytes(4).toString('hex')}`;
    if (!isSessionName(session)) throw usageError(`--session: ${NAME_RULE}`, 'see clawai help run');
    const config = await loadConfig({ flag: flags.config, env: process.env, platform: process.platform, home: homedir() });
    const { stateDir, llm } = config;
    const hasLlm = !flags['no-llm'] && llm.mode !== 'disabled';
    if (flags.policy !== undefined && !hasLlm) {
      const why = flags['no-llm'] ? '--no-llm' : 'llm.mode = "disabled"';
      throw usageError(
        `--policy decides what a model may call, but ${why} turns that check off`,
        'servers that are wrapped have policies of their own',
      );
    }
    if (!flags['no-llm'] && !hasLlm) warn(DISABLED_LINE);
    const lines = new HeldLines(warn, process.stderr.isTTY);
    const guarded = hasLlm
      ? await (
          await import('./guard-run.ts')
        ).guardRun({ config, policy: flags.policy, session, words: rest, env: process.env, warn: lines.say })
      : undefined;
    const since = Date.now();
    const end = register(runsFolder(stateDir), session);
    let code: number;
    let requests: RequestCounts | undefined;
    try {
      lines.hold();
      const { keepHooks } = await import('./keep-hooks.ts');
      const machine = { env: process.env, platform: process.platform, home: homedir() };
      const [command = '', ...args] = keepHooks(guarded?.words ?? rest, machine, lines.say);
      code = await runAgent([command, ...args], { ...process.env, ...guarded?.env, CLAWAI_SESSION: session });
    } finally {
      end();
      requests = await guarded?.close();
      lines.release();
    }
    if (!flags.quiet) {
      const happened = await readWhatHappened(stateDir, { session, since });
      warn(sayRequests(requests, happened.modelCalls));
      if (happened.line !== undefined) warn(happened.line);
    }
    return code;
  },
});

/** Registers the run. Without that, servers are still of the session if the variable reaches them, so a failure stops nothing. */
function register(folder: string, session: string): () => void {
  // Windows says nothing about the parents of processes, by which the run would be found.
  const processes = lookAtProcesses();
  if (processes === undefined) return () => {};
  try {
    return registerRun(folder, session, processes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(`this run is not registered (${why}): servers to which the agent does not pass CLAWAI_SESSION are of another session`);
    return () => {};
  }
}

/**
 * @param came undefined where nobody stood in front of the model, as the person wanted it
 * @param calls of the model; undefined if the store can't be read
 */
function sayRequests(came: RequestCounts | undefined, calls: number | undefined): string {
  if (came === undefined) return 'clawai checked no request to the model: that check was off';
  const { checked, refused, unchecked } = came;
  if (checked + refused + unchecked === 0)
    return 'warning: no request to a model passed through clawai: if the agent used a model, its calls were not checked';
  const parts = [
    `checked ${countOf(checked, 'request')} to the model${calls === undefined ? '' : ` and ${countOf(calls, 'call')} in its answers`}`,
    ...(refused > 0 ? [`refused ${countOf(refused, 'request')} that it could not check`] : []),
    ...(unchecked > 0 ? [`let ${countOf(unchecked, 'request')} pass unchecked`] : []),
  ];
  return parts.join(', and ');
}

/** Returns what the store has of the run: how many calls its models made, and a line on it; or a line on why it can't be read. */
async function readWhatHappened(
  stateDir: string,
  run: { readonly session: string; readonly since: number },
): Promise<{ readonly modelCalls?: number; readonly line: string | undefined }> {
  const { formatSessionSummary, readSessionSummary } = await import('../report/session-summary.ts');
  const { storeFile } = await import('../../store/private-file.ts');
  try {
    const summary = readSessionSummary(storeFile(stateDir), run);
    const modelCalls = summary.modelCalls + summary.fromAnswers;
    return { modelCalls, line: formatSessionSummary(run.session, summary) };
  } catch (error) {
    // The agent's exit code is the answer, whatever became of the store.
    if (!(error instanceof ClawaiError)) throw error;
    return { line: `what happened in session ${run.session} cannot be read: ${error.message}` };
  }
}

/** Lines that are kept; a fault that comes again and again is one line. */
const MOST = 50;

/**
 * Lines for the person who started an agent, while the agent has the terminal: what it draws there must not be written over. Where nothing is
 * drawn, each is said at once.
 */
export class HeldLines {
  readonly #say: (line: string) => void;
  readonly #isDrawn: boolean;
  readonly #lines = new Set<string>();
  #isHolding = false;
  #dropped = 0;

  /** @param isDrawn the lines would go to a terminal */
  constructor(say: (line: string) => void, isDrawn: boolean) {
    this.#say = say;
    this.#isDrawn = isDrawn;
  }

  readonly say = (line: string): void => {
    if (!this.#isHolding) this.#say(line);
    else if (this.#lines.size < MOST) this.#lines.add(line);
    else if (!this.#lines.has(line)) this.#dropped++;
  };

  /** The agent starts. */
  hold(): void {
    this.#isHolding = this.#isDrawn;
  }

  /** Prints the held lines when the agent has ended. */
  release(): void {
    this.#isHolding = false;
    for (const line of this.#lines) this.#say(line);
    if (this.#dropped > 0) this.#say(`${this.#dropped} more ${this.#dropped === 1 ? 'line' : 'lines'} left out`);
    this.#lines.clear();
    this.#dropped = 0;
  }
}
