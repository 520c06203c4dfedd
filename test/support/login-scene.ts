import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { logInAt, OAuthWorld, type OAuthWorldOptions } from './oauth-world.ts';
import { callOf, post, type Posted, said } from './post.ts';
import type { Ended, Running } from './running.ts';
import { Sandbox } from './sandbox.ts';
import { Serving, type ServingOptions } from './serving.ts';

/** The scene of a test: an authorization server, an MCP server behind it, and a user who has declared that as `guarded`, managed. */
export class LoginScene {
  readonly sandbox = new Sandbox();
  readonly world: OAuthWorld;
  readonly #running: Serving[] = [];

  readonly #config: string;

  private constructor(world: OAuthWorld, isInKeychain: boolean) {
    this.world = world;
    this.#config = `[login]\nkeychain = ${isInKeychain}\n`;
    this.sandbox.write('config.toml', `${this.#config}[[servers]]\nid = "guarded"\nurl = "${world.url}"\n${MANAGED}\n`);
  }

  static async start({
    keychain = false,
    ...options
  }: OAuthWorldOptions & { readonly keychain?: boolean } = {}): Promise<LoginScene> {
    return new LoginScene(await OAuthWorld.start(options), keychain);
  }

  /** The file with the tokens. */
  get file(): string {
    return join(this.sandbox.state, 'clawai', 'logins.json');
  }

  clawai(...words: readonly string[]): Running {
    return this.sandbox.clawai(...words, '--config', this.sandbox.path('config.toml'));
  }

  /** Starts `clawai login`, and waits for the page that it prints. */
  async begin(...flags: readonly string[]): Promise<{ readonly running: Running; readonly page: string }> {
    const running = this.clawai('login', 'guarded', '--no-browser', ...flags);
    await running.until(() => PAGE.test(running.stdout.toString()));
    return { running, page: PAGE.exec(running.stdout.toString())?.[0] ?? '' };
  }

  /** Logs in with a browser on the same machine. */
  async logIn(...flags: readonly string[]): Promise<Ended> {
    const { running, page } = await this.begin(...flags);
    await (await fetch(await logInAt(page))).text();
    return running.ended;
  }

  async serve(servers: Readonly<Record<string, string>> = { guarded: this.world.url }): Promise<Serving> {
    const settings = Object.fromEntries(Object.keys(servers).map((name) => [name, MANAGED]));
    const options: ServingOptions = { config: this.#config, servers, settings };
    const serving = await Serving.start(this.sandbox, options);
    this.#running.push(serving);
    return serving;
  }

  /** The token that the MCP server got last. */
  lastToken(): string {
    return /^Bearer (.+)$/.exec(this.world.arrived.at(-1)?.headers.authorization ?? '')?.[1] ?? '';
  }

  async stop(): Promise<void> {
    for (const serving of this.#running) await serving.stop();
    await this.world.stop();
    this.sandbox.remove();
  }
}

const MANAGED = 'auth = "managed"';
const PAGE = /^http\S+$/m;

/** Calls the one tool of the MCP server. */
export function callTool(serving: Serving, headers: Readonly<Record<string, string>> = {}, name = 'guarded'): Promise<Posted> {
  return post(serving.url(name), callOf(1, {}, 'read_file'), headers);
}

/** Calls the tool this often at the same time. @returns how many calls the server answered */
export async function callOften(count: number, ...serving: readonly Serving[]): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_none, at) => callTool(serving[at % serving.length] as Serving)),
  );
  return answers.filter((answer) => said(answer) === 'did read_file').length;
}

/** A scene for each test of a file. */
export function useLoginScene(): { readonly current: LoginScene } {
  const holder = { current: undefined as unknown as LoginScene };
  beforeEach(async () => {
    holder.current = await LoginScene.start();
  });
  afterEach(() => holder.current.stop());
  return holder;
}
