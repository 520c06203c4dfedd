import type { ScanLaunch } from '../../scan/scanned.ts';

/** Everything by which placeholders are filled in. */
interface Known {
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly project: string | undefined;
  readonly home: string;
}

interface Startable {
  readonly launch: ScanLaunch;
  readonly cwd: string;
}

/** Matches the placeholders of clients: `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `{env:NAME}`, `${{ secrets.X }}`. */
const PLACEHOLDER = /\$\{\{[^{}]*\}\}|\$\{([^{}]*)\}|\{((?:env|file):[^{}]+)\}/g;

/**
 * Fills in the placeholders of an entry as clients do: variables of this process, the project and the home.
 *
 * @returns the first placeholder that only the client knows, otherwise
 */
export function fillIn({ launch, cwd }: Startable, known: Known): Startable | { readonly missing: string } {
  const missing: string[] = [];
  const fill = (text: string): string =>
    text.replaceAll(PLACEHOLDER, (whole, inner: string | undefined, other: string | undefined) => {
      const value = valueOf(inner ?? other ?? '', known);
      if (value === undefined) missing.push(whole);
      return value ?? whole;
    });
  const fillAll = (table: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(table).map(([name, value]) => [name, fill(value)]));
  let filled: ScanLaunch;
  if (launch.kind === 'url') filled = { kind: 'url', url: fill(launch.url), headers: fillAll(launch.headers) };
  else {
    const [command, ...args] = launch.words;
    filled = { kind: 'command', words: [fill(command), ...args.map(fill)], env: fillAll(launch.env) };
  }
  const folder = fill(cwd);
  const [first] = missing;
  return first === undefined ? { launch: filled, cwd: folder } : { missing: first };
}

function valueOf(inner: string, { env, project, home }: Known): string | undefined {
  if (inner === 'workspaceFolder') return project;
  if (inner === 'userHome' || inner === 'HOME') return home;
  const [, name = '', fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inner) ?? [];
  return env[name] ?? fallback;
}
