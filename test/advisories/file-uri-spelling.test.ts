import { expect, it } from 'vitest';
import { attempt, denying, readFile, readResource, useSandbox } from '../support/attempt.ts';

/**
 * URL parsers read `file:etc/x` as `/etc/x`, take `\` for `/` and drop tabs and line ends; Python's urlparse leaves a host out of
 * the path. Each was a way to name a file beside the one that was looked at.
 */
const sandbox = useSandbox();

it('no spelling leads out of an allowed folder', async () => {
  const { current } = sandbox;
  const policy = `[[rule]]\naction = "allow"\nresource = "file://${current.folder}/**"\n`;
  const { reached } = await attempt(current, policy, [
    readResource('file:etc/passwd', 1),
    readResource(`file://${current.folder}/a\\..\\..\\..\\..\\..\\etc/passwd`, 2),
    readResource(`file://${current.folder}/.\t./.\n./../../../etc/passwd`, 3),
    readResource(`file://other${current.folder}/x`, 4),
    readResource(`file://${current.folder}/x`, 5),
  ]);
  expect(reached).toEqual([5]);
});

it('every spelling of a denied file is denied', async () => {
  const { reached } = await attempt(sandbox.current, denying('args.path = "/etc/**"'), [
    readFile({ path: 'file:etc/passwd' }, 1),
    readFile({ path: 'FILE:\\etc\\passwd' }, 2),
    readFile({ path: 'fi\tle:///e\ntc/passwd' }, 3),
    readFile({ path: ' file:///etc/passwd' }, 4),
    readFile({ path: 'file://other/etc/passwd' }, 5),
    readFile({ path: 'file:///usr/etc/passwd' }, 6),
  ]);
  expect(reached).toEqual([6]);
});
