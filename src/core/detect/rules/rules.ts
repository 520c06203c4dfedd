import type { Rule } from '../engine/rule.ts';
import { CREDENTIAL_THEFT } from './credential-theft.ts';
import { COVERT_SIDE_EFFECT, EXFILTRATION, TOOL_SHADOWING } from './exfiltration.ts';
import { HIDDEN_INSTRUCTIONS } from './hidden-instructions.ts';
import { HIDDEN_ORDERS } from './hidden-orders.ts';

/** All rules on words. */
export const RULES: readonly Rule[] = [
  ...HIDDEN_INSTRUCTIONS,
  ...HIDDEN_ORDERS,
  ...CREDENTIAL_THEFT,
  ...EXFILTRATION,
  ...COVERT_SIDE_EFFECT,
  ...TOOL_SHADOWING,
];
