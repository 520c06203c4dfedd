/** What requests may call this listener. */
export interface OwnNames {
  /** Values of the Host header, in lower case. */
  readonly hosts: ReadonlySet<string>;
  /** Values of the Origin header, in lower case. */
  readonly origins: ReadonlySet<string>;
}

export interface OwnNamesOptions {
  readonly scheme: 'http' | 'https';
  /** The address that is listened on. */
  readonly host: string;
  readonly port: number;
  /** Further names, with or without a port. */
  readonly hosts: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** All addresses: what is listened on, but not what anybody should ask for. Browsers take the first one for this machine. */
const WILDCARDS = new Set(['0.0.0.0', '[::]']);
const DEFAULT_PORTS = { http: 80, https: 443 };
const WITH_PORT = /^(?:\[[^\]]*\]|[^:]*):\d+$/;

/**
 * The names under which a listener may be asked for. Whoever makes a browser ask for it under a name of his own (DNS rebinding) is
 * known by that name. The port is part of a name, and may be absent where it is the scheme's; under TLS also of further names, since
 * there may be a port in front of ours.
 */
export function ownNames({ scheme, host, port, hosts }: OwnNamesOptions): OwnNames {
  const names = new Set<string>();
  const add = (name: string): void => {
    names.add(`${name}:${port}`);
    if (port === DEFAULT_PORTS[scheme]) names.add(name);
  };
  for (const name of [...LOOPBACK, bracketed(host.toLowerCase())]) if (!WILDCARDS.has(name)) add(name);
  for (const further of hosts) {
    const name = bracketed(further.toLowerCase());
    if (WITH_PORT.test(name)) {
      names.add(name);
      continue;
    }
    add(name);
    if (scheme === 'https') names.add(name);
  }
  return { hosts: names, origins: new Set([...names].map((name) => `${scheme}://${name}`)) };
}

/** An address of IPv6 as URLs write it; anything else as it is. */
export function bracketed(host: string): string {
  return host.split(':').length > 2 && !host.startsWith('[') ? `[${host}]` : host;
}
