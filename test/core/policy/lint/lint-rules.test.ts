import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { IGNORE_LINTS } from '../../../../src/core/policy/lint/lint-policy.ts';
import { LINT_RULES } from '../../../../src/core/policy/lint/lint-rules.ts';

const IDS = LINT_RULES.map(({ id }) => id);

describe('lint rules', () => {
  it('are those that have a file, each with samples', () => {
    const names = (folder: string, end: string): string[] =>
      readdirSync(join(import.meta.dirname, folder))
        .filter((file) => file.endsWith(end))
        .map((file) => file.slice(0, -end.length))
        .toSorted();
    expect(IDS.toSorted()).toEqual(names('../../../../src/core/policy/lint/rules', '.ts'));
    expect(IDS.toSorted()).toEqual(names('rules', '.test.ts'));
  });

  it.each([...LINT_RULES, ...IGNORE_LINTS])('$id has a name and a sentence', ({ id, summary }) => {
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)+$/);
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect([...IDS, ...IGNORE_LINTS.map((lint) => lint.id)].filter((other) => other === id)).toHaveLength(1);
  });
});
