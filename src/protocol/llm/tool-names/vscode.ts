import type { ClientStyle } from './client-style.ts';
import { namesIn } from './spell.ts';

const PREFIX = 'mcp_';
const MOST = 64;
/** Characters of the prefix and the label, and `_` behind it. */
const MOST_BEFORE_TOOL = 18;
const MOST_LABEL = MOST_BEFORE_TOOL - PREFIX.length - 1;
/** Labels that come out alike are numbered. */
const NUMBERS = ['', '2', '3', '4', '5', '6', '7', '8', '9'];

/**
 * `mcp_label_tool`; the label is what the server calls itself, or its name in the config, cut to 13 characters. After
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
