import type { ClientStyle } from './client-style.ts';
import { asIs, namesIn } from './spell.ts';

/** `server_tool`; the tool's name alone where it begins with the server's. After `core/tools/mcpToolName.ts` of continuedev/continue. */
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

function spellServer(server: string): readonly string[] {
  return [
    server
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, ''),
  ];
}
