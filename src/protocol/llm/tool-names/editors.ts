import { asIs, type ClientStyle, namesIn, shortHash } from './client-style.ts';

/** `mcp--server--tool`, cut at 64; models answer with `mcp__server__tool` too. After `src/utils/mcp-name.ts` of RooCodeInc/Roo-Code. */
export const roo: ClientStyle = {
  id: 'roo',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('RooCode/'),
  forms: [
    { prefix: 'mcp--', separator: '--', server: (server) => [spell(server)], tool: spell, mark: 'prefix' },
    { prefix: 'mcp__', separator: '__', server: (server) => [withUnderscores(server)], tool: withUnderscores, mark: 'prefix' },
  ],
  cut: {
    isCut: (name) => name.length === MOST,
    names: (server) => (tool) =>
      [`mcp--${spell(server)}--${spell(tool)}`, `mcp__${withUnderscores(server)}__${withUnderscores(tool)}`].map((name) =>
        name.slice(0, MOST),
      ),
  },
  isBare: false,
  native: namesIn(`
    access_mcp_resource apply_diff apply_patch ask_followup_question attempt_completion browser_action codebase_search
    edit_file execute_command fetch_instructions generate_image list_files new_task read_file run_slash_command
    search_and_replace search_files search_replace switch_mode use_mcp_tool update_todo_list write_to_file
  `),
  synonyms: ['write_file write_to_file', 'edit search_and_replace'].map(namesIn),
};

const HEAD = 55;
const BAD = /[^A-Za-z0-9_-]+/g;

/** `server__tool`; a changed name gets a hash. After `sdk/packages/core/src/extensions/mcp/name-transform.ts` of cline/cline. */
export const cline: ClientStyle = {
  id: 'cline',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('Cline/'),
  forms: [{ prefix: '', separator: '__', server: (server) => [server], tool: asIs, mark: 'both_parts' }],
  cut: {
    isCut: (name) => /_[0-9a-f]{8}$/.test(name),
    names: (server) => (tool) => {
      const raw = `${server}__${tool}`;
      return [`${raw.replace(BAD, '_').slice(0, HEAD)}_${shortHash(raw, MOST - HEAD - 1)}`];
    },
  },
  isBare: false,
  native: namesIn(`
    access_mcp_resource act_mode_respond apply_patch ask_followup_question attempt_completion browser_action
    execute_command focus_chain list_code_definition_names list_files load_mcp_documentation new_task plan_mode_respond
    read_file replace_in_file search_files use_mcp_tool web_fetch web_search write_to_file
  `),
};

/** `server_tool`; only the tool's name if that begins with the server's. After `core/tools/mcpToolName.ts` of continuedev/continue. */
export const continueIde: ClientStyle = {
  id: 'continue-ide',
  forms: [{ prefix: '', separator: '_', server: spellServer, tool: asIs, mark: 'none' }],
  isBare: true,
  native: namesIn(`
    codebase create_new_file create_rule_block edit_existing_file fetch_url_content file_glob_search grep_search ls
    multi_edit read_currently_open_file read_file read_file_range read_skill request_rule run_terminal_command
    search_web single_find_and_replace view_diff view_repo_map view_subdirectory
  `),
};

/** The tool's own name, cut at 64; `server_tool` if two tools share a name. After `crates/agent/src/thread.rs` of zed-industries/zed. */
export const zed: ClientStyle = {
  id: 'zed',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('Zed/'),
  forms: [{ prefix: '', separator: '_', server: (server) => [toSnakeCase(server)], tool: (tool) => tool, mark: 'none' }],
  cut: {
    isCut: (name) => name.length === MOST,
    names: (server) => (tool) => [tool.slice(0, MOST), `${toSnakeCase(server)}_${tool}`.slice(0, MOST)],
  },
  isBare: true,
  native: namesIn(`
    copy_path create_directory delete_path diagnostics edit_file fetch find_path grep list_directory move_path now open
    read_file save_file spawn_agent terminal thinking web_search
  `),
};

const PREFIX = 'mcp_';
const MOST = 64;
/** Most characters of prefix and label with the `_` after it. */
const MOST_BEFORE_TOOL = 18;
const MOST_LABEL = MOST_BEFORE_TOOL - PREFIX.length - 1;
/** Suffixes that distinguish equal labels. */
const NUMBERS = ['', '2', '3', '4', '5', '6', '7', '8', '9'];

/**
 * `mcp_label_tool`; the label is the server's own title, or its name in the config, cut to 13 characters. After
 * `src/vs/workbench/contrib/mcp/common/mcpServer.ts` of microsoft/vscode.
 */
export const vscode: ClientStyle = {
  id: 'vscode',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('GitHubCopilotChat/'),
  forms: [{ prefix: PREFIX, separator: '_', server: spellLabel, tool: withoutDots, mark: 'both_parts' }],
  cut: {
    isCut: (name) => name.length === MOST,
    names(server) {
      const labels = spellLabel(server);
      return (tool) => labels.map((label) => `${PREFIX}${label}_${withoutDots(tool)}`.slice(0, MOST));
    },
  },
  usesTitles: true,
  isBare: false,
  native: namesIn(`
    apply_patch file_search grep_search list_dir manage_todo_list memory read_file run_in_terminal runSubagent
    semantic_search tool_search
  `),
};

function withoutDots(text: string): string {
  return text.replaceAll('.', '_');
}

function spellLabel(server: string): readonly string[] {
  const label = withoutDots(server.toLowerCase().replace(/[^a-z0-9_.-]+/g, '_'));
  const numbered = NUMBERS.flatMap((number) => [
    label.slice(0, MOST_LABEL - number.length) + number,
    label.slice(0, MOST_LABEL) + number,
  ]);
  return [...new Set(numbered)];
}

/** Converts to snake case: `_` where the case changes, and for anything but letters and digits. */
function toSnakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

function spellServer(server: string): readonly string[] {
  return [
    server
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, ''),
  ];
}

function spell(text: string): string {
  const kept = text
    .replace(/\s+/g, '_')
    .replace(/[^A-Za-z0-9_-]/g, '')
    .replace(/--+/g, '-');
  if (kept === '') return '_unnamed';
  return /^[A-Za-z_]/.test(kept) ? kept : `_${kept}`;
}

/** Replaces `-` by `_`: the client takes both for the same in the model's answer. */
function withUnderscores(text: string): string {
  return spell(text).replaceAll('-', '_');
}
