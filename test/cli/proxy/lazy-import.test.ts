import { describe, expect, it } from 'vitest';
import { lazyImport } from '../../../src/cli/proxy/lazy-import.ts';

describe('lazyImport', () => {
  it('gives what it loads', async () => {
    expect(await lazyImport(() => Promise.resolve(7))).toBe(7);
  });

  it('says of a file that is gone what to do, and leaves other errors as they are', async () => {
    const gone = Object.assign(new Error('Cannot find module'), { code: 'ERR_MODULE_NOT_FOUND' });
    await expect(lazyImport(() => Promise.reject(gone))).rejects.toThrow(/updated or removed.*restart the client/);
    await expect(lazyImport(() => Promise.reject(new Error('other')))).rejects.toThrow('other');
  });
});
