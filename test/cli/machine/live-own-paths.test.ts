import { mkdirSync, utimesSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createLiveOwnPaths } from '../../../src/cli/machine/live-own-paths.ts';
import { useSandbox } from '../../support/attempt.ts';

const sandbox = useSandbox();

it('looks at nothing before it is asked, at most four times a second, and follows links anew when configs were wrapped or time has gone', () => {
  const { current } = sandbox;
  const wrapped = current.path('state/clawai/wrap');
  mkdirSync(wrapped, { recursive: true });
  let now = 0;
  let asked = 0;
  const own = createLiveOwnPaths({
    places: { env: current.env, platform: 'linux', home: current.home, stateDir: current.path('state/clawai'), files: [] },
    style: 'posix',
    realPath: (path) => {
      asked++;
      return path;
    },
    elapsed: () => now,
  });
  expect(asked).toBe(0);
  const first = own();
  expect(first.roots).toEqual(expect.arrayContaining([current.path('config/clawai'), current.path('state/clawai')]));
  const once = asked;
  now += 9000;
  expect(own()).toBe(first);
  utimesSync(wrapped, 5, 5);
  now += 100;
  expect(own()).toBe(first);
  now += 200;
  expect(own()).not.toBe(first);
  expect(asked).toBe(2 * once);
  now += 11_000;
  own();
  expect(asked).toBe(3 * once);
});
