import type { ClientStyle } from './client-style.ts';
import { asIs, namesIn } from './spell.ts';

/** `server__tool`. After `name_to_key` in `crates/goose/src/config/extensions.rs` of block/goose. */
export const goose: ClientStyle = {
  id: 'goose',
  isSentBy: ({ userAgent = '' }) => /^goose\//i.test(userAgent),
  forms: [{ prefix: '', separator: '__', server: (server) => [toKey(server)], tool: asIs, mark: 'both_parts' }],
  isBare: false,
  native: namesIn('analyze delegate edit load shell tree write'),
  // What it ships has names like those of servers.
  nativePrefixes: ['developer__', 'platform__', 'todo__', 'skills__', 'extensionmanager__', 'chatrecall__', 'subagent__'],
};

function toKey(server: string): string {
  return server
    .replace(/\s+/g, '')
    .replace(/[^A-Za-z0-9_-]/gu, '_')
    .toLowerCase();
}
