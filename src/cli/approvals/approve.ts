import { ClawaiError, EXIT } from '../../errors.ts';
import { defineCommand, type Parsed } from '../command.ts';
import { STORE_FLAGS } from '../machine/open-store.ts';
import { ENTRY_KINDS, LAUNCH_FLAG } from '../mcp/registry/entries.ts';
import { answerById } from './answer-by-id.ts';

const ARGS = {
  session: { type: 'boolean', description: 'Allow calls just like it for the rest of the session.' },
  always: { type: 'boolean', description: 'Change the policy so that it allows such calls; it is shown and asked for first.' },
  server: { type: 'string', hint: 'SERVER', description: 'Trust what this server declares, instead of answering a call.' },
  tool: { type: 'string', hint: 'NAME', description: 'Of --server, this tool.' },
  launch: LAUNCH_FLAG,
  all: { type: 'boolean', description: 'Of --server, everything that is not trusted.' },
  kind: { type: 'enum', options: ENTRY_KINDS, description: 'Of this kind (tool; with --all, every one).' },
  ...STORE_FLAGS,
} as const;

type Flags = Parsed<typeof ARGS>['flags'];

/** `clawai approve`: says yes to a call that waits, or to what a server declares. */
export const approveCommand = defineCommand({
  meta: {
    name: 'approve',
    description: 'Allow a call that waits for a person, or trust what a server declares.',
    notes: [
      'ID is a call that waits, as the notification or the model names it; without a flag it is allowed once. clawai approvals shows what waits, with all arguments.',
      'SERVER:NAME is a tool that is new, has changed, or in which something was found: what differs is shown, and you are asked. --server SERVER with --tool NAME is ' +
        'the same; with --all it is everything of that server that is not trusted.',
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
  words: { hint: 'ID|SERVER:NAME', description: 'What waits.' },
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
    throw new ClawaiError(`${other} is about a call that waits`, {
      code: 'usage',
      hint: 'what is trusted stays trusted until it changes',
    });
  }
  if (tool !== undefined && (all || words.length > 0))
    throw contradiction(`--tool and ${all ? '--all' : JSON.stringify(words[0])}`);
  if (tool !== undefined && kind !== undefined && kind !== 'tool') throw contradiction(`--tool and --kind ${kind}`);
  if (tool !== undefined && server === undefined)
    throw new ClawaiError('--tool needs --server', { code: 'usage', hint: 'see clawai help approve' });
  const { approveDeclared } = await import('../mcp/registry/mcp-approve.ts');
  return approveDeclared(flags, tool === undefined ? words : [`${server}:${tool}`], 'approve');
}

function contradiction(what: string): ClawaiError {
  return new ClawaiError(`${what} contradict each other`, { code: 'usage', hint: 'give one of them' });
}
