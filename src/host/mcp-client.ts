/** The official MCP client, for logins and for `clawai demo`. Load it only when needed: it is 860 kB, and takes longer than the start of Node. */
export {
  auth,
  Client,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  OAuthError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  refreshAuthorization,
  selectClientAuthMethod,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
