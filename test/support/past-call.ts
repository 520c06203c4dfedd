import type { PastCall } from '../../src/core/finding.ts';

/** A call of `files` that read something and went on, at a time of which nobody wants to know, but for what is given. */
export function pastCall(id: string, more: Partial<PastCall> = {}): PastCall {
  return {
    id,
    time: 1_700_000_000_000,
    server: 'files',
    method: 'tools/call',
    subject: 'read_file',
    categories: ['read'],
    turn: undefined,
    isForwarded: true,
    ...more,
  };
}
