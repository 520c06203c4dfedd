import { asIs, type ClientStyle, namesIn, toHyphenated } from './client-style.ts';

/** The tool's own name, as in programs on an SDK, and in Continue's command line. */
export const bare: ClientStyle = { id: 'bare', forms: [], isBare: true, native: new Set() };

const MOST_SERVER = 30;
/** Suffixes that distinguish equal names of servers. */
const NUMBERS = ['', '-2', '-3', '-4', '-5'];

/** `server__tool`, the server cut at 30, everything at 64. After `src/agents/agent-bundle-mcp-names.ts` of openclaw/openclaw. */
export const openclaw: ClientStyle = {
  id: 'openclaw',
  isSentBy: ({ userAgent = '' }) => /^openclaw\//i.test(userAgent),
  forms: [{ prefix: '', separator: '__', server: spellNumbered, tool: spellTool, mark: 'both_parts' }],
  cut: {
    isCut: (name) => name.length === MOST,
    names(server) {
      const servers = spellNumbered(server);
      return (tool) => servers.map((spelled) => `${spelled}__${spellTool(tool)}`.slice(0, MOST));
    },
  },
  isBare: false,
  native: namesIn(`
    apply_patch browser canvas cron edit exec gateway image memory_get memory_search message nodes process read
    session_status sessions_history sessions_list sessions_send sessions_spawn tts web_fetch web_search write
  `),
};

/** `server_tool`. After `packages/opencode/src/mcp/catalog.ts` of sst/opencode. */
export const opencode: ClientStyle = {
  id: 'opencode',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('opencode/'),
  forms: [{ prefix: '', separator: '_', server: (server) => [toHyphenated(server)], tool: toHyphenated, mark: 'none' }],
  isBare: false,
  native: namesIn(`
    apply_patch bash batch codesearch edit glob grep invalid list lsp multiedit patch plan_enter plan_exit question read
    skill task todoread todowrite webfetch websearch write
  `),
};

/** `server__tool`. After `name_to_key` in `crates/goose/src/config/extensions.rs` of block/goose. */
export const goose: ClientStyle = {
  id: 'goose',
  isSentBy: ({ userAgent = '' }) => /^goose\//i.test(userAgent),
  forms: [{ prefix: '', separator: '__', server: (server) => [toKey(server)], tool: asIs, mark: 'both_parts' }],
  isBare: false,
  native: namesIn('analyze delegate edit load shell tree write'),
  // Its bundled extensions have names like those of servers.
  nativePrefixes: ['developer__', 'platform__', 'todo__', 'skills__', 'extensionmanager__', 'chatrecall__', 'subagent__'],
};

/** `server___tool`. Its treatment of other characters is unknown; this is what its APIs accept. */
export const droid: ClientStyle = {
  id: 'droid',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('factory-cli/'),
  forms: [
    {
      prefix: '',
      separator: '___',
      server: (server) => [...new Set([toHyphenated(server), server])],
      tool: toHyphenated,
      mark: 'both_parts',
    },
  ],
  isBare: false,
  native: namesIn(`
    ApplyPatch AskUser Create Edit Execute ExitSpecMode FetchUrl Glob Grep LS MultiEdit Read Skill Task TodoWrite
    WebSearch
  `),
};

/** `mcp_server_tool`, both unchanged. After `internal/agent/tools/mcp-tools.go` of charmbracelet/crush. Cursor used the same. */
export const crush: ClientStyle = {
  id: 'crush',
  isSentBy: ({ userAgent = '' }) => /^(?:Charm[- ])?Crush\//i.test(userAgent),
  forms: [{ prefix: 'mcp_', separator: '_', server: (server) => [server], tool: asIs, mark: 'both_parts' }],
  isBare: false,
  native: namesIn(`
    agent agentic_fetch bash download edit fetch glob grep job_kill job_output ls lsp_diagnostics lsp_references
    multiedit sourcegraph todos view web_fetch web_search write
  `),
};

const MOST = 64;

/** `server-tool`, cut at 64. Non-ASCII names may be in punycode. */
export const copilotCli: ClientStyle = {
  id: 'copilot-cli',
  isSentBy: ({ userAgent = '' }) => /^copilot(?:-cli)?\//i.test(userAgent),
  forms: [{ prefix: '', separator: '-', server: spellServer, tool: spell, mark: 'none' }],
  cut: {
    isCut: (name) => name.length === MOST,
    names(server) {
      const servers = spellServer(server);
      return (tool) => servers.map((spelled) => `${spelled}-${spell(tool)}`.slice(0, MOST));
    },
  },
  isBare: false,
  native: namesIn(`
    ask_user bash create edit glob grep list_bash read_bash report_intent str_replace_editor skill stop_bash task
    update_todo view web_fetch web_search write_bash
  `),
};

function spell(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]/g, '-');
}

function spellServer(server: string): readonly string[] {
  const plain = spell(server);
  const puny = toPunycode(server);
  return puny === undefined || puny === plain ? [plain] : [plain, puny];
}

/** Converts to punycode as in host names; undefined for ASCII text, and for text that can't be a host name. */
function toPunycode(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text) || /[/?#@:\\]/.test(text)) return undefined;
  const url = `http://${text}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function toKey(server: string): string {
  return server
    .replace(/\s+/g, '')
    .replace(/[^A-Za-z0-9_-]/gu, '_')
    .toLowerCase();
}

function spellPart(text: string, prefix: string): string {
  const spelled = text.trim().replace(/[^A-Za-z0-9_-]/g, '-');
  return /^[A-Za-z]/.test(spelled) ? spelled : prefix + spelled;
}

function spellTool(tool: string): string {
  return spellPart(tool, 'tool-');
}

function spellNumbered(server: string): readonly string[] {
  const spelled = spellPart(server, 'mcp-');
  return [...new Set(NUMBERS.map((number) => spelled.slice(0, MOST_SERVER - number.length) + number))];
}
