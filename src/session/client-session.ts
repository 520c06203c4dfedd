import { AGENT_PACKAGE, findAgent, isAgentName, programName, programWords } from './find-agent.ts';
import type { ProcessInfo, ReadProcess } from './process-info.ts';

/** A client that tells what it starts which of its sessions that is for. */
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

/** Editors, which have clients of their own in them. On macOS what they start is known by the application that it lies in. */
const EDITORS: ReadonlySet<string> = new Set('code code-insiders codium cursor vscodium windsurf zed zed-editor'.split(' '));
const EDITOR_APPLICATION = /^\/.*\/(?:Cursor|VSCodium|Visual Studio Code|Windsurf|Zed)[^/]*\.app\//;

/** Clients' ids are UUIDs; what is much shorter may be that of several runs. */
const ID = /^[A-Za-z0-9_-]{8,64}$/;

export interface ClientSessionOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Pid of our parent. */
  readonly parent: number;
  /** Undefined where processes can't be looked at. */
  readonly readProcess: ReadProcess | undefined;
}

/**
 * The session that our client says this is: `claude-<id>`, `copilot-<id>`. Variables are inherited, so that another agent that was started from
 * such a client's terminal has them too: the nearest of our ancestors that is known as a client decides whose counts. Where none is known, or
 * none can be looked at, the only one that is set does.
 *
 * @returns undefined where the client says nothing, or that can't be told
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

/** Is this a client by name, or an editor that has one in it? */
export function isKnownClient({ name, words }: ProcessInfo): boolean {
  if (EDITOR_APPLICATION.test(words.join(' '))) return true;
  return [name, ...programWords(words)].some((word) => {
    const program = programName(word);
    return isAgentName(program) || EDITORS.has(program.toLowerCase()) || AGENT_PACKAGE.test(word);
  });
}
