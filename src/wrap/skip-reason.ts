/**
 * Why an entry is left as it is. Of remote servers:
 * - `serve-stopped`: nothing stands in front of them
 * - `own-listener`: its URL leads to `clawai serve`, which knows no such server
 * - `transport`: it is not streamable HTTP
 * - `templated-url`: its client fills in a part of its URL
 * - `url`, `name`: its URL is none that we reach, or its name can't be a part of one
 * - `oauth`: its client logs in to it for the URL that it has
 * - `login`, `http-sse`: its server was asked, and wants a login, or speaks the transport before streamable HTTP
 * - `unreachable`: its server was asked, and did not answer as an MCP server
 *
 * - `shared-url`: its file is one that a team shares, and its URL would lead to `clawai serve` of this machine
 *
 * Of others:
 * - `machine-path`: it is to start on every machine, and has a flag that names a file of this one
 * - `own-entry`: an entry of the user's own goes before it, and is behind clawai
 * - `refused`: no copy of it is made, since its user told the client not to start it
 * - `environment`: no copy of it is made, since what it sets can give clawai another policy
 */
export type SkipReason =
  | 'serve-stopped'
  | 'own-listener'
  | 'transport'
  | 'templated-url'
  | 'url'
  | 'oauth'
  | 'login'
  | 'http-sse'
  | 'unreachable'
  | 'name'
  | 'managed'
  | 'malformed'
  | 'no-process'
  | 'clawai'
  | 'other-wrapper'
  | 'plugin-cache'
  | Sharing
  | 'shared-url'
  | 'machine-path'
  | 'own-entry'
  | 'environment'
  | 'refused'
  | 'allow-list';

/** A file that a team shares; `maybe-shared`: git does not say that it is not under version control. */
export type Sharing = 'shared' | 'maybe-shared';
