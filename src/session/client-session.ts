import { AGENT_PACKAGE, findAgent, isAgentName, programName, programWords } from './find-agent.ts';
import type { ProcessInfo, ReadProcess } from './process-info.ts';

/** A client that passes the id of its session to the processes it starts. */
interface TellingClient {
  readonly name: string;
  readonly variable: string;
  readonly programs: ReadonlySet<string>;
  readonly package: RegExp;
}

const TELLING: readonly TellingClient[] = [
  {
    name: 'claude',
    variable: 'CLAUDE_CODE_SESSION_ID',
    // Claude Desktop is `Claude`, and sets no such variable.
    programs: new Set(['claude', 'claude-code']),
    package: /[/\\]@anthropic-ai[/\\]claude-code[/\\]/,
  },
  {
    name: 'copilot',
    variable: 'COPILOT_AGENT_SESSION_ID',
    programs: new Set(['copilot']),
    package: /[/\\]@github[/\\]copilot[/\\]/,
  },
];

/** Editors that contain clients. On macOS their processes are known by the path of the application. */
const EDITORS: ReadonlySet<string> = new Set('code code-insiders codium cursor vscodium windsurf zed zed-editor'.split(' '));
const EDITOR_APPLICATION = /^\/.*\/(?:Cursor|VSCodium|Visual Studio Code|Windsurf|Zed)[^/]*\.app\//;

/** Clients' ids are UUIDs; a much shorter one may be shared by several runs. */
const ID = /^[A-Za-z0-9_-]{8,64}$/;

export interface ClientSessionOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Pid of this process's parent. */
  readonly parent: number;
  /** Undefined if processes can't be inspected. */
  readonly readProcess: ReadProcess | undefined;
}

/**
 * Finds the session that our client names: `claude-<id>`, `copilot-<id>`. Variables are inherited, so another agent started from such a
 * client's terminal has them too. So the nearest ancestor that is a known client decides whose variable counts. If none is known, or none
 * can be inspected, the variable counts only if it is the only one set.
 *
 * @returns undefined if the client names none, or it is ambiguous
 */
export function findClientSession({ env, parent, readProcess }: ClientSessionOptions): string | undefined {
  const told = TELLING.filter(({ variable }) => ID.test(env[variable] ?? ''));
  if (told.length === 0) return undefined;
  const nearest = readProcess === undefined ? undefined : findAgent(parent, readProcess, isKnownClient);
  const [client, another] = nearest === undefined ? told : told.filter((each) => isOf(each, nearest));
  if (client === undefined || another !== undefined) return undefined;
  return `${client.name}-${env[client.variable] ?? ''}`;
}

function isOf(client: TellingClient, { name, words }: ProcessInfo): boolean {
  return [name, ...programWords(words)].some((word) => client.programs.has(programName(word)) || client.package.test(word));
}

/** Tells whether this process is a client by name, or an editor that contains one. */
export function isKnownClient({ name, words }: ProcessInfo): boolean {
  if (EDITOR_APPLICATION.test(words.join(' '))) return true;
  return [name, ...programWords(words)].some((word) => {
    const program = programName(word);
    return isAgentName(program) || EDITORS.has(program.toLowerCase()) || AGENT_PACKAGE.test(word);
  });
}
