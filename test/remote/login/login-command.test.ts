import { expect, it } from 'vitest';
import { loginCommand } from '../../../src/remote/login/login-command.ts';

it.each([
  ['docs', [], 'clawai login docs'],
  ['my docs', [], "clawai login 'my docs'"],
  ['--list', [], 'clawai login -- --list'],
  ['x; rm -r ~', ['--port PORT'], "clawai login --port PORT 'x; rm -r ~'"],
])('the login command for %j', (name, flags, line) => {
  expect(loginCommand(name, ...flags)).toBe(line);
});
