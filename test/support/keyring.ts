import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Sandbox } from './sandbox.ts';

const BUS = '/usr/bin/dbus-daemon';
const DAEMON = '/usr/bin/gnome-keyring-daemon';

const MOST_TRIES = 50;

/** A session bus that starts no services, so that a test alone says whether the keyring is there. */
const BUS_CONFIG = `<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

/** The reason why there can be no keychain for a test; undefined if there can. */
export const NO_KEYRING: string | undefined = [BUS, DAEMON].every((file) => existsSync(file))
  ? undefined
  : `there is no ${[BUS, DAEMON].find((file) => !existsSync(file))}`;

/** A Secret Service of its own for a sandbox: a D-Bus session with GNOME's keyring, whose password is known. */
export class Keyring {
  readonly #bus: ChildProcess;
  readonly #env: Readonly<Record<string, string>>;
  #daemon: ChildProcess | undefined;

  private constructor(bus: ChildProcess, env: Readonly<Record<string, string>>) {
    this.#bus = bus;
    this.#env = env;
  }

  /** Starts it for all later programs of the sandbox. */
  static async start(sandbox: Sandbox): Promise<Keyring> {
    const runtime = sandbox.path('run');
    mkdirSync(runtime, { mode: 0o700 });
    const config = sandbox.write('bus.conf', BUS_CONFIG);
    const bus = spawn(BUS, [`--config-file=${config}`, '--nofork', '--print-address'], { stdio: ['ignore', 'pipe', 'ignore'] });
    const lines = createInterface({ input: bus.stdout });
    const address = await new Promise<string>((resolve) => lines.once('line', resolve));
    Object.assign(sandbox.env, { DBUS_SESSION_BUS_ADDRESS: address, XDG_RUNTIME_DIR: runtime });
    const keyring = new Keyring(bus, sandbox.env);
    await keyring.open();
    return keyring;
  }

  /** Starts the daemon, and unlocks what it keeps. */
  async open({ isLocked = false } = {}): Promise<void> {
    const args = ['--foreground', ...(isLocked ? [] : ['--unlock']), '--components=secrets'];
    this.#daemon = spawn(DAEMON, args, { env: this.#env, stdio: ['pipe', 'ignore', 'ignore'] });
    this.#daemon.stdin?.end('a password');
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const isThere = await this.entries().then(
        () => true,
        (error: unknown) => isLocked && String(error).includes('IsLocked'),
      );
      if (isThere) return;
      await setTimeout(100);
    }
    throw new Error('the keyring does not answer');
  }

  /** Ends the daemon; nobody answers until it is opened again. */
  async close(): Promise<void> {
    const daemon = this.#daemon;
    if (daemon === undefined) return;
    this.#daemon = undefined;
    const ended = new Promise((resolve) => daemon.once('exit', resolve));
    daemon.kill();
    await ended;
  }

  /** What clawai keeps there now. */
  async entries(): Promise<readonly string[]> {
    const code = `import { findCredentials } from '@napi-rs/keyring'; for (const { password } of findCredentials('clawai')) console.log(password);`;
    const args = ['--input-type=module', '-e', code];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...this.#env }, cwd: import.meta.dirname });
    return stdout.split('\n').filter((line) => line !== '');
  }

  async stop(): Promise<void> {
    await this.close();
    this.#bus.kill();
  }
}
