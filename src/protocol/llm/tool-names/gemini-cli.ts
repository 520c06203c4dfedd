import { type ClientStyle, cutMiddle, namesIn } from './client-style.ts';

const QWEN_HEAD = 28;
const QWEN_MIDDLE = '___';

/** `mcp__server__tool`, cut in the middle. */
export const qwenCode: ClientStyle = {
  id: 'qwen-code',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('QwenCode/'),
  forms: [{ prefix: 'mcp__', separator: '__', server: (server) => [spellQwen(server)], tool: spellQwen, mark: 'prefix' }],
  cut: {
    isCut: (name) => name.length === MOST && name.startsWith(QWEN_MIDDLE, QWEN_HEAD),
    names: (server) => (tool) => [
      cutMiddle(spellQwen(`mcp__${server}__${tool}`), MOST, { head: QWEN_HEAD, middle: QWEN_MIDDLE, tail: 32 }),
    ],
  },
  isBare: false,
  native: namesIn(`
    ask_user_question edit exit_plan_mode glob grep_search list_directory lsp read_file read_many_files replace
    run_shell_command save_memory search_file_content skill task todo_write tool_search web_fetch web_search write_file
  `),
};

const PREFIX = 'mcp_';
const MOST = 63;
const HEAD = 30;
const MIDDLE = '...';

/**
 * `mcp_server_tool`, with the prefix only once, cut in the middle. After `packages/core/src/tools/mcp-tool.ts` of google-gemini/gemini-cli.
 */
export const geminiCli: ClientStyle = {
  id: 'gemini-cli',
  isSentBy: ({ userAgent = '' }) => /^GeminiCLI[-/]/.test(userAgent),
  forms: [{ prefix: PREFIX, separator: '_', server: spellServer, tool: spell, mark: 'both_parts' }],
  cut: {
    isCut: (name) => name.length === MOST && name.startsWith(MIDDLE, HEAD),
    names(server) {
      const servers = spellServer(server);
      return (tool) =>
        servers.map((spelled) =>
          cutMiddle(`${PREFIX}${spelled}_${spell(tool)}`, MOST, { head: HEAD, middle: MIDDLE, tail: HEAD }),
        );
    },
  },
  isBare: false,
  native: namesIn(`
    activate_skill ask_user codebase_investigator complete_task delegate_to_agent enter_plan_mode exit_plan_mode
    get_internal_docs glob google_web_search grep_search list_directory read_file read_many_files replace
    run_shell_command save_memory search_file_content web_fetch write_file write_todos
  `),
  inert: namesIn('ask_user google_web_search write_todos'),
  synonyms: [namesIn('grep_search search_file_content')],
};

function spell(text: string): string {
  return text.replace(/[^A-Za-z0-9_.:-]/g, '_');
}

function spellServer(server: string): readonly string[] {
  const spelled = spell(server);
  return [spelled.startsWith(PREFIX) ? spelled.slice(PREFIX.length) : spelled];
}

function spellQwen(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, '_');
}
