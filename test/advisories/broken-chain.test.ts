import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isDeniedBySelf, ownOf } from '../support/own.ts';

const HOME = '/home/user';
const own = ownOf([join(HOME, '.config/clawai')]);
const paths = { home: HOME, cwd: join(HOME, 'project'), platform: 'posix', remote: false } as const;

// A chain of `&&` ends where one of its commands fails, also in the folder that it began in. What came behind the chain was only looked at from the
// folders of its last command.
it.each([
  'cd a && cd b; cd ../.config && rm -r clawai',
  'cd a && cd b\n(cd ../.config && rm -r clawai)',
  'cd a && make && cd b\nrm -r ../.config/clawai',
  'cd a && make; rm -r ../.config/clawai',
])('%j reaches for what is ours, whether or not the folders are there', (command) => {
  expect(isDeniedBySelf({ tool: 'bash', args: { command } }, { own, paths })).toBe(true);
});

it('what goes on only where all of it worked is looked at from there alone', () => {
  expect(isDeniedBySelf({ tool: 'bash', args: { command: 'cd a && cd b && rm -r ../.config/clawai' } }, { own, paths })).toBe(
    false,
  );
});
