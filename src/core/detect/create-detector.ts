import { createPlainDetector } from './create-plain-detector.ts';
import { createCustomPatterns } from './custom/custom-patterns.ts';
import type { CreateDetector } from './types.ts';

/** @see CreateDetector */
export const createDetector: CreateDetector = (rules) => {
  if (rules.patterns.length === 0) return createPlainDetector(rules);
  return createPlainDetector(rules, { findCustom: createCustomPatterns(rules.patterns) });
};
