import { complain, complainOfType, type Faults } from '../core/policy/complaints.ts';
import { isTomlTable, type TomlValue } from '../core/policy/toml.ts';
import type { PolicyPath } from '../core/policy/types.ts';

/** RFC 9110 section 5.6.2. */
export const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What Node lets a header have: visible Latin-1, spaces and tabs. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers of one connection (RFC 9110 section 7.6.1 and its forebears), and those that say whom a request is for and where it ends. */
const OF_CONNECTION = new Set([
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Reads a table of headers that go with every request to a server. Undefined when it is faulty. Values are never repeated: they are secrets. */
export function readHeaders(
  value: TomlValue | undefined,
  path: PolicyPath,
  to: Faults,
): Readonly<Record<string, string>> | undefined {
  if (value === undefined) return {};
  if (!isTomlTable(value)) {
    complainOfType(to, path, value, 'a table of texts');
    return undefined;
  }
  const before = to.errors.length;
  const seen = new Set<string>();
  const headers = Object.entries(value).flatMap(([name, content]): [string, string][] => {
    const lower = name.toLowerCase();
    const fault = seen.has(lower) ? 'stands there twice' : faultOf(name, content);
    seen.add(lower);
    if (fault !== undefined) complain(to, [...path, name], `the header ${JSON.stringify(name)} ${fault}`);
    return typeof content === 'string' ? [[name, content]] : [];
  });
  return to.errors.length > before ? undefined : Object.fromEntries(headers);
}

function faultOf(name: string, content: TomlValue): string | undefined {
  if (!HEADER_NAME.test(name)) return 'has a name that no header can have';
  if (OF_CONNECTION.has(name.toLowerCase())) return 'is set for each connection and cannot be given';
  if (typeof content !== 'string') return 'must have a text as its value';
  return HEADER_VALUE.test(content) ? undefined : 'has a value with characters that no header can have';
}
