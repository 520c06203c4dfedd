/** @module-tag long */
// The OAuth scenarios for clients of the MCP project's suites, with clawai as the client that logs in. They all pass. Left out are those for
// which nobody logs in, since a login of clawai is a person's: client credentials, and tokens of an enterprise or a workload; and DPoP.
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runClientScenario } from './suites.ts';

const CLIENT = join(import.meta.dirname, 'managed-client.ts');

/** The scenarios, and how many different checks pass in each. Some are made for each request, of which clawai's own listing may make more. */
const SCENARIOS: Readonly<Record<string, number>> = {
  'metadata-default': 15,
  'metadata-var1': 15,
  'metadata-var2': 15,
  'metadata-var3': 15,
  'basic-cimd': 10,
  'scope-from-www-authenticate': 11,
  'scope-from-scopes-supported': 11,
  'scope-omitted-when-undefined': 11,
  'scope-step-up': 12,
  'scope-retry-limit': 10,
  'token-endpoint-auth-basic': 16,
  'token-endpoint-auth-post': 16,
  'token-endpoint-auth-none': 16,
  'pre-registration': 10,
  '2025-03-26-oauth-metadata-backcompat': 9,
  '2025-03-26-oauth-endpoint-fallback': 4,
  'resource-mismatch': 3,
  'offline-access-scope': 13,
  'offline-access-not-supported': 12,
  'authorization-server-migration': 14,
  'iss-supported': 12,
  'iss-not-advertised': 12,
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
      const [, failed, warnings] = /Passed: \d+\/\d+, (\d+) failed, (\d+) warnings/.exec(output) ?? [];
      // The end of what the suite says tells which check failed.
      const end = output.slice(-3000);
      expect({ code, failed, warnings, end }).toEqual({ code: 0, failed: '0', warnings: '0', end });
      const passed = stripVTControlCharacters(output).matchAll(/\[([\w-]+) *\] SUCCESS/g);
      expect(new Set(Array.from(passed, ([, check]) => check)).size).toBeGreaterThanOrEqual(passing);
    },
  );
});
