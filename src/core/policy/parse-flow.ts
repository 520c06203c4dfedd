import { checkKeys, complainOfType, type Complaints } from './complaints.ts';
import { isTomlTable, type TomlValue } from './toml.ts';
import type { Flow } from './types.ts';

const WINDOW = 30_000;

/** A policy without the table. */
export const DEFAULT_FLOW: Flow = {
  enabled: true,
  readThenSend: { enabled: true, action: 'alert', window: WINDOW, evidence: 'category' },
  crossServerFlow: { enabled: true, action: 'alert', window: WINDOW, sameTurnOnly: true, evidence: 'category' },
  burst: { enabled: true, action: 'alert', maxCalls: 10, window: 5000 },
  shadowTool: { enabled: true, action: 'deny' },
};

/** Reads `[flow]`: what becomes of calls that are harmless one by one and harmful together. */
export function parseFlow(value: TomlValue | undefined, to: Complaints): Flow {
  if (value === undefined) return DEFAULT_FLOW;
  if (!isTomlTable(value)) complainOfType(to, ['flow'], value, 'a table');
  else checkKeys(to, ['flow'], value, { read: ['enabled'], unenforced: [], where: '[flow]' });
  return DEFAULT_FLOW;
}
