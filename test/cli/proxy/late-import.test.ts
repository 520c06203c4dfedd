import { describe, expect, it } from 'vitest';
import { lateImport } from '../../../src/cli/proxy/late-import.ts';

describe('lateImport', () => {
  it('gives what it loads', async () => {
    expect(await lateImport(() => Promise.resolve(7))).toBe(7);
  });

  it('says of a file that is gone what to do, and leaves other errors as they are', async () => {
    const gone = Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(lateImport(() => Promise.reject(gone))).rejects.toThrow(/updated or removed.*restart the client/);
    await expect(lateImport(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
