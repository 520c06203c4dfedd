import type { ClientStyle } from './client-style.ts';
import { namesIn } from './spell.ts';

const MOST = 64;

/** The tool's own name, cut at 64; `server_tool` where two have one name. After `crates/agent/src/thread.rs` of zed-industries/zed. */
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

/** Words in lower case with `_` between them: where the case changes, and for all that is no letter or digit. */
function toSnakeCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}
