import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, call, rest } from '../support/guarded.ts';
import { Running } from '../support/running.ts';
import { Sandbox, support } from '../support/sandbox.ts';

const ALLOW = '[defaults]\naction = "allow"\n';
const DENY = '[[rule]]\nid = "nothing"\naction = "deny"\ntool = "**"\n';

let sandbox: Sandbox;
let policy: string;
let running: Proxied[] = [];
beforeEach(() => {
  sandbox = new Sandbox();
  mkdirSync(sandbox.path('config/clawai'), { recursive: true });
  policy = sandbox.path('config/clawai/policy.toml');
});
afterEach(async () => {
  for (const { process } of running) await process.close();
  running = [];
  sandbox.remove();
});

/** A server behind the real binary, with the user's own policy where it belongs. */
class Proxied {
  readonly process: Running;
  #lastId = 0;

  constructor(cwd = sandbox.folder, ...flags: readonly string[]) {
    const server = [process.execPath, support('recording-server.mjs'), sandbox.path('seen')];
    this.process = new Running(sandbox.command('proxy', '--server', 's', ...flags, '--', ...server), { env: sandbox.env, cwd });
    running.push(this);
  }

  /** `allow`, or what the model is told. */
  async call(): Promise<string> {
    const id = ++this.#lastId;
    this.process.send(`${call(id)}\n`);
    const find = (): Answer | undefined =>
      this.process.stdout
        .toString()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Answer)
        .find((answer) => answer.id === id);
    await this.process.until(() => find() !== undefined);
    const { result } = find() ?? {};
    return result?.isError === true ? (result.content?.[0]?.text ?? '') : 'allow';
  }

  said(): string[] {
    return this.process.stderr.split('\n').filter((line) => line.startsWith('clawai: '));
  }
}

/** As editors that do it well: nobody ever sees half of it. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

describe('a policy that changes', () => {
  it('counts from the next call on, and each event names the policy that decided', async () => {
    replace(policy, ALLOW);
    const proxied = new Proxied();
    expect(await proxied.call()).toBe('allow');
    replace(policy, DENY);
    await rest(300);
    expect(await proxied.call()).toContain('rule "nothing"');
    writeFileSync(policy, `${ALLOW}# as it was\n`);
    await rest(300);
    expect(await proxied.call()).toBe('allow');
    await proxied.process.close();
    const decided = sandbox.decided();
    const calls = decided.filter(({ type }) => type === 'mcp_tool_called');
    const changes = decided.filter(({ type }) => type === 'mcp_policy_changed');
    expect(calls.map(({ action }) => action)).toEqual(['allow', 'block', 'allow']);
    expect(new Set(calls.map((event) => event['policy_hash'])).size).toBe(3);
    expect(changes).toMatchObject(
      calls.slice(1).map((event) => ({ status: 'loaded', source: 'user', file: policy, policy_hash: event['policy_hash'] })),
    );
  });

  it('hazard 11: is kept where the new one has a fault, with its place', async () => {
    replace(policy, DENY);
    const proxied = new Proxied();
    await proxied.call();
    replace(policy, `${ALLOW}[[rule]]\naction = "alow"\ntool = "t"\n`);
    await rest(300);
    for (let i = 0; i < 3; i++) expect(await proxied.call()).toContain('rule "nothing"');
    const said = proxied.said().filter((line) => line.includes('the last valid one still applies'));
    expect(said).toEqual([expect.stringMatching(/policy\.toml:4:1: unknown action "alow"$/)]);
    await proxied.process.close();
    const [change] = sandbox.events().filter(({ type }) => type === 'mcp_policy_changed');
    expect(change).toMatchObject({ status: 'kept', problem: expect.stringMatching(/policy\.toml:4:1: unknown action/) });
    // A new start has no last good one.
    const { code } = await new Proxied().process.ended;
    expect(code).toBe(2);
  });

  it('is missed when it is gone, until there is one again, whoever starts meanwhile', async () => {
    replace(policy, ALLOW);
    const proxied = new Proxied();
    expect(await proxied.call()).toBe('allow');
    rmSync(policy);
    await rest(300);
    expect(await proxied.call()).toContain("clawai's policy is gone");
    expect(proxied.said()).toContainEqual(expect.stringContaining(`the policy ${policy} is gone: every call is denied`));
    const next = new Proxied();
    expect(await next.call()).toContain("clawai's policy is gone");
    expect(next.said()).toContainEqual(expect.stringContaining('is gone: every call is denied'));
    const { code } = await sandbox.clawai('init', '--policy', 'observe').ended;
    expect(code).toBe(0);
    await rest(300);
    expect(await proxied.call()).toBe('allow');
    expect(await next.call()).toBe('allow');
  });

  it('behind a link is followed to where the link leads', async () => {
    const [a, b] = [sandbox.write('a.toml', ALLOW), sandbox.write('b.toml', DENY)];
    symlinkSync(a, policy);
    const proxied = new Proxied();
    expect(await proxied.call()).toBe('allow');
    symlinkSync(b, `${policy}.new`);
    renameSync(`${policy}.new`, policy);
    await rest(300);
    expect(await proxied.call()).toContain('rule "nothing"');
  });

  it.each(['the usual one', 'a named one'])('starts nothing where it is a pipe: %s', async (which) => {
    const file = which === 'a named one' ? sandbox.path('pipe.toml') : policy;
    await new Running(['mkfifo', file], { env: sandbox.env, cwd: sandbox.folder }).ended;
    const flags = which === 'a named one' ? ['--policy', file] : [];
    const { code, stderr } = await new Proxied(sandbox.folder, ...flags).process.ended;
    expect([code, existsSync(sandbox.path('seen'))]).toEqual([2, false]);
    expect(stderr).toContain('the policy is a pipe or a device, not a file');
  });
});

describe("a project's policy", () => {
  let project: string;
  beforeEach(() => {
    project = join(sandbox.home, 'project');
    mkdirSync(join(project, '.clawai'), { recursive: true });
    mkdirSync(join(project, 'src'));
    replace(policy, ALLOW);
  });

  it('is stricter than the user wherever the client starts us in it, and says so', async () => {
    replace(join(project, '.clawai', 'policy.toml'), '[[rule]]\nid = "quiet"\naction = "deny"\ntool = "t"\n');
    expect(await new Proxied().call()).toBe('allow');
    const proxied = new Proxied(join(project, 'src'));
    expect(await proxied.call()).toContain('rule "project: quiet"');
    replace(join(project, '.clawai', 'policy.toml'), '[[rule]]\naction = "deny"\ntool = "other"\n');
    await rest(300);
    expect(await proxied.call()).toBe('allow');
    await proxied.process.close();
    expect(sandbox.decided()).toContainEqual(expect.objectContaining({ action: 'block', rule: 'project: quiet' }));
  });

  it('that allows something starts nothing', async () => {
    replace(join(project, '.clawai', 'policy.toml'), '[[rule]]\naction = "allow"\ntool = "t"\n');
    const { code, stderr } = await new Proxied(project).process.ended;
    expect([code, existsSync(sandbox.path('seen'))]).toEqual([2, false]);
    expect(stderr).toMatch(/policy\.toml:2:1: a project's policy cannot allow anything/);
  });
});
