import type { ClientStyle } from './client-style.ts';
import { namesIn } from './spell.ts';

const MOST = 64;
const MOST_SERVER = 30;
/** Servers that come out alike are numbered. */
const NUMBERS = ['', '-2', '-3', '-4', '-5'];

/** `server__tool`, the server cut at 30, all of it at 64. After `src/agents/agent-bundle-mcp-names.ts` of openclaw/openclaw. */
export const openclaw: ClientStyle = {
  id: 'openclaw',
  isSentBy: ({ userAgent = '' }) => /^openclaw\//i.test(userAgent),
  forms: [{ prefix: '', separator: '__', server: spellServer, tool: spellTool, mark: 'both_parts' }],
  cut: {
    isCut: (name) => name.length === MOST,
    names(server) {
      const servers = spellServer(server);
      return (tool) => servers.map((spelled) => `${spelled}__${spellTool(tool)}`.slice(0, MOST));
    },
  },
  isBare: false,
  native: namesIn(`
    apply_patch browser canvas cron edit exec gateway image memory_get memory_search message nodes process read
    session_status sessions_history sessions_list sessions_send sessions_spawn tts web_fetch web_search write
  `),
};

function spell(text: string, prefix: string): string {
  const spelled = text.trim().replace(/[^A-Za-z0-9_-]/g, '-');
  return /^[A-Za-z]/.test(spelled) ? spelled : prefix + spelled;
}

function spellTool(tool: string): string {
  return spell(tool, 'tool-');
}

function spellServer(server: string): readonly string[] {
  const spelled = spell(server, 'mcp-');
  return [...new Set(NUMBERS.map((number) => spelled.slice(0, MOST_SERVER - number.length) + number))];
}
