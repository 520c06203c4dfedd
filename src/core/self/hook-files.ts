import { setsVariables, switchesHooksOff } from './agent-starts.ts';
import { patternLeads } from '../shell/shell-pattern.ts';

/**
 * The ways in which a file can switch an agent's hooks off: `hooks` holds nothing else than hooks; `settings` may hold them, or what is against
 * them; `variables` are those that programs are started with.
 */
export type HookFileKind = 'hooks' | 'settings' | 'variables';

/** Ends of paths, of the user or of a project, by kind. What of these clawai is installed in is out of reach anyway. */
const ENDS: readonly (readonly [HookFileKind, RegExp])[] = [
  ['hooks', /\/\.(?:codex|cursor|windsurf|gemini\/config)\/hooks\.json$/i],
  ['hooks', /\/windsurf\/hooks\.json$|\/\.github\/hooks(?:$|\/)|\/\.copilot\/hooks(?:$|\/)|\/github-copilot\/policy\.d(?:$|\/)/i],
  [
    'hooks',
    /\/\.clinerules\/hooks(?:$|\/)|\/cline\/hooks(?:$|\/)|\/\.(?:config\/)?opencode\/plugins?(?:$|\/)|\/\.pi\/agent\/extensions(?:$|\/)/i,
  ],
  ['settings', /\/\.claude\/settings(?:\.local)?\.json$|\/managed-settings(?:\.json|\.d\/[^/]*)$/i],
  ['settings', /\/(?:\.gemini|gemini-?cli)\/(?:settings|system-defaults|trustedfolders)\.json$|\/\.(?:gemini|codex)\/\.env$/i],
  ['settings', /\/\.?codex\/(?:[^/]*\.)?config\.toml$|\/\.?codex\/requirements\.toml$/i],
  ['settings', /\/\.copilot\/(?:config|settings)\.json$|\/\.github\/copilot\/settings[^/]*\.json$/i],
  [
    'settings',
    /\/(?:\.vscode|code(?: - insiders)?\/user)\/settings\.json$|\/\.?opencode\.jsonc?$|\/\.kiro\/agents\/[^/]*\.json$/i,
  ],
  [
    'variables',
    /\/\.env(?:\.[^/]*|rc)?$|\/\.(?:bash_?|z|k|t?c|x|xsession)?(?:rc|profile|shrc|shenv|login|aliases)$|\/fish\/(?:config|conf\.d\/[^/]*)\.fish$|\/environment(?:$|\.d\/[^/]*\.conf$)/i,
  ],
];

/** Parts of the names of such files and of their folders. */
const MAY_NAME =
  /settings|hooks|config|\.env|plugin|extensions|managed|requirements|policy\.d|trusted|rc\b|profile|login|aliases|environment|agents|\.(?:claude|gemini|codex|cursor|copilot|github|windsurf|opencode|vscode|kiro|clinerules)/i;

/** Whole names of such files, for patterns. */
const NAMED: readonly string[] = [
  ...['codex', 'cursor', 'windsurf'].map((name) => `/.${name}/hooks.json`),
  ...['settings', 'settings.local'].map((name) => `/.claude/${name}.json`),
  '/.gemini/settings.json',
  '/.gemini/.env',
  '/.codex/config.toml',
  '/.codex/.env',
  '/.copilot/settings.json',
  '/.vscode/settings.json',
];

/** Folders of which a copy may bring such a file along. */
const FOLDER = /\/\.(?:claude|gemini|codex|cursor|windsurf|copilot|opencode|config\/opencode)$|\/\.github\/hooks$/i;

/** Names of settings that are about hooks, as keys: in JSON, in TOML, in a path of `jq`. */
const ABOUT_HOOKS =
  /disable_?all|allhooks|allow_?managed|codex_hooks|enableHooks|features\.hooks|\bhooks(?:Config)?["'\\\]]*\s*[:=.[]|["']hooks(?:Config)?["']|\[\s*["']?(?:features\s*\.\s*)?["']?hooks|useHooks|hookFilesLocations|clawai/i;

/** The new value of a setting without its name: `true`, `s/false/true/`. */
const BARE_VALUE = /^[\s:,=]*["']?(?:true|false)["']?[\s,]*$|^[\s,{]*["']enabled["']\s*:\s*false/i;
const FLIPPED = /\bs(.)[^a-z]{0,9}(?:true|false)[^a-z]{0,9}\1[^a-z]{0,9}(?:true|false)/i;

/** Tells quickly whether a text may name such a file. */
export function mayNameHookFile(text: string): boolean {
  return MAY_NAME.test(text);
}

/** The kind of the file at an absolute path; undefined for most. Patterns of a shell count as what they may match. */
export function hookFileKind(path: string): HookFileKind | undefined {
  const found = ENDS.find(([, end]) => end.test(path))?.[0];
  if (found !== undefined) return found;
  if (!/[*?[]/.test(path)) return undefined;
  const tail = `/${path.split('/').slice(-2).join('/')}`;
  return patternLeads(tail, NAMED, false) ? 'settings' : undefined;
}

/** Tells whether this absolute path is the folder of an agent's settings. */
export function isHookFolder(path: string): boolean {
  return FOLDER.test(path);
}

/** Tells whether a text, written into a file of this kind, may change which hooks an agent has. */
export function mayChangeHooks(kind: HookFileKind, written: string): boolean {
  if (kind === 'hooks') return true;
  const text = withoutEscapes(written);
  if (setsVariables(text)) return true;
  // `alias claude='claude --bare'`
  if (kind === 'variables') return text.split('\n').some((line) => switchesHooksOff(line.split(/[\s"';&|()]+/)));
  return ABOUT_HOOKS.test(text) || BARE_VALUE.test(text) || FLIPPED.test(text);
}

/** Tells whether a text, written into the config of opencode, adds a plugin, which may change calls behind a hook. */
export function addsPlugin(path: string, text: string): boolean {
  return /\/\.?opencode\.jsonc?$/i.test(path) && /["']?plugins?["']?\s*[:=]/.test(text);
}

const ESCAPE = /\\(?:u\{?0*([\da-f]{2,4})\}?|x([\da-f]{2})|0?([0-7]{3})|[nrt])/gi;

/** Undoes the escapes of JSON, TOML and `printf`. */
function withoutEscapes(text: string): string {
  return text.replaceAll(ESCAPE, (_, ...[long, short, octal]: (string | undefined)[]) => {
    const hex = long ?? short;
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return octal === undefined ? '\n' : String.fromCodePoint(Number.parseInt(octal, 8));
  });
}
