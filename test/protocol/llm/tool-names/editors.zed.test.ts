import { describe, expect, it } from 'vitest';
import { zed } from '../../../../src/protocol/llm/tool-names/editors.ts';
import { checksOf } from '../../../support/tool-names.ts';

describe(`names as ${zed.id} makes them`, () => {
  it.each(
    checksOf(zed, {
      names: [
        ['files', 'read', 'read'],
        ['myFiles HTTPServer', 'read', 'my_files_http_server_read'],
        ['files', 'r'.repeat(70), 'r'.repeat(64)],
      ],
      native: ['terminal'],
      headers: [{ 'user-agent': 'Zed/0.220.0' }],
    }),
  )('$what', ({ actual, expected }) => expect(actual()).toEqual(expected));
});
