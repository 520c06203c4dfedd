/** @module-tag long */
// The OAuth scenarios for clients of the MCP project's suites, with clawai as the client that logs in. They all pass. Left out are those for
// which nobody logs in, since a login of clawai is a person's: client credentials, and tokens of an enterprise or a workload; and DPoP.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runClientScenario } from './suites.ts';

const CLIENT = join(import.meta.dirname, 'managed-client.ts');

/** The scenarios, and how many checks pass in each at least. */
const SCENARIOS: Readonly<Record<string, number>> = {
  'metadata-default': 16,
  'metadata-var1': 16,
  'metadata-var2': 14,
  'metadata-var3': 15,
  'basic-cimd': 14,
  'scope-from-www-authenticate': 14,
  'scope-from-scopes-supported': 17,
  'scope-omitted-when-undefined': 16,
  'scope-step-up': 25,
  'scope-retry-limit': 19,
  'token-endpoint-auth-basic': 18,
  'token-endpoint-auth-post': 18,
  'token-endpoint-auth-none': 18,
  'pre-registration': 13,
  '2025-03-26-oauth-metadata-backcompat': 14,
  '2025-03-26-oauth-endpoint-fallback': 9,
  'resource-mismatch': 3,
  'offline-access-scope': 15,
  'offline-access-not-supported': 15,
  'authorization-server-migration': 20,
  'iss-supported': 15,
  'iss-not-advertised': 15,
  'iss-supported-missing': 8,
  'iss-wrong-issuer': 8,
  'iss-unexpected': 8,
  'iss-normalized': 8,
  'metadata-issuer-mismatch': 3,
};

/** Each takes seconds: the others are for `npm run conformance`. */
const USUAL = ['scope-step-up', 'authorization-server-migration', 'iss-wrong-issuer'];

describe('a login by clawai, and calls with its tokens', () => {
  it.each(Object.entries(SCENARIOS).filter(([name]) => process.env['MODE'] === 'long' || USUAL.includes(name)))(
    '%s',
    { timeout: 180_000 },
    async (name, passing) => {
      const { code, output } = await runClientScenario(`auth/${name}`, `${process.execPath} ${CLIENT}`);
      const [, passed = '0', failed, warnings] = /Passed: (\d+)\/\d+, (\d+) failed, (\d+) warnings/.exec(output) ?? [];
      // The end of what the suite says tells which check failed.
      const end = output.slice(-3000);
      expect({ code, failed, warnings, end }).toEqual({ code: 0, failed: '0', warnings: '0', end });
      expect(Number(passed)).toBeGreaterThanOrEqual(passing);
    },
  );
});
