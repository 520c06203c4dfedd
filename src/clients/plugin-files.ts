import { type Location, NO_LOCK, PLUGIN_CACHE } from './client.ts';

interface PluginFiles extends Pick<Location, 'syntax' | 'shape'> {
  /** Templates of the folder that holds the plugins of a client; the first whose variable is set counts. */
  readonly folders: readonly string[];
  /** The file with a plugin's servers, in its folder. */
  readonly servers: string;
  /** Its manifest, which can hold servers too, or names of more files with servers. */
  readonly manifest: string;
}

/** The files in which a client's plugins bring servers. A plugin has each in its folder; neither is ever edited. */
export function pluginFiles({ folders, servers, manifest, ...config }: PluginFiles): readonly Location[] {
  const location = (id: string, name: string, tables: Location['tables']): Location => ({
    ...config,
    id,
    scope: 'user',
    file: folders.map((folder) => `${folder}/**/${name}`),
    tables,
    lock: NO_LOCK,
    isPluginCache: true,
    remarks: [PLUGIN_CACHE],
  });
  return [
    location('plugins', servers, [['mcpServers'], []]),
    { ...location('plugin-manifests', manifest, [['mcpServers']]), mayNameFiles: true },
  ];
}
