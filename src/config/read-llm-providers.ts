import { checkKeys, complain, complainOfType, type Faults } from '../core/policy/complaints.ts';
import { isTomlTable, type TomlTable, type TomlValue } from '../core/policy/toml.ts';
import type { PolicyPath } from '../core/policy/types.ts';
import { LLM_DIALECTS, type LlmDialect, type LlmProvider } from './config.ts';
import { isLoopback, readRemoteUrl, type RemoteUrl, URL_SECRET, URL_SECRET_WANTED } from './addresses.ts';
import { choice } from './setting-readers.ts';

const KEYS = ['dialect', 'base_url', 'secret'];

/** Matches dialects that are not supported yet, and the names of their providers. */
const LATER = /^openai-/;

const readKnown = choice(
  LLM_DIALECTS.map(({ dialect }) => dialect),
  { pattern: LATER },
);

/** Matches a name, which is part of a URL's path, of characters that a URL keeps unescaped. */
const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;

/** Reads `[llm.providers.NAME]`, the LLM providers that the user declares, in order. Faulty ones are reported and left out. */
export function readLlmProviders(value: TomlValue, to: Faults): readonly LlmProvider[] {
  const path = ['llm', 'providers'];
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table of tables: [llm.providers.NAME]');
    return [];
  }
  return Object.entries(value).flatMap(([name, table]): LlmProvider[] => {
    const provider = readProvider(name, table, { path: [...path, name], to });
    return provider === undefined ? [] : [provider];
  });
}

interface Place {
  readonly path: PolicyPath;
  readonly to: Faults;
}

function readProvider(name: string, table: TomlValue, { path, to }: Place): LlmProvider | undefined {
  if (!isTomlTable(table)) {
    complainOfType(to, path, table, 'a table');
    return undefined;
  }
  checkKeys(to, path, table, { read: KEYS, lacks: 'supported', where: `[llm.providers.${name}]` });
  if (!NAME.test(name)) {
    complain(to, path, `a provider's name must be 1 to 64 letters, digits, "-", "_" or ".", and not begin with a "."`);
  }
  const dialect = readDialect(name, table['dialect'], { path, to });
  const baseUrl = readUrl(name, table, { path: [...path, 'base_url'], to });
  const secret = readSecret(table['secret'], { path: [...path, 'secret'], to });
  return dialect === undefined || baseUrl === undefined ? undefined : { name, dialect, baseUrl, secret };
}

/** Reads the dialect; the default is the provider's name, if that is a dialect's. */
function readDialect(name: string, value: TomlValue | undefined, { path, to }: Place): LlmDialect | undefined {
  const own = LLM_DIALECTS.find(({ dialect }) => dialect === name)?.dialect;
  const where = [...path, 'dialect'];
  if (value === undefined) {
    const hint = `the API that it speaks: ${LLM_DIALECTS.map(({ dialect }) => `dialect = "${dialect}"`).join(' or ')}`;
    if (own === undefined) complain(to, path, `${path.join('.')} needs a dialect`, hint);
    return own;
  }
  const given = readKnown(value, where, to);
  if (given === undefined || own === undefined || given === own) return given;
  complain(to, where, `${where.join('.')} must be "${own}", whose name the provider has`, 'give the provider another name');
  return undefined;
}

function readUrl(name: string, table: TomlTable, { path, to }: Place): string | undefined {
  const value = table['base_url'] ?? LLM_DIALECTS.find(({ dialect }) => dialect === name)?.url;
  if (value === undefined) {
    const hint = 'base_url = "https://…": the base URL that you would give its SDK';
    complain(to, path.slice(0, -1), `${path.slice(0, -1).join('.')} needs a base_url`, hint);
    return undefined;
  }
  if (typeof value !== 'string') {
    complainOfType(to, path, value, 'a URL');
    return undefined;
  }
  const read = readLlmUrl(value);
  if (read.ok) return read.url;
  complain(to, path, `${path.join('.')} ${read.problem}`, read.hint);
  return undefined;
}

/** Reads the secret. The fault does not repeat it: a secret must not end up in a terminal's history. */
function readSecret(value: TomlValue | undefined, { path, to }: Place): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') complainOfType(to, path, value, URL_SECRET_WANTED);
  else if (URL_SECRET.test(value)) return value;
  else complain(to, path, `${path.join('.')} must be ${URL_SECRET_WANTED}`);
  return undefined;
}

/**
 * Checks the base URL of an LLM provider: like that of a remote server, and without TLS only on this machine, since every request contains
 * the provider's key. The fault never repeats the URL, which may contain secrets.
 */
export function readLlmUrl(text: string): RemoteUrl {
  const read = readRemoteUrl(text);
  if (!read.ok) return { ...read, problem: read.problem.replace('https://mcp.example.com/mcp', 'https://llm.example.com') };
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return read;
  return {
    ok: false,
    problem: 'must start with https:// unless it is on this machine',
    hint: "requests carry the provider's key, which anybody on the way could read",
  };
}
