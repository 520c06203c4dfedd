import { type PolicyFile, STRICT } from './client.ts';

/** Lists of servers as Claude Code and GitHub Copilot have them, in the settings of an administrator. */
export const MCP_LISTS: Omit<PolicyFile, 'file'> = {
  syntax: STRICT,
  keys: ['allowedMcpServers', 'deniedMcpServers'],
  remark: {
    id: 'allow-list',
    text: 'an administrator allows or denies servers by exact command or URL, and can list there what `clawai wrap` writes',
  },
};

/** Settings that both VS Code and Copilot CLI take from an administrator. */
export const COPILOT_SETTINGS: PolicyFile = {
  file: {
    darwin: ['/Library/Application Support/GitHubCopilot/managed-settings.json'],
    linux: ['/etc/github-copilot/managed-settings.json'],
    win32: ['<programs>/GitHubCopilot/managed-settings.json'],
  },
  ...MCP_LISTS,
};

/** The settings that a Mac gets from whoever manages the device, by their domain. */
export function deviceProfile(domain: string): PolicyFile {
  return {
    file: { darwin: [`/Library/Managed Preferences/${domain}.plist`] },
    syntax: 'plist',
    keys: [],
    remark: { id: 'allow-list', text: 'an administrator manages it on this device, in a form that clawai does not read' },
  };
}
