import { knownKeys } from '../variant-key.ts';

/** Keys of a call, of a result, and of what else a block and a delta are read for. */
export const BLOCK_KEYS = knownKeys([
  'type',
  'id',
  'name',
  'input',
  'toolset_name',
  'server_name',
  'tool_use_id',
  'partial_json',
  'text',
  'content',
  'stop_reason',
]);
