import { type ClientStyle, type NameForm, namesIn, shortHash, toWord } from './client-style.ts';

const PREFIX = 'mcp__';
const SEPARATOR = '__';
/** Most bytes of the group, two underscores and the name. */
const MOST = 64;
const DIGITS = 12;
const WHOLE_HASH = 40;

const shared = { separator: SEPARATOR, server: spellServer, tool: toWord } as const;
const grouped: NameForm = { ...shared, prefix: PREFIX, mark: 'prefix', isGrouped: true };

/**
 * The group `mcp__server` and the name `tool`; without the prefix if that is switched off. Older versions join them to one name. Colliding
 * and too long names get a hash of server and tool. After `codex-rs/codex-mcp/src/tools.rs` of openai/codex.
 */
export const codex: ClientStyle = {
  id: 'codex',
  isSentBy: ({ userAgent = '', get }) => /^codex[-_]/.test(get('originator') ?? userAgent),
  forms: [grouped, { ...shared, prefix: '', mark: 'both_parts', isGrouped: true }],
  cut: {
    isCut: (name) => /_[0-9a-f]{12}$/.test(name) || (name.length === MOST && /[0-9a-f]{40}$/.test(name)),
    names(server) {
      const groups = spellServer(server).flatMap((spelled) => [PREFIX + spelled, spelled]);
      return (tool) => [...hashedNames(server, tool, groups), ...flatNames(server, tool)];
    },
  },
  isBare: false,
  native: namesIn(`
    apply_patch clock__curr_time close_agent create_goal curr_time exec exec_command
    followup_task get_goal grep_files image_gen interrupt_agent js_repl list_agents list_dir list_mcp_resources
    list_mcp_resource_templates local_shell read_file read_mcp_resource request_permissions request_user_input
    request_user_input_async resume_agent send_input send_message send_message_to_user_async shell shell_command sleep
    spawn_agent tool_search update_goal update_plan view_image wait wait_agent web__run web_search write_stdin
  `),
  inert: namesIn(`
    clock__curr_time create_goal curr_time get_goal request_user_input request_user_input_async sleep tool_search
    update_goal update_plan wait web_search
  `),
  plainGroups: namesIn('functions'),
  hookArguments: new Map([
    ['exec_command', namesIn('cmd')],
    ['shell_command', namesIn('command')],
    ['apply_patch', namesIn('input')],
  ]),
  typing: { tool: 'write_stdin', session: 'session_id', text: 'chars', runs: 'exec_command', command: 'cmd' },
  code: { tool: 'exec', text: 'input', object: 'tools', textArgument: 'input' },
};

function spellServer(server: string): readonly string[] {
  const word = toWord(server);
  return [word, `${word}_${shortHash(groupIdentity(server), DIGITS)}`];
}

/** Returns the text to hash: the server, its unspelled group, and an empty connector. */
function groupIdentity(server: string): string {
  return `${server}\0${server}\0`;
}

function hashedNames(server: string, tool: string, groups: readonly string[]): readonly string[] {
  const suffix = `_${shortHash(`${groupIdentity(server)}\0${tool}\0${tool}`, DIGITS)}`;
  const word = toWord(tool);
  return groups.flatMap((group) => {
    const room = MOST - group.length - SEPARATOR.length - suffix.length;
    const fitted =
      room >= 0 ? group + SEPARATOR + word.slice(0, room) : group.slice(0, MOST - suffix.length - SEPARATOR.length) + SEPARATOR;
    return [group + SEPARATOR + word + suffix, fitted + suffix];
  });
}

/** Returns names of older versions: the first 24 characters and the whole hash of the name. */
function flatNames(server: string, tool: string): readonly string[] {
  return [PREFIX, ''].flatMap((prefix) => {
    const raw = prefix + server + SEPARATOR + tool;
    if (raw.length <= MOST) return [];
    const spelled = toWord(raw);
    return [raw, spelled].map((of) => spelled.slice(0, MOST - WHOLE_HASH) + shortHash(of, WHOLE_HASH));
  });
}
