import { type Client, LENIENT, type Location, NO_LOCK, PLAIN, type Remark, SHARED_FILE, STRICT } from '../client.ts';
import { COPILOT_SETTINGS, deviceProfile } from '../policy-files.ts';

const remarks: readonly Remark[] = [
  {
    id: 'sandbox',
    ifEntryHas: 'sandboxEnabled',
    text: 'its sandbox then holds clawai too, which must be allowed to write its own state',
  },
  { id: 'debugging', ifEntryHas: 'dev', text: 'debugging and watching expect the original command' },
];

const config = { syntax: LENIENT, tables: [['servers']], shape: PLAIN, lock: NO_LOCK, remarks } satisfies Partial<Location>;

/** Builds that keep their settings apart: the stable id, their folder below the settings' folder, and that of their remote server. */
const BUILDS = [
  { suffix: '', folder: 'Code', server: '.vscode-server' },
  { suffix: '-insiders', folder: 'Code - Insiders', server: '.vscode-server-insiders' },
  { suffix: '-vscodium', folder: 'VSCodium', server: '.vscodium-server' },
  { suffix: '-oss', folder: 'Code - OSS', server: '.vscode-server-oss' },
];

export const vscode: Client = {
  id: 'vscode',
  name: 'VS Code',
  infoName: /^(?:visual[ -]studio[ -]code|vs ?code)/i,
  isDesktopApp: true,
  locations: [
    ...BUILDS.flatMap(({ suffix, folder, server }): readonly Location[] => [
      { ...config, id: `user${suffix}`, scope: 'user', file: [`<data>/${folder}/User/mcp.json`] },
      { ...config, id: `profile${suffix}`, scope: 'user', file: [`<data>/${folder}/User/profiles/*/mcp.json`] },
      { ...config, id: `remote${suffix}`, scope: 'user', file: [`~/${server}/data/User/mcp.json`] },
    ]),
    {
      ...config,
      id: 'project',
      scope: 'project',
      file: ['<project>/.vscode/mcp.json'],
      isShared: true,
      remarks: [...remarks, { id: 'other-readers', text: 'Visual Studio reads this file too' }, SHARED_FILE],
    },
  ],
  policyFiles: [
    COPILOT_SETTINGS,
    {
      file: { linux: ['/etc/vscode/policy.json'] },
      syntax: STRICT,
      keys: ['ChatMCP', 'McpGalleryServiceUrl'],
      remark: {
        id: 'allow-list',
        text: 'an administrator says which servers may be started: if only those of a registry, no wrapped one is',
      },
    },
    deviceProfile('com.microsoft.VSCode'),
  ],
  remarks: [{ id: 'approval-reset', text: 'VS Code may ask again whether to trust a changed server' }],
};
