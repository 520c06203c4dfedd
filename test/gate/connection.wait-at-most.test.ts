import { expect, it } from 'vitest';
import { waitAtMost } from '../../src/gate/connection.ts';

it('waits for the work, or for so long', async () => {
  let isDone = false;
  const work = new Promise<void>((settle) => {
    setTimeout(() => {
      isDone = true;
      settle();
    }, 20);
  });
  await waitAtMost(10_000, work);
  expect(isDone).toBe(true);
  await waitAtMost(5, new Promise(() => {}));
  await expect(waitAtMost(10_000, Promise.reject(new Error('it failed')))).rejects.toThrow('it failed');
});
