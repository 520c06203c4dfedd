import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../src/core/detect/inspect-field.ts';

describe('findSecrets', () => {
  it('tells kind and place, and not the secret', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const found = findSecrets('a', `see ${key}`);
    expect(found.map(({ severity, matches }) => [severity, matches[0]?.position])).toEqual([['low', 4]]);
    expect(JSON.stringify(found)).not.toContain(key);
  });

  it('a private key is worse', () => {
    expect(findSecrets('a', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----')[0]?.severity).toBe('medium');
  });

  it('nothing where there is none', () => {
    expect(findSecrets('a', 'token: next-page')).toEqual([]);
  });
});
