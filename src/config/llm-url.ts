import { isLoopback } from './listen-address.ts';
import { readRemoteUrl, type RemoteUrl } from './remote-url.ts';

/**
 * Checks the base URL of an LLM provider: as that of a remote server, and without TLS only on this machine, since every request has the
 * provider's key in it. What is wrong never repeats the URL, which may have secrets in it.
 */
export function readLlmUrl(text: string): RemoteUrl {
  const read = readRemoteUrl(text);
  if (!read.ok) return { ...read, problem: read.problem.replace('https://mcp.example.com/mcp', 'https://llm.example.com') };
  const { protocol, hostname } = new URL(text);
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return read;
  return {
    ok: false,
    problem: 'must start with https:// unless it is on this machine',
    hint: "requests have the provider's key in them, which anybody on the way could read",
  };
}
