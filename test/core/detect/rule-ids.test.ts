import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RULE_IDS } from '../../../src/core/detect/rule-ids.ts';
import { RULES } from '../../../src/core/detect/rules/rules.ts';
import { FAMILIES } from '../../../src/core/detect/types.ts';

const FOLDER = join(import.meta.dirname, '../../../src/core/detect');

/** Ids in the sources of what is no rule on words: whole ones, and those of what is hidden, which stand there without their family. */
function idsInSources(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const family = file.includes('obfuscation') ? 'obfuscation.' : '';
      const found = readFileSync(join(FOLDER, file), 'utf8').matchAll(/(?:\brule:|const [A-Z_]+ =) '([a-z_0-9.]+)'/g);
      const ids = [...found].map(([, id = '']) => (id.includes('.') ? id : family + id));
      return ids.filter((id) => FAMILIES.some((one) => id.startsWith(`${one}.`)));
    });
}

describe('RULE_IDS', () => {
  it('has every rule on words, and no id twice', () => {
    const ofWords = RULES.map(({ id }) => id);
    expect(RULE_IDS).toEqual(expect.arrayContaining(ofWords));
    expect(new Set(RULE_IDS).size).toBe(RULE_IDS.length);
    expect(RULE_IDS.every((id) => FAMILIES.some((family) => id.startsWith(`${family}.`)))).toBe(true);
  });

  it('has those that the other inspectors find by, and no more', () => {
    const ofWords = new Set(RULES.map(({ id }) => id));
    const others = new Set(RULE_IDS.filter((id) => !ofWords.has(id) && !id.startsWith('obfuscation.encoded_')));
    expect([...others].toSorted()).toEqual([...new Set(idsInSources())].toSorted());
  });
});
