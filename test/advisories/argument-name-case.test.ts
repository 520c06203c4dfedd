import { expect, it } from 'vitest';
import { allowing, attempt, denying, readFile, useSandbox } from '../support/attempt.ts';

/**
 * Go's encoding/json and others put `PATH` into the field `path`, and of both the last one (CVE-2026-27896 is the same for the
 * protocol's own keys). A rule about `args.path` did not look at `PATH`.
 */
const sandbox = useSandbox();

it('variants of an argument name are looked at too', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.path = "/etc/**"'), [
    readFile({ PATH: '/etc/shadow' }, 1),
    readFile({ path: 'x', Path: '/etc/shadow' }, 2),
    readFile({ 'path\0': '/etc/shadow' }, 3),
    readFile({ paths: '/etc/shadow' }, 4),
  ]);
  expect(reached).toEqual([4]);
});

it('an allow rule needs the name itself, and all variants', async () => {
  const { current } = sandbox;
  const { reached } = await attempt(current, allowing(`args.path = "${current.folder}/**"`), [
    readFile({ path: 'x', PATH: '/etc/shadow' }, 1),
    readFile({ PATH: 'x' }, 2),
    readFile({ path: 'x', PATH: 'y' }, 3),
  ]);
  expect(reached).toEqual([3]);
});
