import { describe, expect, it } from 'vitest';
import { versionOf } from '../../../src/core/detect/version-of.ts';

const PATTERN = { name: 'a', pattern: 'x', severity: 'high', description: 'd' } as const;

describe('the version of a detector', () => {
  it('is the same for the same rules, in whatever order they were written', () => {
    expect(versionOf({ families: {}, patterns: [] })).toBe(versionOf({}));
    const families = { exfiltration: false, path_traversal: true };
    expect(versionOf({ families, patterns: [] })).toBe(
      versionOf({ families: { path_traversal: true, exfiltration: false }, patterns: [] }),
    );
  });

  it('is another one for other families and patterns', () => {
    const versions = [
      versionOf({ families: {}, patterns: [] }),
      versionOf({ families: { exfiltration: false }, patterns: [] }),
      versionOf({ families: { exfiltration: true }, patterns: [] }),
      versionOf({ families: {}, patterns: [PATTERN] }),
      versionOf({ families: {}, patterns: [{ ...PATTERN, pattern: 'y' }] }),
    ];
    expect(new Set(versions).size).toBe(versions.length);
  });
});
