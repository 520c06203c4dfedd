import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Autostart, autostartOn } from '../../../../src/cli/serve/autostart/autostart.ts';

const COMMAND = ['/opt/my node/bin/node', '/home/ann/50% $HOME "x" \\y/clawai.mjs', 'serve'];

function startOn(
  platform: NodeJS.Platform,
  env: NodeJS.ProcessEnv = {},
  command: readonly string[] = COMMAND,
): Autostart | undefined {
  return autostartOn({ platform, env, home: '/home/ann', uid: 501, command, stateDir: '/home/ann/.local/state/clawai' });
}

describe('the start of serve at login', () => {
  it('on Linux is a unit whose words systemd reads as they are', () => {
    const start = startOn('linux', { XDG_STATE_HOME: '/data/a b', XDG_CACHE_HOME: 'relative', PATH: '/x' });
    expect(start?.file).toBe('/home/ann/.config/systemd/user/clawai.service');
    expect(start?.text.split('\n')).toEqual(
      expect.arrayContaining([
        String.raw`ExecStart=:"/opt/my node/bin/node" "/home/ann/50%% $HOME \"x\" \\y/clawai.mjs" "serve"`,
        'Environment="XDG_STATE_HOME=/data/a b"',
        'Restart=on-failure',
        // The URLs that it prints are secrets.
        'StandardOutput=null',
      ]),
    );
    expect(start?.text).not.toContain('relative');
  });

  it('on Linux leaves the dollar of a folder alone', () => {
    expect(startOn('linux', { XDG_STATE_HOME: '/data/$a' }, ['/bin/node', 'serve'])?.text.split('\n')).toEqual(
      expect.arrayContaining(['ExecStart="/bin/node" "serve"', 'Environment="XDG_STATE_HOME=/data/$a"']),
    );
  });

  it.each(['linux', 'darwin'] as const)('on %s writes no line of somebody else', (platform) => {
    const says = /control character/;
    expect(() => startOn(platform, {}, ['/bin/node', 'serve', '--config', '/a\nExecStartPre=/bin/x'])).toThrow(says);
    expect(() => startOn(platform, { XDG_STATE_HOME: '/a\n[Install]' })).toThrow(says);
  });

  it('on Linux follows the folder of the config', () => {
    expect(startOn('linux', { XDG_CONFIG_HOME: '/etc/mine' })?.file).toBe('/etc/mine/systemd/user/clawai.service');
  });

  it.each(['linux', 'darwin'] as const)('on %s knows a file of its own, also of another version, and no other', (platform) => {
    const start = startOn(platform);
    const other = startOn(platform, { XDG_STATE_HOME: '/data', https_proxy: 'http://a&b' }, ['/bin/node', '/x', 'serve']);
    expect([
      start?.isOurs(other?.text ?? ''),
      start?.isOurs(''),
      start?.isOurs('[Service]\nExecStart=/bin/clawai serve\n'),
    ]).toEqual([true, false, false]);
  });

  it('on macOS is a launchd agent', () => {
    const start = startOn('darwin', { XDG_STATE_HOME: '/data' }, ['/opt/node', '/a & <b>/clawai.mjs', 'serve']);
    expect(start?.file).toBe('/home/ann/Library/LaunchAgents/dev.clawai.serve.plist');
    expect(start?.text).toContain('<string>/a &amp; &lt;b&gt;/clawai.mjs</string>');
    expect(start?.text).toContain('<key>XDG_STATE_HOME</key><string>/data</string>');
    expect(start?.install.at(-1)).toEqual(['launchctl', 'bootstrap', 'gui/501', start?.file]);
  });

  it('is not known elsewhere', () => {
    expect(startOn('win32')).toBeUndefined();
  });

  const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.runIf(hasSystemd)('systemd finds no fault in the unit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'clawai-unit-'));
    const unit = join(folder, 'clawai.service');
    writeFileSync(
      unit,
      startOn('linux', { XDG_STATE_HOME: '/data/a b' }, [process.execPath, '/50% $x "y"', 'serve'])?.text ?? '',
    );
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', unit], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    rmSync(folder, { recursive: true });
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes('clawai')) }).toEqual({ status: 0, stderr: [] });
  });
});
