import { type Client, type Location, NO_LOCK, STRICT } from '../client.ts';

const NAME = 'cline_mcp_settings.json';

const config = {
  scope: 'user',
  syntax: STRICT,
  tables: [['mcpServers']],
  shape: {
    stdio: 'command-or-transport',
    env: 'env',
    urls: ['url'],
    disabled: { key: 'disabled', when: true },
  },
  remarks: [{ id: 'transport-guess', ifEntryHas: 'url', text: 'a URL without a type means the older SSE transport here' }],
} satisfies Partial<Location>;

/** Editors that the extension keeps settings of its own in, up to version 3. */
const EDITORS = [
  { id: 'legacy', folder: 'Code' },
  { id: 'legacy-insiders', folder: 'Code - Insiders' },
  { id: 'legacy-vscodium', folder: 'VSCodium' },
];

export const cline: Client = {
  id: 'cline',
  name: 'Cline',
  infoName: /^cline/i,
  isDesktopApp: true,
  locations: [
    {
      ...config,
      id: 'user',
      file: [
        '$CLINE_MCP_SETTINGS_PATH',
        `$CLINE_DATA_DIR/settings/${NAME}`,
        `$CLINE_DIR/data/settings/${NAME}`,
        `~/.cline/data/settings/${NAME}`,
      ],
      lock: { kind: 'owned-directory', staleAfterMs: 10_000 },
    },
    ...EDITORS.map(({ id, folder }): Location => ({
      ...config,
      id,
      file: [`<data>/${folder}/User/globalStorage/saoudrizwan.claude-dev/settings/${NAME}`],
      lock: NO_LOCK,
      remarks: [...config.remarks, { id: 'legacy', text: 'only versions before 4 read this file; later ones take it over once' }],
    })),
  ],
  remarks: [{ id: 'rewrites-file', text: 'servers installed from the marketplace later are not wrapped' }],
};
