import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { parseQuestionId } from '../../approval/to-question.ts';
import { loadConfig } from '../../config/config-file.ts';
import { EXIT } from '../../errors.ts';
import type { GivenAnswer, QuestionStore } from '../../gate/ports/approval-port.ts';
import { SqliteQuestions } from '../../store/approval-store.ts';
import { storeFile } from '../../store/private-file.ts';
import { contradiction, defineCommand, type Parsed, usageError } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { ENTRY_KINDS, LAUNCH_FLAG } from '../mcp/registry/entries.ts';
import { askKey, requirePerson } from '../terminal/person.ts';
import { formatDiff } from '../terminal/colour.ts';
import { createAlways, type PrepareAlways } from './always.ts';
import { answerQuestion, describePerson, patiently } from './answer-question.ts';
import { warn } from '../terminal/notes.ts';
import { visible } from '../terminal/text.ts';

const ARGS = {
  session: { type: 'boolean', description: 'Allow calls just like it for the rest of the session.' },
  always: {
    type: 'boolean',
    description: 'Change the policy so that it allows such calls, after you have seen the change and said yes.',
  },
  server: { type: 'string', hint: 'SERVER', description: 'Trust what this server declares, instead of answering a call.' },
  tool: { type: 'string', hint: 'NAME', description: 'With --server: trust this tool.' },
  launch: LAUNCH_FLAG,
  all: { type: 'boolean', description: 'With --server: trust everything that is not trusted yet.' },
  kind: { type: 'enum', options: ENTRY_KINDS, description: 'Trust only this kind (tool; with --all, every kind).' },
  ...STORE_FLAGS,
} as const;

type Flags = Parsed<typeof ARGS>['flags'];

/** `clawai approve`: says yes to a call that waits, or to what a server declares. */
export const approveCommand = defineCommand({
  meta: {
    name: 'approve',
    description: 'Allow a call that waits for a person, or trust what a server declares.',
    notes: [
      'ID is a call that waits, as the notification or the model names it. Without a flag, it is allowed once. clawai approvals shows what waits, with all arguments.',
      'SERVER:NAME is a tool that is new, has changed or contains a finding. You see what differs and are asked. --server SERVER --tool NAME does the same. --server SERVER --all takes everything of that server that is not trusted.',
    ],
    exitCodes: { 1: 'nothing was approved' },
    examples: [
      'clawai approve K7Q2MX',
      'clawai approve K7Q2MX --session',
      'clawai approve files:write_file',
      'clawai approve --server files --all',
    ],
  },
  args: ARGS,
  words: { hint: 'ID|SERVER:NAME', description: 'The call or the definition that waits.' },
  async run({ flags, words }) {
    if (isAboutDeclared(flags, words)) return approveOfServer(flags, words);
    if (flags.session && flags.always) throw contradiction('--session and --always');
    const remember = flags.always ? 'always' : flags.session ? 'session' : 'once';
    const isTaken = await answerById({ command: 'approve', words, config: flags.config, state: 'granted', remember });
    return isTaken ? EXIT.ok : EXIT.mismatch;
  },
});

/** An id has no colon, and a call needs none of the flags. */
function isAboutDeclared({ server, tool, launch, all, kind }: Flags, words: readonly string[]): boolean {
  return [server, tool, launch, kind].some((flag) => flag !== undefined) || all || words.some((word) => word.includes(':'));
}

async function approveOfServer(flags: Flags, words: readonly string[]): Promise<number> {
  const { server, tool, all, kind, session, always } = flags;
  const other = session ? '--session' : always ? '--always' : undefined;
  if (other !== undefined) {
    throw usageError(`${other} is about a call that waits`, 'what is trusted stays trusted until it changes');
  }
  if (tool !== undefined && (all || words.length > 0))
    throw contradiction(`--tool and ${all ? '--all' : JSON.stringify(words[0])}`);
  if (tool !== undefined && kind !== undefined && kind !== 'tool') throw contradiction(`--tool and --kind ${kind}`);
  if (tool !== undefined && server === undefined) throw usageError('--tool needs --server', 'see clawai help approve');
  const { approveDeclared } = await import('../mcp/registry/mcp-approve.ts');
  return approveDeclared(flags, tool === undefined ? words : [`${server}:${tool}`], 'approve');
}

/** `clawai deny ID`: says no to a call that waits. */
export const denyCommand = defineCommand({
  meta: {
    name: 'deny',
    description: 'Deny a call that waits for a person.',
    notes: ['A call that nobody answers in time is denied too.'],
    examples: ['clawai deny K7Q2MX'],
  },
  args: STORE_FLAGS,
  words: { isRequired: true, hint: 'ID', description: 'The call that waits, as the notification or the model names it.' },
  async run({ flags, words }) {
    const isTaken = await answerById({ command: 'deny', words, config: flags.config, state: 'refused', remember: 'once' });
    return isTaken ? EXIT.ok : EXIT.mismatch;
  },
});

interface AnswerByIdOptions extends Pick<GivenAnswer, 'state' | 'remember'> {
  /** The command as it was typed. */
  readonly command: 'approve' | 'deny';
  readonly words: readonly string[];
  readonly config: string | undefined;
}

/**
 * Answers the call that a command line names, and says what came of it.
 *
 * @returns whether this is the answer that counts
 * @throws ClawaiError `usage`, `person_required`, `config_*` or `store_*`
 */
async function answerById({ command, words, config, state, remember }: AnswerByIdOptions): Promise<boolean> {
  const [typed, ...others] = words;
  if (typed === undefined || others.length > 0) {
    throw usageError(`clawai ${command} takes the id of one request`, 'clawai approvals shows them');
  }
  const id = parseQuestionId(typed);
  if (id === undefined) {
    const message = `${JSON.stringify(typed)} is no id of a request`;
    throw usageError(message, 'it has six letters and digits, as in K7Q2MX');
  }
  requirePerson(command);
  const { store, stateDir, isThere } = await openQuestions(config);
  if (!isThere()) return say(false, `there is no request ${id}`);
  try {
    const changed = remember === 'always' ? await changePolicy(store, id, createAlways(stateDir)) : 'not asked';
    if (changed === 'no') {
      const isWaiting = (await patiently(() => store.find(id)))?.state === 'waiting';
      return say(false, `${id}: the policy stays as it is${isWaiting ? '; the request still waits' : ''}`);
    }
    const { isTaken, text } = await answerQuestion(store, id, { state, remember, by: describePerson() });
    return say(isTaken, !isTaken && changed === 'yes' ? `the policy was changed. ${text}` : text);
  } finally {
    store.close();
  }
}

/** Shows what the policy would become, and makes the change where the person says yes. Nobody is asked about what is over. */
async function changePolicy(store: QuestionStore, id: string, prepareAlways: PrepareAlways): Promise<'yes' | 'no' | 'not asked'> {
  const question = await patiently(() => store.find(id));
  // The answer says what is wrong with a question that does not wait.
  if (question?.state !== 'waiting') return 'not asked';
  const changes = await prepareAlways(question);
  let [change] = changes;
  for (;;) {
    process.stdout.write(`${formatDiff(change.diff, { isAsked: true })}\n`);
    const others = changes.filter((other) => other !== change);
    const numbers = others.map((other) => changes.indexOf(other) + 1);
    for (const [at, { words }] of others.entries())
      process.stdout.write(`Type ${numbers[at]} for a rule that allows ${visible(words)}.\n`);
    const answer = await askKey('Change the policy so?', ['y', ...numbers.map(String)]);
    if (answer === undefined) return 'no';
    const other = answer === 'y' ? undefined : changes[Number(answer) - 1];
    if (other === undefined) break;
    change = other;
  }
  await change.apply();
  return 'yes';
}

function say(isTaken: boolean, text: string): boolean {
  if (isTaken) process.stdout.write(`${text}\n`);
  else warn(text);
  return isTaken;
}

interface OpenedQuestions {
  readonly store: QuestionStore;
  /** The folder of clawai's state. */
  readonly stateDir: string;
  /** A store is there already; whoever only looks had better not make one. */
  isThere(): boolean;
}

/** The questions in the store that `clawai proxy` writes with this config; nothing is touched yet. Throws ClawaiError `config_*`. */
export async function openQuestions(config: string | undefined): Promise<OpenedQuestions> {
  const machine = { env: process.env, platform: process.platform, home: homedir() };
  const { stateDir, audit } = await loadConfig({ flag: config, ...machine });
  const file = storeFile(stateDir);
  return { store: new SqliteQuestions({ file, sync: audit.sync }), stateDir, isThere: () => existsSync(file) };
}
