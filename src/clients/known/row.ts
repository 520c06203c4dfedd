import { type Client, type EntryShape, type Location, NO_LOCK, PLAIN, type Remark, STRICT } from '../client.ts';

/** The place of a file, perhaps with what is particular about it. */
type File = Location['file'] | (Partial<Location> & Pick<Location, 'file'>);

/** Files by their id. */
type Files = Readonly<Record<string, File>>;

/** A client in one row: what its files have in common, then each of them. Without a word, a file is as Claude Desktop has it. */
export interface ClientRow
  extends Omit<Client, 'locations' | 'isDesktopApp'>, Partial<Pick<Location, 'syntax' | 'tables' | 'shape'>> {
  readonly isDesktopApp?: true;
  /** Remarks on every file, before its own. */
  readonly fileRemarks?: readonly Remark[];
  readonly isRewrittenByClient?: true;
  readonly user?: Files;
  readonly local?: Files;
  /** Files that teams commit. */
  readonly project?: Files;
  /** Files of plugins and extensions. */
  readonly plugins?: Files;
  readonly managed?: Files;
}

/** The plain shape with a key that switches an entry off. */
export const SWITCHED: EntryShape = { ...PLAIN, disabled: { key: 'disabled', when: true } };

/** The shape that opencode has, and what is built on it. */
export const ARGV: EntryShape = {
  stdio: 'argv',
  env: 'environment',
  urls: ['url'],
  disabled: { key: 'enabled', when: false },
  mayLackCommand: true,
};

export const NEXT_START: Remark = { id: 'restart', text: 'changes count from the next start' };

const SHARED_FILE: Remark = {
  id: 'shared-file',
  text: 'the file is usually committed: absolute paths in it do not exist on other machines',
};

const PLUGIN_CACHE: Remark = {
  id: 'plugin-cache',
  text: "the plugin's next update overwrites this file, and with it any change",
};

/** A file in three places. @param first templates that count before */
export function perPlatform(darwin: string, linux: string, win32: string, first: readonly string[] = []): Location['file'] {
  return { darwin: [...first, darwin], linux: [...first, linux], win32: [...first, win32] };
}

/** A file for each name, which stands behind the id, and in place of `*` in the template. */
export function named(names: readonly string[], id: string, template: string | ((name: string) => File)): Files {
  const fileOf = typeof template === 'string' ? (name: string): File => [template.replace('*', name)] : template;
  return Object.fromEntries(names.map((name) => [`${id}/${name}`, fileOf(name)]));
}

/** The client of a row. */
export function toClient(row: ClientRow): Client {
  const { isDesktopApp = false, fileRemarks = [], user, local, project, plugins, managed, ...rest } = row;
  const { syntax = STRICT, tables = [['mcpServers']], shape = PLAIN, isRewrittenByClient, ...client } = rest;
  const common = { syntax, tables, shape, lock: NO_LOCK, ...(isRewrittenByClient && { isRewrittenByClient }) };
  const locate = (files: Files | undefined, of: Pick<Location, 'scope'> & Partial<Location>): readonly Location[] =>
    Object.entries(files ?? {}).map(([id, file]) => {
      const own = Array.isArray(file) || !('file' in file) ? { file: file as Location['file'] } : file;
      const remarks = [...fileRemarks, ...(own.remarks ?? []), ...(of.remarks ?? [])];
      return { ...common, ...of, id, ...own, ...(remarks.length > 0 && { remarks }) };
    });
  return {
    ...client,
    isDesktopApp,
    locations: [
      ...locate(user, { scope: 'user' }),
      ...locate(local, { scope: 'local' }),
      ...locate(project, { scope: 'project', isShared: true, remarks: [SHARED_FILE] }),
      ...locate(plugins, { scope: 'user', isPluginCache: true, remarks: [PLUGIN_CACHE] }),
      ...locate(managed, { scope: 'managed' }),
    ],
  };
}
