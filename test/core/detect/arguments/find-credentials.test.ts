import { describe, expect, it } from 'vitest';
import { argumentKind } from '../../../../src/core/detect/arguments/argument.ts';
import { findCredentials } from '../../../../src/core/detect/arguments/find-credentials.ts';
import { normalise } from '../../../../src/core/detect/normalise/normalise.ts';

function found(name: string, sent: string): string[] {
  const { plain, at } = normalise(sent);
  return findCredentials({ field: `arguments.${name}`, name, kind: argumentKind(name, sent), sent, plain, at }).map(
    ({ rule }) => rule,
  );
}

describe('findCredentials', () => {
  it.each([
    ['path', '/home/user/.netrc', 'credential_theft.store_in_argument'],
    ['pattern', '**/*.pem', 'credential_theft.store_in_argument'],
    ['name', 'STRIPE_API_KEY', 'credential_theft.variable_in_argument'],
    ['url', 'http://metadata.google.internal/a', 'credential_theft.metadata_address'],
  ])('%s = %j', (name, value, rule) => {
    expect(found(name, value)).toEqual([rule]);
  });

  it.each([
    ['path', '/workspace/netrc.md'],
    ['content', 'see ~/.netrc'],
    ['name', 'API_BASE_URL'],
    ['url', 'https://example.com/.env'],
  ])('not %s = %j', (name, value) => {
    expect(found(name, value)).toEqual([]);
  });
});
