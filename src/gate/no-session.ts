import type { CallSession } from './session-view.ts';

/** For calls that are looked at before they are made: what flows between servers is looked at where they are. */
export const NO_SESSION: CallSession = {
  isActive: false,
  concerns: () => false,
  facts: () => undefined,
  note: () => {},
  takeBack: () => {},
  hasUnread: () => false,
  takeUnread: () => undefined,
};

/** The same for how often servers are called: a call counts once, where it is made. */
export const NO_RATES = { snapshot: () => undefined, spend: () => {}, refund: () => {} };
