import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isTomlTable, parseToml, type TomlTable, type TomlValue } from '../../core/policy/toml.ts';
import type { AgentPlace } from './claude-settings.ts';
import { addOverride, type CodexWords, readCodexWords } from './codex-words.ts';
import { otherProviders } from './codex-sessions.ts';
import { agentsIn, launchEnvironment, openScripts } from './program-of.ts';

/** The way to lead Codex to us, by an argument of its own. */
export interface CodexRoute {
  /** Its base URL without us, and what says so; undefined for the standard one, which depends on its login. */
  readonly before: { readonly url: string; readonly from: string } | undefined;
  /** The command with the URL that Codex is to ask. */
  lead(url: string): readonly string[];
}

/** Codex as a command starts it: led to us, or why it can't be (the end of a sentence with `since`); `none` if no Codex is started. */
export type CodexStart =
  | { readonly kind: 'none' }
  | { readonly kind: 'led'; readonly route: CodexRoute; readonly warning?: string }
  | { readonly kind: 'unled'; readonly why: string };

const OPENAI = 'openai';

/** Settings of a machine and of an organisation. Managed ones count more than arguments. */
const SYSTEM = '/etc/codex/config.toml';
const MANAGED = '/etc/codex/managed_config.toml';

/** The files that this machine's settings are in. */
export interface CodexFiles {
  readonly system: string;
  readonly managed: string;
}

interface Layer {
  readonly from: string;
  readonly table: TomlTable;
}

/** Finds out how Codex reaches its model, from its arguments and its settings. Never throws. */
export function readCodexStart(place: AgentPlace, files: CodexFiles = { system: SYSTEM, managed: MANAGED }): CodexStart {
  const { words } = place;
  const found = readCodexWords(words);
  if (found === undefined) {
    if (!agentsIn(openScripts(words, place)).has('codex')) return { kind: 'none' };
    return {
      kind: 'unled',
      why: 'a shell, a script or another program starts Codex, and clawai cannot tell where its own argument belongs (`clawai run -- codex`)',
    };
  }
  if (found.elsewhere !== undefined) return { kind: 'unled', why: `${found.elsewhere} leads Codex elsewhere` };
  const layers = readLayers(place, found, files);
  const provider = valueOf(layers, ['model_provider']);
  const name = typeof provider?.value === 'string' ? provider.value : OPENAI;
  const key = name === OPENAI ? ['openai_base_url'] : ['model_providers', name, 'base_url'];
  const base = valueOf(layers, key);
  const url = typeof base?.value === 'string' ? base.value.trim() : '';
  if (name !== OPENAI && url === '') {
    return { kind: 'unled', why: `${provider?.from ?? ''} leads Codex to the provider ${JSON.stringify(name)}` };
  }
  if (base?.from === files.managed) return { kind: 'unled', why: `${files.managed} sets ${key.join('.')} for Codex` };
  if (addOverride(words, found, { key, value: '' }) === undefined)
    return { kind: 'unled', why: `-c sets model_providers, and no argument can lead the provider ${JSON.stringify(name)} then` };
  const others = otherProviders(found.resumed, { folder: join(codexFolder(place, found), 'sessions'), name });
  const warning = `a session that began with the provider ${others.map((other) => JSON.stringify(other)).join(' or ')} may ask that one past clawai: start it with -c model_provider=${others[0] ?? ''}`;
  return {
    kind: 'led',
    ...(others.length > 0 && { warning }),
    route: {
      before: base === undefined || url === '' ? undefined : { url, from: `${base.from}: ${key.join('.')}` },
      lead: (to) => addOverride(words, found, { key, value: to }) ?? words,
    },
  };
}

/** The folder of the user's settings and sessions. */
function codexFolder({ words, cwd, home, env: outer }: AgentPlace, found: CodexWords): string {
  const env = launchEnvironment(words.slice(0, found.at + 1), outer);
  const own = env['CODEX_HOME'] ?? '';
  return own === '' ? join(env['HOME'] ?? home, '.codex') : resolve(cwd, own);
}

/** The settings that Codex has, the strongest first. Those of a project never say which provider it asks. */
function readLayers(place: AgentPlace, found: CodexWords, files: CodexFiles): readonly Layer[] {
  const folder = codexFolder(place, found);
  const user = found.ignoresSettings ? undefined : readLayer(join(folder, 'config.toml'));
  const given = found.overrides.map(({ key, value }): Layer => ({ from: '-c', table: nest(key, value) })).toReversed();
  const profile = found.profile ?? valueOf([...given, ...(user === undefined ? [] : [user])], ['profile'])?.value;
  const isNamed = typeof profile === 'string' && profile !== '';
  // A profile is a file of its own; in older versions it is a table of the user's settings.
  const table = isNamed ? valueOf(user === undefined ? [] : [user], ['profiles', profile])?.value : undefined;
  return [
    readLayer(files.managed),
    ...given,
    isNamed ? readLayer(join(folder, `${profile}.config.toml`)) : undefined,
    user !== undefined && isTomlTable(table) ? { from: user.from, table } : undefined,
    user,
    readLayer(files.system),
  ].filter((layer) => layer !== undefined);
}

function readLayer(file: string): Layer | undefined {
  try {
    const read = parseToml(readFileSync(file, 'utf8'));
    return read.ok ? { from: file, table: read.table } : undefined;
  } catch {
    // The file is missing or can't be read.
    return undefined;
  }
}

function nest(key: readonly string[], value: TomlValue): TomlTable {
  const [first = '', ...rest] = key;
  return { [first]: rest.length === 0 ? value : nest(rest, value) };
}

/** The value of a setting in the first layer that has it. */
function valueOf(
  layers: readonly Layer[],
  key: readonly string[],
): { readonly value: TomlValue; readonly from: string } | undefined {
  for (const { from, table } of layers) {
    let value: TomlValue | undefined = table;
    for (const part of key) value = isTomlTable(value) && Object.hasOwn(value, part) ? value[part] : undefined;
    if (value !== undefined) return { value, from };
  }
  return undefined;
}
