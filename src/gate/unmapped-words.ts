import { quoteName } from '../core/flow/words.ts';

/** Servers that are in no file of the user's, by how clients begin their names, and why nobody can stand in front of them. */
const UNWRAPPABLE: readonly (readonly [RegExp, string])[] = [
  [/^claude[_.]ai[_ ]/i, 'a connector of the account at claude.ai, which is called from there'],
  [/^codex_apps(?:_|$)/, 'an app of the account at ChatGPT, which is called from there'],
  [/^plugin_/, "a plugin's, whose files its next update overwrites, so that clawai leaves them alone"],
  [/^(?:ide|claude-in-chrome|computer-use)$/, 'built into the agent'],
];

/** As a command or a file takes it. Names come from models, and what could do something else in a shell is not offered for copying. */
const PLAIN = /^\w[\w.-]{0,99}$/;

const BY_POLICY = '`unmapped_tool = "allow"` under [defaults] in the policy lets the tools of all unknown servers pass';

/** What a call is denied for whose server nobody knows, and what the user can do about it. @param server as the tool's name says it; may be empty */
export function wordsOnUnmapped(server: string): { readonly why: string; readonly advice: string } {
  const whose = server === '' ? '' : `, of the server ${quoteName(server)},`;
  return {
    why: `its name looks like that of an MCP tool${whose} and it belongs to no server that clawai knows`,
    advice: `Do not retry it. Tell the user: ${unmappedRemedy(server)}.`,
  };
}

/** What the user can do, without an end. */
export function unmappedRemedy(server: string): string {
  const unwrappable = UNWRAPPABLE.find(([names]) => names.test(server))?.[1];
  if (unwrappable !== undefined)
    return `that server is ${unwrappable}, and cannot be wrapped; ${BY_POLICY}, and its tools can be denied there by rules`;
  const name = PLAIN.test(server) ? server : 'NAME';
  return (
    `\`clawai wrap ${name}\`, in a terminal of their own, and a restart of the agent put clawai in front of that server; ` +
    `a remote one can be declared in clawai's config.toml, by [[servers]] with \`id = "${name}"\` and its url, and reached through \`clawai serve\`; or ${BY_POLICY}`
  );
}

/** Of so many servers a person is told. */
const MOST_TOLD = 20;

/** Tells the person who runs us of servers that nobody knows, of each once: an agent may not show its notes. */
export class UnmappedServers {
  readonly #warn: (line: string) => void;
  readonly #told = new Set<string>();

  constructor(warn: (line: string) => void) {
    this.#warn = warn;
  }

  tell(server: string): void {
    if (this.#told.has(server) || this.#told.size >= MOST_TOLD) return;
    this.#told.add(server);
    this.#warn(`denied tools of ${quoteName(server)}, which is no server that clawai knows: ${unmappedRemedy(server)}`);
  }
}
