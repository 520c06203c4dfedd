import type { ClientStyle } from './client-style.ts';
import { namesIn } from './spell.ts';

const MOST = 64;

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

function spell(text: string): string {
  const kept = text
    .replace(/\s+/g, '_')
    .replace(/[^A-Za-z0-9_-]/g, '')
    .replace(/--+/g, '-');
  if (kept === '') return '_unnamed';
  return /^[A-Za-z_]/.test(kept) ? kept : `_${kept}`;
}

/** It takes `-` and `_` for the same when the model answers. */
function withUnderscores(text: string): string {
  return spell(text).replaceAll('-', '_');
}
