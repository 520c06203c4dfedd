import type { ClientStyle } from './client-style.ts';
import { namesIn } from './spell.ts';

const MOST = 64;

/** `server-tool`, cut at 64. What is not ASCII may come out in punycode. */
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

/** As in a host's name; undefined for what has no letters beyond ASCII, and what can't be one. */
function toPunycode(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(text) || /[/?#@:\\]/.test(text)) return undefined;
  const url = `http://${text}/`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}
