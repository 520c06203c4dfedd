import type { Approver } from '../gate/ports.ts';

/** The approver of a machine on which there is no way to ask: every `prompt` becomes a denial that says so. */
export const nobody: Approver = {
  ask: () => Promise.resolve('unavailable'),
};
