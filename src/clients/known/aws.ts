import { type Client, type Location, NO_LOCK, SHARED_FILE, STRICT } from '../client.ts';

const config = {
  syntax: STRICT,
  tables: [['mcpServers']],
  shape: { stdio: 'command', env: 'env', urls: ['url'], disabled: { key: 'disabled', when: true } },
  lock: NO_LOCK,
} satisfies Partial<Location>;

const shared = { ...config, scope: 'project', isShared: true, remarks: [SHARED_FILE] } as const satisfies Partial<Location>;

const remarks = [
  { id: 'allow-list', text: "an administrator's registry may not have wrapped servers" },
  { id: 'restart', text: 'changes count from the next start' },
] as const satisfies Client['remarks'];

export const kiro: Client = {
  id: 'kiro',
  name: 'Kiro',
  infoName: /^kiro/i,
  isDesktopApp: true,
  locations: [
    {
      ...config,
      id: 'user',
      scope: 'user',
      file: ['~/.kiro/settings/mcp.json'],
      tables: [['mcpServers'], ['powers', 'mcpServers']],
    },
    { ...config, id: 'agents', scope: 'user', file: ['~/.kiro/agents/*.json'] },
    {
      ...shared,
      id: 'project',
      file: ['<project>/.kiro/settings/mcp.json'],
      tables: [['mcpServers'], ['powers', 'mcpServers']],
    },
    { ...shared, id: 'project-agents', file: ['<project>/.kiro/agents/*.json'] },
  ],
  remarks,
};

export const amazonQ: Client = {
  id: 'amazon-q',
  name: 'Amazon Q',
  infoName: /^(?:amazon[ -]?q|q[ -](?:cli|dev))/i,
  isDesktopApp: true,
  locations: [
    { ...config, id: 'user', scope: 'user', file: ['~/.aws/amazonq/mcp.json'] },
    { ...config, id: 'agents', scope: 'user', file: ['~/.aws/amazonq/cli-agents/*.json'] },
    { ...config, id: 'editor-agents', scope: 'user', file: ['~/.aws/amazonq/agents/*.json'] },
    { ...config, id: 'legacy', scope: 'user', file: ['~/.aws/amazonq/profiles/*/mcp.json'] },
    { ...shared, id: 'project', file: ['<project>/.amazonq/mcp.json'] },
    { ...shared, id: 'project-agents', file: ['<project>/.amazonq/cli-agents/*.json'] },
  ],
  remarks,
};
