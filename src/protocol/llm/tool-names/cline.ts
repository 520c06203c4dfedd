import type { ClientStyle } from './client-style.ts';
import { asIs, namesIn, shortHash } from './spell.ts';

const MOST = 64;
const HEAD = 55;
const BAD = /[^A-Za-z0-9_-]+/g;

/** `server__tool`; one that had to be changed gets a hash. After `sdk/packages/core/src/extensions/mcp/name-transform.ts` of cline/cline. */
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
