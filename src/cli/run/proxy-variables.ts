/** Variables by which agents send all their requests through a proxy, which could not reach us. */
const PROXIES = ['http_proxy', 'https_proxy', 'all_proxy'];

const OURS = '127.0.0.1';

/** What keeps an agent's requests to us out of the proxy that its environment names; nothing where it names none. */
export function withoutProxyOnLoopback(env: Readonly<NodeJS.ProcessEnv>): Readonly<Record<string, string>> {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  if (!PROXIES.some((name) => isSet(name) || isSet(name.toUpperCase()))) return {};
  const said = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const names = said.split(/[\s,]+/).filter((name) => name !== '');
  if (names.includes('*') || names.includes(OURS)) return {};
  const value = [...names, OURS].join(',');
  return { NO_PROXY: value, no_proxy: value };
}
