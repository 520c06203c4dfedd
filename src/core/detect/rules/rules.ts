import type { Rule } from '../engine/rule.ts';
import { CREDENTIAL_THEFT } from './credential-theft.ts';
import { COVERT_SIDE_EFFECT, EXFILTRATION } from './exfiltration.ts';
import { HIDDEN_INSTRUCTIONS } from './hidden-instructions.ts';
import { HIDDEN_ORDERS } from './hidden-orders.ts';
import { KEPT_FROM_USER } from './kept-from-user.ts';
import { TOOL_SHADOWING } from './tool-shadowing.ts';

/** All rules on words. */
export const RULES: readonly Rule[] = [
  ...HIDDEN_INSTRUCTIONS,
  ...HIDDEN_ORDERS,
  ...KEPT_FROM_USER,
  ...CREDENTIAL_THEFT,
  ...EXFILTRATION,
  ...COVERT_SIDE_EFFECT,
  ...TOOL_SHADOWING,
];
