import type { FindKind } from './find-kind.ts';
import { findCards, findToldCards } from './find-cards.ts';
import { findCryptoAddresses } from './find-crypto-addresses.ts';
import { findEmails } from './find-emails.ts';
import { findIbans } from './find-ibans.ts';
import { findPhones } from './find-phones.ts';
import { findSeedPhrases } from './find-seed-phrases.ts';
import { findSsns } from './find-ssns.ts';

/** Kinds that a check proves, each with the switch in the policy. A new one is one file in this folder, one line here, and one key there. */
export const CHECKED_KINDS = [
  { kind: 'card', group: 'cards', find: findCards },
  { kind: 'iban', group: 'iban', find: findIbans },
  { kind: 'ssn', group: 'ssn', find: findSsns },
  { kind: 'seed_phrase', group: 'seedPhrases', find: findSeedPhrases },
  { kind: 'email', group: 'email', find: findEmails },
  { kind: 'phone', group: 'phone', find: findPhones },
  { kind: 'crypto_address', group: 'cryptoAddresses', find: findCryptoAddresses },
] as const satisfies readonly { readonly kind: string; readonly group: string; readonly find: FindKind }[];

/** The same for texts that nobody may have meant: what chance hardly makes there. */
export const SURE_KINDS = [
  { kind: 'card', group: 'cards', find: findToldCards },
  { kind: 'iban', group: 'iban', find: findIbans },
] as const;
