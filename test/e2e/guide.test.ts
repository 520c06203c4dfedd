import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePolicy } from '../../src/core/policy/parse.ts';
import { compileRegex } from '../../src/core/patterns/regex.ts';
import { blocksOf, GUIDES } from '../support/doc-page.ts';
import { DocumentedMachine } from '../support/documented-machine.ts';

describe.each(GUIDES)('%s', (page) => {
  const blocks = blocksOf(page);
  let machine: DocumentedMachine;
  beforeAll(async () => {
    machine = new DocumentedMachine();
    await machine.prepare();
  });
  afterAll(() => machine.remove());

  it('its files can be written, its commands run, and print what it says', async () => {
    const outputs: unknown[] = [];
    for (const [index, { language, file, text }] of blocks.entries()) {
      if (file !== undefined) machine.write(file, text);
      if (language !== 'sh') continue;
      const { code, stdout, stderr } = await machine.run(text);
      const shown = blocks[index + 1];
      outputs.push({ commands: text, code, ...(shown?.language === 'text' && { output: stdout + stderr }) });
    }
    const expected = blocks.flatMap(({ language, text }, index) => {
      const shown = blocks[index + 1];
      return language === 'sh' ? [{ commands: text, code: 0, ...(shown?.language === 'text' && { output: shown.text }) }] : [];
    });
    expect(outputs).toEqual(expected);
  });

  it.each(blocks.filter(({ language }) => language === 'toml'))('line $line is a policy', ({ text }) => {
    expect(parsePolicy(text, { file: page, regex: compileRegex })).toMatchObject({ ok: true });
  });
});
