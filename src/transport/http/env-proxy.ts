import { Agent as HttpAgent, request as requestPlain } from 'node:http';
import { Agent as HttpsAgent, request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import { BlockList, isIP } from 'node:net';

/** Addresses of this machine are never reached through a proxy. */
const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * The proxy that the environment names for a URL, as curl reads it: `https_proxy` or `http_proxy`, else `all_proxy`, in either case, unless
 * `no_proxy` names the host, a domain above it, or `*`. Undefined if there is none, or it is no HTTP proxy.
 */
export function proxyFor(url: URL, env: Readonly<NodeJS.ProcessEnv> = process.env): URL | undefined {
  const value = valueOf(env, `${url.protocol.slice(0, -1)}_proxy`) || valueOf(env, 'all_proxy');
  if (value === '' || isExempt(url, valueOf(env, 'no_proxy'))) return undefined;
  const text = value.includes('://') ? value : `http://${value}`;
  if (!URL.canParse(text)) return undefined;
  const proxy = new URL(text);
  return proxy.protocol in DEFAULT_PORTS && proxy.hostname !== '' ? proxy : undefined;
}

function valueOf(env: Readonly<NodeJS.ProcessEnv>, name: string): string {
  return (env[name] || env[name.toUpperCase()] || '').trim();
}

function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replaceAll(/^\[|\]$/g, '').toLowerCase();
  const family = isIP(host);
  if (host === 'localhost' || (family !== 0 && LOOPBACK.check(host, family === 6 ? 'ipv6' : 'ipv4'))) return true;
  const port = url.port || DEFAULT_PORTS[url.protocol];
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', wanted] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry) ?? [];
      const own = name.replaceAll(/^\[|\]$/g, '');
      if (own === '' || (wanted !== undefined && wanted !== port)) return false;
      return host === own || (family === 0 && host.endsWith(`.${own}`));
    });
}

/** An agent for one request by Node's own client, through the proxy if there is one. Node before 22.21 goes without. */
export function agentFor(url: URL): HttpsAgent | HttpAgent | false {
  if (proxyFor(url) === undefined) return false;
  const options = { proxyEnv: process.env };
  return url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}

/**
 * Connects to a server by a proxy (CONNECT, RFC 9110 9.3.6).
 *
 * @param done called once, with a description of the fault or the socket, through which bytes reach the server
 * @returns gives up
 */
export function openTunnel(proxy: URL, url: URL, done: (fault: string | undefined, socket?: Socket) => void): () => void {
  let isSettled = false;
  const settle: typeof done = (fault, socket) => {
    if (isSettled) socket?.destroy();
    else done(fault, socket);
    isSettled = true;
  };
  const target = `${url.hostname}:${url.port || DEFAULT_PORTS[url.protocol]}`;
  const { username, password } = proxy;
  const login = [username, password].map((part) => decodeURIComponent(part)).join(':');
  const request = (proxy.protocol === 'https:' ? requestTls : requestPlain)({
    host: proxy.hostname.replaceAll(/^\[|\]$/g, ''),
    port: proxy.port || DEFAULT_PORTS[proxy.protocol],
    method: 'CONNECT',
    path: target,
    agent: false,
    headers: {
      host: target,
      ...(username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
  });
  request.once('connect', ({ statusCode }, socket, head) => {
    const isOpen = statusCode === 200 && head.length === 0;
    if (isOpen) settle(undefined, socket as Socket);
    else {
      socket.destroy();
      settle(`the proxy ${proxy.host} refused (HTTP ${statusCode})`);
    }
  });
  // A proxy that answers as a server has not connected anybody.
  request.once('response', (response) => {
    response.destroy();
    settle(`the proxy ${proxy.host} refused (HTTP ${response.statusCode})`);
  });
  request.once('error', (error) => settle(`the proxy ${proxy.host} cannot be reached (${error.message})`));
  request.end();
  return () => request.destroy();
}
