/** @module-tag long */
// Logins that several processes change at the same time, and processes that die meanwhile.
import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { callOften, callTool, useLoginScene } from '../support/login-scene.ts';
import { logInAt } from '../support/oauth-world.ts';
import { said } from '../support/post.ts';
import { until } from '../support/until.ts';

const scene = useLoginScene();

it('two logins to one server at the same time leave one, whole, that works', async () => {
  const both = await Promise.all([scene.current.begin(), scene.current.begin()]);
  await Promise.all(both.map(async ({ page }) => (await fetch(await logInAt(page))).text()));
  const ends = await Promise.all(both.map(({ running }) => running.ended));
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  const { logins } = JSON.parse(readFileSync(scene.current.file, 'utf8')) as { logins: readonly unknown[] };
  expect(logins).toHaveLength(1);
  const serving = await scene.current.serve();
  expect(await callOften(5, serving)).toBe(5);
  await scene.current.world.spoil(scene.current.lastToken());
  expect(await callOften(5, serving)).toBe(5);
});

it('a process that is killed while it renews holds nobody up', async () => {
  const { world } = scene.current;
  const [first, second] = [await scene.current.serve(), await scene.current.serve()];
  await scene.current.logIn();
  expect(await callOften(2, first, second)).toBe(2);
  let isHeld = false;
  world.instead = (path) => path === '/token' && (isHeld = true);
  await world.spoil(scene.current.lastToken());
  const lost = callTool(first).catch(() => 'lost');
  await until('the renewal', () => isHeld);
  first.process.kill('SIGKILL');
  expect(await lost).toBe('lost');
  world.instead = () => false;
  expect(await callOften(20, second)).toBe(20);
  expect(world.grants('refresh_token')).toBe(1);
  expect(readdirSync(dirname(scene.current.file)).filter((name) => name.includes('.lock'))).toEqual([]);
});

it('a renewal whose new tokens were lost ends the login, and is said', async () => {
  const { world } = scene.current;
  const serving = await scene.current.serve();
  await scene.current.logIn();
  expect(await callOften(1, serving)).toBe(1);
  const before = readFileSync(scene.current.file);
  await world.spoil(scene.current.lastToken());
  expect(await callOften(1, serving)).toBe(1);
  // As after a crash between the answer of the authorization server and the disk.
  const stored = JSON.parse(before.toString()) as { logins: { version: string }[] };
  scene.current.sandbox.write('old.json', JSON.stringify(stored), 0o600);
  renameSync(scene.current.sandbox.path('old.json'), scene.current.file);
  const answer = await callTool(serving);
  expect({ status: answer.status, text: said(answer) }).toEqual({
    status: 200,
    text: expect.stringMatching(/guarded wants a login: run `clawai login guarded`.*invalid_grant/),
  });
  expect(readFileSync(scene.current.file, 'utf8')).not.toContain('accessToken');
});

it('a logout while calls run answers each of them, with its result or with what to do', async () => {
  const serving = await scene.current.serve();
  await scene.current.logIn();
  expect(await callOften(1, serving)).toBe(1);
  const answers: Promise<string>[] = [];
  const out = scene.current.clawai('logout', 'guarded').close();
  let isOut = false;
  void out.then(() => (isOut = true));
  await until('the logout', () => {
    answers.push(callTool(serving).then(said));
    return isOut;
  });
  expect((await out).code).toBe(0);
  answers.push(callTool(serving).then(said));
  const texts = await Promise.all(answers);
  expect(texts.filter((text) => text !== 'did read_file' && !text.includes('run `clawai login guarded`'))).toEqual([]);
  expect(texts.at(-1)).toContain('run `clawai login guarded`');
  expect(scene.current.world.grants('refresh_token')).toBe(0);
});

it('a link in place of the file is followed by nobody', async () => {
  const { sandbox, world, file } = scene.current;
  const serving = await scene.current.serve();
  await scene.current.logIn();
  expect(await callOften(1, serving)).toBe(1);
  renameSync(file, sandbox.path('elsewhere.json'));
  symlinkSync(sandbox.path('elsewhere.json'), file);
  world.arrived.length = 0;
  expect(said(await callTool(serving))).toMatch(/logins\.json is a link, so the logins in it are not used/);
  expect(world.arrived).toEqual([]);
  const list = await scene.current.clawai('login', '--list').close();
  expect(list.stdout).toContain('logins.json is a link');
  const { code, stderr } = await scene.current.clawai('login', 'guarded', '--no-browser').close();
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('remove it, and log in again') });
});
