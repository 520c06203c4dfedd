// Logins whose tokens are in a real keychain: GNOME's keyring on a D-Bus session of its own.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keyring, NO_KEYRING } from '../support/keyring.ts';
import { callOften, callTool, LoginScene } from '../support/login-scene.ts';
import { said } from '../support/post.ts';

describe.skipIf(NO_KEYRING !== undefined)(`a keychain${NO_KEYRING === undefined ? '' : ` (${NO_KEYRING})`}`, () => {
  let scene: LoginScene;
  let keyring: Keyring;
  beforeEach(async () => {
    scene = await LoginScene.start({ keychain: true });
    keyring = await Keyring.start(scene.sandbox);
  });
  afterEach(async () => {
    await keyring.stop();
    await scene.stop();
  });

  it('has the tokens, and no file does: login, calls, renewal, and logout', async () => {
    const { code, stdout } = await scene.logIn();
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("The tokens are in the system's keychain.") });
    const [first = '', ...more] = await keyring.entries();
    expect(more).toEqual([]);
    const serving = await scene.serve();
    expect(said(await callTool(serving))).toBe('did read_file');
    const token = scene.lastToken();
    expect(first).toContain(token);
    await scene.world.spoil(token);
    expect(await callOften(20, serving)).toBe(20);
    expect(scene.world.grants('refresh_token')).toBe(1);
    const [second = '', ...others] = await keyring.entries();
    expect(others).toEqual([]);
    expect(second).not.toContain(token);
    expect(second).toContain(scene.lastToken());
    expect(readFileSync(scene.file, 'utf8')).not.toMatch(/accessToken|refreshToken/);
    expect((await scene.clawai('logout', 'guarded').close()).code).toBe(0);
    expect(await keyring.entries()).toEqual([]);
  });

  it('that does not answer is named in the answer, and is used when it does again', async () => {
    await scene.logIn();
    await keyring.close();
    const serving = await scene.serve();
    const answer = said(await callTool(serving));
    expect(answer).toContain("can't be read from the keychain");
    await keyring.open();
    expect(said(await callTool(serving))).toBe('did read_file');
  });

  it('that is locked, with nobody to unlock it, is named, and the login is kept', async () => {
    await scene.logIn();
    await keyring.close();
    await keyring.open({ isLocked: true });
    const serving = await scene.serve();
    const answer = said(await callTool(serving));
    expect(answer).toMatch(/the tokens for guarded can't be read from the keychain: .*unlock/);
    await keyring.close();
    await keyring.open();
    expect(said(await callTool(serving))).toBe('did read_file');
  });

  it('that cannot be opened leaves the tokens in a file', async () => {
    await keyring.close();
    const { code, stdout } = await scene.logIn();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('The tokens are in a file that only you may read.'),
    });
  });
});
