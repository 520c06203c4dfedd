import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LocatedFile } from '../clients/locate.ts';

/** A way to start clawai that is equal on every machine: fetched by npx, or found by name. */
export type Portable = 'npx' | 'name';

/** Returns the words before `proxy` that start this version on any machine, but for the shell that some clients on Windows need. */
export function portableLauncher(kind: Portable, version: string): readonly string[] {
  return kind === 'npx' ? ['npx', '-y', `clawai@${version}`] : ['clawai'];
}

/** Tells which way these words are, with any version; undefined if they do not match exactly. */
export function portableKind(launcher: readonly string[]): Portable | undefined {
  const [first, ...rest] = withoutShell(launcher);
  if (first === 'clawai' && rest.length === 0) return 'name';
  const isNpx = first === 'npx' && rest.length === 2 && rest[0] === '-y' && /^clawai@[\w.+-]+$/.test(rest[1] ?? '');
  return isNpx ? 'npx' : undefined;
}

/** Tells whether these words start this very version on every machine. */
export function isPortable(launcher: readonly string[], version: string): boolean {
  const kind = portableKind(launcher);
  return kind !== undefined && withoutShell(launcher).join('\0') === portableLauncher(kind, version).join('\0');
}

/** Returns the shell by which some of Windows' clients start `npx`, if a command line begins with it. */
export function shellOf(words: readonly string[]): readonly string[] {
  return words[0]?.toLowerCase() === 'cmd' && words[1]?.toLowerCase() === '/c' ? words.slice(0, 2) : [];
}

function withoutShell(words: readonly string[]): readonly string[] {
  return words.slice(shellOf(words).length);
}

/** A file, and its place in the clients' list of locations. */
export interface PlacedFile {
  readonly file: string;
  readonly location: Pick<LocatedFile['location'], 'file' | 'scope'>;
}

/** Returns the project folder of a file; undefined if it belongs to no project. */
export function projectFolderOf({ file, location }: PlacedFile): string | undefined {
  const templates: readonly string[] = Array.isArray(location.file) ? location.file : [];
  const depth = templates.find((template) => template.startsWith('<project>/'))?.split('/').length;
  if (depth === undefined) return undefined;
  return Array.from({ length: depth - 1 }).reduce<string>((folder) => dirname(folder), file);
}

/**
 * Describes what in a project would be started instead of clawai, or redirects its download, as a phrase without full stop: npx prefers the
 * project's installed packages, and reads its settings; Windows searches the current folder first. Undefined if there is nothing.
 */
export function standInFor(launcher: readonly string[], project: string, platform = process.platform): string | undefined {
  const kind = portableKind(launcher);
  if (kind === undefined) return undefined;
  for (const folder of foldersUpTo(project)) {
    if (platform === 'win32') {
      const program = PROGRAMS.map((name) => join(folder, name)).find((file) => existsSync(file));
      if (program !== undefined) return `Windows would start ${program} instead of clawai`;
    }
    if (kind !== 'npx') continue;
    const own = ownCopy(folder, launcher.at(-1) ?? '');
    if (own !== undefined) return `npx would start the project's own copy instead of clawai: ${own}`;
    const file = join(folder, '.npmrc');
    const setting = settingsIn(readText(file)).find((name) => !HARMLESS.test(name));
    if (setting !== undefined) return `${file} sets ${setting}, which can lead npx to another clawai`;
  }
  return undefined;
}

const PROGRAMS = ['cmd', 'npx', 'clawai', 'node'].flatMap((name) => ['exe', 'com', 'cmd', 'bat'].map((end) => `${name}.${end}`));

/**
 * Finds what npx (npm 11) uses from a folder before its cache: an installed package, or a program of the folder's own package. Such a
 * program can have the whole word, with version, as its name.
 */
function ownCopy(folder: string, word: string): string | undefined {
  const programs = ['clawai', word].flatMap((name) => [name, `${name}.cmd`].map((file) => join('.bin', file)));
  const installed = ['clawai', ...programs].map((name) => join(folder, 'node_modules', name)).find((file) => existsSync(file));
  const file = join(folder, 'package.json');
  return installed ?? (existsSync(file) && isPackageOf(word, file) ? file : undefined);
}

/** Tells whether this package has a program of that name, in any form that npm reads. True if we can't read the file, since npm may. */
function isPackageOf(word: string, file: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(readBrought(file).replace(/^\uFEFF/, ''));
  } catch {
    return true;
  }
  const { name, bin, directories } = asObject(value);
  const programs: readonly unknown[] = Array.isArray(bin) ? bin : Object.keys(asObject(bin));
  const folder = asObject(directories)['bin'];
  const files = typeof folder === 'string' ? filesBelow(join(dirname(file), join('/', folder))) : [];
  const names = [name, ...programs, ...files].map((one) =>
    typeof one === 'string' ? basename(one.replaceAll(/[\\:]/g, '/')) : '',
  );
  return names.some((one) => one === word || one === 'clawai');
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    // npm finds nothing there either.
    return [];
  }
}

function asObject(value: unknown): {
  readonly [key: string]: unknown;
  readonly name?: unknown;
  readonly bin?: unknown;
  readonly directories?: unknown;
} {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Matches npm settings that do not affect what npx starts or how; settings for a scope or a host never do. */
const HARMLESS =
  /^(?:\/\/.*|@[^:]+:registry|access|audit|audit-level|engine-strict|fund|legacy-peer-deps|loglevel|package-lock|progress|save-exact|save-prefix|strict-peer-deps|tag-version-prefix|update-notifier)$/;

function settingsIn(text: string): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const name = line.split('=')[0]?.trim() ?? '';
    return name === '' || name.startsWith('#') || name.startsWith(';') ? [] : [name];
  });
}

function readText(file: string): string {
  try {
    return readBrought(file);
  } catch (error) {
    // npm may be able to read a file that we can't.
    return existsSync(file) ? `${String(error)}\n` : '';
  }
}

/** More than any such file has. */
const MOST_BYTES = 1_048_576;

/** Reads a file from a project, which may be a link to an endless device. Throws if it is not a file, or far too large. */
export function readBrought(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile() || stats.size > MOST_BYTES) throw new Error(`${file} is not a file, or is too large`);
  return readFileSync(file, 'utf8');
}

/** Lists a folder and its parents within the repository, since npx searches them too. */
function foldersUpTo(project: string): readonly string[] {
  const folders = [project];
  for (let folder = project; !existsSync(join(folder, '.git')); folders.push(folder)) {
    const parent = dirname(folder);
    // Outside a repository, the folders above are the user's.
    if (parent === folder) return [project];
    folder = parent;
  }
  return folders;
}
