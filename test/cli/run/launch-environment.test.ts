import { expect, it } from 'vitest';
import { launchEnvironment } from '../../../src/cli/run/launch-environment.ts';

it.each([
  ['claude X=2', { X: '1', Y: '1' }],
  ['env X=2 claude', { X: '2', Y: '1' }],
  ['env -u X claude', { Y: '1' }],
  ['env -uX claude', { Y: '1' }],
  ['env -iu X Z=3 claude', { Z: '3' }],
  ['env --unset=X --unset Y claude', {}],
  ['env - Z=3 claude', { Z: '3' }],
  ['/usr/bin/env --ignore-environment claude', {}],
  ['timeout 5 env -i claude', {}],
  ['nice -i claude', { X: '1', Y: '1' }],
  ['sudo Z=3 claude', { Z: '3' }],
  ['sudo -E claude', { X: '1', Y: '1' }],
  ['systemd-run --scope claude', { X: '1', Y: '1' }],
])('%s', (command, env) => {
  expect(launchEnvironment(command.split(' '), { X: '1', Y: '1' })).toEqual(env);
});

it.each([
  ['X=2 claude', { X: '2', Y: '1' }],
  [`cd a && X="2" Y='' claude`, { X: '2', Y: '' }],
  ['export X=2; exec claude', { X: '2', Y: '1' }],
  ['unset -v X Y; claude', {}],
  ['exec -c claude', {}],
  ['env -i claude', {}],
  ['sh -c "env -u X claude"', { Y: '1' }],
  ["$env:X='2'; claude", { X: '2', Y: '1' }],
  ['set X=2&& claude', { X: '2', Y: '1' }],
  ['X=$X/v1 Y=${Y:-2} claude', { X: '1', Y: '1' }],
  ['__proto__=2 claude', { X: '1', Y: '1', ['__proto__']: '2' }],
])('a shell told %s', (line, env) => {
  expect(launchEnvironment(['bash', '-lc', line], { X: '1', Y: '1' })).toEqual(env);
});
