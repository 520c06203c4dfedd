import type { ClientStyle } from './client-style.ts';
import { namesIn, toHyphenated } from './spell.ts';

/** `server_tool`. After `packages/opencode/src/mcp/catalog.ts` of sst/opencode. */
export const opencode: ClientStyle = {
  id: 'opencode',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('opencode/'),
  forms: [{ prefix: '', separator: '_', server: (server) => [toHyphenated(server)], tool: toHyphenated, mark: 'none' }],
  isBare: false,
  native: namesIn(`
    apply_patch bash batch codesearch edit glob grep invalid list lsp multiedit patch plan_enter plan_exit question read
    skill task todoread todowrite webfetch websearch write
  `),
};
