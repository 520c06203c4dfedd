import type { Credential } from './route-parts.ts';

/** A request that was not sent, or not taken, since somebody has to log in first. The message says what to do. */
export class LoginNeeded extends Error {
  override readonly name = 'LoginNeeded';
}

/** @throws LoginNeeded */
export function headerIn(credential: Credential): string {
  if ('problem' in credential) throw new LoginNeeded(credential.problem);
  return credential.header;
}
