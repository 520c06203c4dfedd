import { describe, expect, it } from 'vitest';
import { continueIde } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${continueIde.id} makes them`, () => {
  it.each(
    checksOf(continueIde, {
      names: [
        ['My Files!', 'read', 'my_files_read'],
        ['github', 'github_search', 'github_search'],
      ],
      native: ['read_file', 'ls'],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});
