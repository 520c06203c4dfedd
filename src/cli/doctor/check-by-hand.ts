import type { ByHandStatus } from '../../wrap/read-by-hand.ts';
import { describeByHand } from '../wrap/by-hand-report.ts';
import { type Check, warn } from './check.ts';

/** Clients that have servers, and whose configs clawai does not edit. @param launcher what starts this clawai */
export function checkByHand(found: readonly ByHandStatus[], launcher: readonly string[]): readonly Check[] {
  return found.flatMap((status) => {
    const described = describeByHand(status, launcher);
    return described === undefined ? [] : [warn('clients', described.text, described.todo)];
  });
}
