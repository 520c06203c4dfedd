import { join } from 'node:path';
import { type AgentPlace, readDotEnv, readSettings } from './claude-settings.ts';

/** The places that agents read their settings in. */
type Place = Omit<AgentPlace, 'words'>;

/** A setting of an agent's own, and the file that has it. */
interface Found {
  readonly value: string;
  readonly file: string;
}

/**
 * The value that an agent's settings give to a variable that the environment does not set: one for an address, or for a key. Never throws.
 *
 * @param agent `goose` or `qwen`; others have none
 */
export function valueInSettings(agent: string | undefined, variable: string, place: Place): Found | undefined {
  if (agent === 'goose') return gooseSetting(place, variable);
  return agent === 'qwen' ? qwenSetting(place, variable) : undefined;
}

/** The providers that goose may ask, by its variables, its settings and its arguments. */
export function gooseProviders(place: AgentPlace): ReadonlySet<string> {
  const { words, env } = place;
  const given = words.flatMap((word, at) =>
    words[at - 1] === '--provider' ? [word] : (/^--provider=(.*)$/s.exec(word)?.[1] ?? []),
  );
  const names = ['GOOSE_PROVIDER', 'GOOSE_LEAD_PROVIDER', 'GOOSE_PLANNER_PROVIDER', 'GOOSE_SUBAGENT_PROVIDER'];
  const set = names.flatMap((name) => env[name] ?? gooseSetting(place, name)?.value ?? []);
  const active = env['GOOSE_PROVIDER'] === undefined ? gooseSetting(place, 'active_provider')?.value : undefined;
  return new Set(
    [...given, ...set, ...(active === undefined ? [] : [active])].map((each) => each.trim()).filter((each) => each !== ''),
  );
}

/** Finds the setting that leads Qwen Code past its variables; undefined if none that is known does. */
export function qwenElsewhere({ cwd, home }: Place): string | undefined {
  for (const file of [join(cwd, '.qwen', 'settings.json'), join(home, '.qwen', 'settings.json')]) {
    const text = readSettings(file) ?? '';
    const login = /"selectedType"\s*:\s*"([^"]*)"/.exec(text)?.[1];
    if (login !== undefined && login !== 'openai') return `${file} sets the login ${JSON.stringify(login)}`;
    if (/"modelProviders"\s*:/.test(text)) return `${file} sets modelProviders`;
  }
  return undefined;
}

/** A setting at the top of goose's file. Only plain ones count, as goose writes them. */
function gooseSetting({ home, env }: Place, name: string): Found | undefined {
  const root = env['GOOSE_PATH_ROOT'] ?? '';
  const config = env['XDG_CONFIG_HOME'] ?? '';
  const folder = root === '' ? join(config === '' ? join(home, '.config') : config, 'goose') : join(root, 'config');
  const file = join(folder, 'config.yaml');
  const said = new RegExp(`^${name}:[ \\t]*(?:"([^"\\n]*)"|'([^'\\n]*)'|([^\\n#]*))`, 'm').exec(readSettings(file) ?? '');
  const value = (said?.[1] ?? said?.[2] ?? said?.[3] ?? '').trim();
  return /^(?:|~|null)$/.test(value) ? undefined : { value, file };
}

function qwenSetting(place: Place, name: string): Found | undefined {
  const { file, values } = readDotEnv(place, { folder: '.qwen', home: place.home });
  const value = values[name];
  if (value !== undefined) return { value, file };
  const key = name === 'OPENAI_BASE_URL' ? `(?:${name}|baseUrl)` : `(?:${name}|apiKey)`;
  for (const settings of [join(place.cwd, '.qwen', 'settings.json'), join(place.home, '.qwen', 'settings.json')]) {
    // The file may have comments.
    const found = new RegExp(`"${key}"\\s*:\\s*"([^"]+)"`).exec(readSettings(settings) ?? '')?.[1];
    if (found !== undefined) return { value: found, file: settings };
  }
  return undefined;
}
