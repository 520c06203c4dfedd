import type { LoginSecrets } from '../../src/remote/login/login.ts';
import type { NewLogin } from '../../src/remote/login/login-store.ts';

export const URL_OF_SERVER = 'https://mcp.example.com/mcp';
export const SECRETS: LoginSecrets = { accessToken: 'access-token', refreshToken: 'refresh-token' };

export function newLogin(more: Partial<NewLogin> = {}): NewLogin {
  return {
    url: URL_OF_SERVER,
    issuer: 'https://as.example.com',
    resource: URL_OF_SERVER,
    scope: 'read',
    clientId: 'client',
    tokenEndpoint: 'https://as.example.com/token',
    revocationEndpoint: undefined,
    authMethods: [],
    metadataUrl: undefined,
    since: 0,
    renewed: 0,
    expires: undefined,
    problem: undefined,
    wanted: undefined,
    raised: undefined,
    ...more,
  };
}
