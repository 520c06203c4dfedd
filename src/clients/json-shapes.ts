import type { EntryShape, LockProtocol } from './client.ts';

/** `command`, `args`, `env`, or `url`: what most clients took over from Claude Desktop. */
export const PLAIN: EntryShape = { stdio: 'command', env: 'env', urls: ['url'] };

export const NO_LOCK: LockProtocol = { kind: 'none' };
