import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { IGNORE_LINTS, LINT_RULES } from '../../../src/policy-tools/lint/lint-policy.ts';

const IDS = LINT_RULES.map(({ id }) => id);

describe('lint rules', () => {
  it('are those that are written, each with samples', () => {
    const texts = (folder: string): string =>
      readdirSync(join(import.meta.dirname, folder))
        .map((file) => readFileSync(join(import.meta.dirname, folder, file), 'utf8'))
        .join('\n');
    const written = Array.from(texts('../../../src/policy-tools/lint/rules').matchAll(/^ {2}id: '(.+)',$/gm), ([, id]) => id);
    expect(IDS.toSorted()).toEqual(written.toSorted());
    const samples = texts('rules');
    expect(IDS.filter((id) => !samples.includes(`describe('${id}'`))).toEqual([]);
  });

  it.each([...LINT_RULES, ...IGNORE_LINTS])('$id has a name and a sentence', ({ id, summary }) => {
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)+$/);
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect([...IDS, ...IGNORE_LINTS.map((lint) => lint.id)].filter((other) => other === id)).toHaveLength(1);
  });
});
