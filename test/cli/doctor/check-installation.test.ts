import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSchemas } from '../../../src/cli/doctor/check-installation.ts';
import { writeSchemas } from '../../../src/cli/init/init-config.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clawai-schemas-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('schemas for editors', () => {
  it('are no matter where there are none, or they are those of this version', () => {
    expect(checkSchemas(folder)).toEqual([]);
    writeSchemas(folder);
    expect(checkSchemas(folder)).toEqual([]);
  });

  it.each(['policy', 'fixture'])('are told of where one is another: %s', (name) => {
    writeSchemas(folder);
    writeFileSync(join(folder, 'schemas', `${name}.schema.json`), '{}');
    expect(checkSchemas(folder)).toEqual([
      {
        about: 'schemas',
        level: 'warn',
        text: `those for editors in ${folder} are not of this version of clawai`,
        todo: 'clawai init',
      },
    ]);
  });
});
