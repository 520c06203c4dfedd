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
    apply_patch close_agent exec exec_command js_repl list_dir list_mcp_resources local_shell
    list_mcp_resource_templates grep_files read_file read_mcp_resource request_user_input resume_agent send_input shell
    shell_command spawn_agent tool_search update_plan view_image wait wait_agent web_search write_stdin
  `),
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
