import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { LocatedFile } from '../clients/locate.ts';

/** A way to start clawai that is the same on every machine: fetched by npx, or found by its name. */
export type Portable = 'npx' | 'name';

/** The words before `proxy` that start this version on any machine. Windows' clients that need a shell for them bring it. */
export function portableLauncher(kind: Portable, version: string): readonly string[] {
  return kind === 'npx' ? ['npx', '-y', `clawai@${version}`] : ['clawai'];
}

/** Which of both ways these words are, whatever version they name; undefined where they are neither to the letter. */
export function portableKind(launcher: readonly string[]): Portable | undefined {
  const [first, ...rest] = withoutShell(launcher);
  if (first === 'clawai' && rest.length === 0) return 'name';
  const isNpx = first === 'npx' && rest.length === 2 && rest[0] === '-y' && /^clawai@[\w.+-]+$/.test(rest[1] ?? '');
  return isNpx ? 'npx' : undefined;
}

/** Do these words start this very version on every machine? */
export function isPortable(launcher: readonly string[], version: string): boolean {
  const kind = portableKind(launcher);
  return kind !== undefined && withoutShell(launcher).join('\0') === portableLauncher(kind, version).join('\0');
}

/** Some of Windows' clients start `npx` through its shell alone. */
function withoutShell(words: readonly string[]): readonly string[] {
  return words[0]?.toLowerCase() === 'cmd' && words[1]?.toLowerCase() === '/c' ? words.slice(2) : words;
}

/** A file, and the place that clients know it by. */
export interface PlacedFile {
  readonly file: string;
  readonly location: Pick<LocatedFile['location'], 'file' | 'scope'>;
}

/** The folder of the project that a file belongs to; undefined for a file of no project. */
export function projectFolderOf({ file, location }: PlacedFile): string | undefined {
  const templates: readonly string[] = Array.isArray(location.file) ? location.file : [];
  const depth = templates.find((template) => template.startsWith('<project>/'))?.split('/').length;
  if (depth === undefined) return undefined;
  return Array.from({ length: depth - 1 }).reduce<string>((folder) => dirname(folder), file);
}

/**
 * What of a project would be started instead of clawai, or says where it comes from, as a phrase without full stop: npx prefers
 * what the project has installed, and reads its settings; Windows looks in the current folder first. Undefined where there is nothing.
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
 * What npx (npm 11) takes from a folder before it looks in its cache: what is installed there, or a program of the folder's own package. Those
 * have the whole word, version and all, for their name.
 */
function ownCopy(folder: string, word: string): string | undefined {
  const programs = ['clawai', word].flatMap((name) => [name, `${name}.cmd`].map((file) => join('.bin', file)));
  const installed = ['clawai', ...programs].map((name) => join(folder, 'node_modules', name)).find((file) => existsSync(file));
  const file = join(folder, 'package.json');
  return installed ?? (existsSync(file) && isPackageOf(word, file) ? file : undefined);
}

/** Has this package a program of that name, by one of the ways in which npm reads it? Also true where we can't read it, but npm may. */
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

/** Settings of npm's that neither choose what npx starts nor how; of a scope, or for a host, none does. */
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
    // Where there is one that we can't read, npm may.
    return existsSync(file) ? `${String(error)}\n` : '';
  }
}

/** More than any such file has. */
const MOST_BYTES = 1_048_576;

/** Reads a file that a project brought along, which may be a link to what never ends. Throws where it is no file, or far too large. */
export function readBrought(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile() || stats.size > MOST_BYTES) throw new Error(`${file} is not a file, or is too large`);
  return readFileSync(file, 'utf8');
}

/** A folder and those above it in its repository, since npx looks in them too. */
function foldersUpTo(project: string): readonly string[] {
  const folders = [project];
  for (let folder = project; !existsSync(join(folder, '.git')); folders.push(folder)) {
    const parent = dirname(folder);
    // In no repository: the folders above are the user's.
    if (parent === folder) return [project];
    folder = parent;
  }
  return folders;
}
