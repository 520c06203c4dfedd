import type { ClientStyle } from './client-style.ts';
import { asIs, namesIn } from './spell.ts';

/** `mcp_server_tool`, both as they are. After `internal/agent/tools/mcp-tools.go` of charmbracelet/crush. Cursor had the same. */
export const crush: ClientStyle = {
  id: 'crush',
  isSentBy: ({ userAgent = '' }) => /^(?:Charm[- ])?Crush\//i.test(userAgent),
  forms: [{ prefix: 'mcp_', separator: '_', server: (server) => [server], tool: asIs, mark: 'both_parts' }],
  isBare: false,
  native: namesIn(`
    agent agentic_fetch bash download edit fetch glob grep job_kill job_output ls lsp_diagnostics lsp_references
    multiedit sourcegraph todos view web_fetch web_search write
  `),
};
