/** The part of oidc-provider that the tests use; the package has no types of its own. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http';

  export interface StoredToken {
    readonly aud?: string | readonly string[];
    readonly scope?: string;
    readonly isValid: boolean;
    destroy(): Promise<void>;
  }

  export class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>);
    callback(): RequestListener;
    readonly AccessToken: { find(token: string): Promise<StoredToken | undefined> };
    on(event: string, listener: (...args: never[]) => void): this;
  }
}
