import type { ClientStyle } from './client-style.ts';
import { cutMiddle, namesIn } from './spell.ts';

const MOST = 63;
const HEAD = 28;
const MIDDLE = '___';

/** `mcp__server__tool`, cut in the middle. */
export const qwenCode: ClientStyle = {
  id: 'qwen-code',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('QwenCode/'),
  forms: [{ prefix: 'mcp__', separator: '__', server: (server) => [spell(server)], tool: spell, mark: 'prefix' }],
  cut: {
    isCut: (name) => name.length === MOST && name.startsWith(MIDDLE, HEAD),
    names: (server) => (tool) => [cutMiddle(spell(`mcp__${server}__${tool}`), MOST, { head: HEAD, middle: MIDDLE, tail: 32 })],
  },
  isBare: false,
  native: namesIn(`
    ask_user_question edit exit_plan_mode glob grep_search list_directory lsp read_file read_many_files replace
    run_shell_command save_memory search_file_content skill task todo_write tool_search web_fetch web_search write_file
  `),
};

function spell(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]/g, '_');
}
