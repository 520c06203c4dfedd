import { afterEach, beforeEach, expect, it } from 'vitest';
import { callTool, LoginScene } from '../support/login-scene.ts';
import { said } from '../support/post.ts';

/**
 * A server that wants other scopes with each call. Its user would log in again and again, with ever more rights, until nobody reads what the page
 * says (MCP 2025-11-25, "Step-Up Authorization Flow": clients should limit it).
 */
let scene: LoginScene;
beforeEach(async () => {
  scene = await LoginScene.start({ scopes: ['s1', 's2', 's3', 's4'] });
});
afterEach(() => scene.stop());

it('three logins ask for more, each says what is new, and no other call asks for a login', async () => {
  const { world } = scene;
  const serving = await scene.serve();
  expect((await scene.logIn()).stderr).not.toContain('more rights');
  for (const scope of ['s1', 's2', 's3']) {
    world.needs = scope;
    expect(said(await callTool(serving))).toContain(`needs a login with more rights (${scope}): run \`clawai login guarded\``);
    const { code, stderr } = await scene.logIn();
    // serve lists the tools by itself after a login, and may hear of the right before once more.
    const says = new RegExp(String.raw`more rights than your last login gave: (?:s\d )*${scope}\n`);
    expect([code, stderr]).toEqual([0, expect.stringMatching(says)]);
  }
  world.needs = 's4';
  expect(said(await callTool(serving))).toMatch(/^guarded wants more rights again \(s4\), after 3 logins/);
  expect((await scene.logIn()).stderr).not.toContain('s4');
  expect(said(await callTool(serving))).toMatch(/^guarded wants more rights again/);
});

it('a person who names the scopes gets them, and the count begins anew', async () => {
  const { world } = scene;
  const serving = await scene.serve();
  await scene.logIn();
  for (const scope of ['s1', 's2', 's3']) {
    world.needs = scope;
    await callTool(serving);
    await scene.logIn();
  }
  world.needs = 'mcp:read mcp:write';
  expect(said(await callTool(serving))).toContain('`clawai login --scope SCOPES guarded` asks for those that you choose');
  await scene.logIn('--scope', 'mcp:read mcp:write');
  expect(said(await callTool(serving))).toBe('did read_file');
  world.needs = 's4';
  expect(said(await callTool(serving))).toContain('needs a login with more rights (s4)');
});

it('a login that fails for the rights that the server wanted says how to ask for others', async () => {
  const { world } = scene;
  const serving = await scene.serve();
  await scene.logIn();
  world.needs = 'unknown';
  await callTool(serving);
  const failed = await scene.clawai('login', 'guarded', '--no-browser').close();
  expect([failed.code, failed.stderr]).toEqual([
    2,
    expect.stringContaining('`clawai login --scope SCOPES guarded` asks for other rights'),
  ]);
  expect((await scene.logIn('--scope', 'mcp:read')).code).toBe(0);
});

it.each([
  ['that the login has', 'mcp:read', /does not allow this to its user, although the login has the rights that it names/],
  ['without a name', '', /wants other rights than its login has, and does not name them/],
])('a server that wants rights %s has nobody log in for them', async (_which, scope, says) => {
  const { world } = scene;
  const serving = await scene.serve();
  await scene.logIn();
  world.refuses = `Bearer error="insufficient_scope", scope="${scope}"`;
  expect(said(await callTool(serving))).toMatch(says);
});
