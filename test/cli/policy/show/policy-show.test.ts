import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useSandbox } from '../../../support/attempt.ts';
import { type CliResult, runCli } from '../../../support/run-cli.ts';

const sandbox = useSandbox();

const POLICY = `[defaults]
action = "allow"

[[rule]]
action = "deny"
tool = ["a*", "b"]
args.options.path = "/etc/**"
description = "Not \\u001b[31mthere"

[[rule]]
id = "ask"
action = "prompt"
resource = "x://**"
unless = { server = "s" }
`;

function show(...flags: readonly string[]): Promise<CliResult> {
  const { env, folder } = sandbox.current;
  return runCli(['policy', 'show', ...flags], { cwd: folder, env });
}

describe('clawai policy show', () => {
  it('lists what is asked, in order, with the place of each', async () => {
    const file = sandbox.current.write('p.toml', POLICY);
    const { code, stdout } = await show('--policy', 'p.toml');
    expect(code).toBe(0);
    expect(stdout).toContain('policy  p.toml (--policy), sha256 ');
    const order = [
      '1. self',
      '2. server_policy',
      '3. flow',
      '4. rules',
      '1. deny  (p.toml:4)',
      '2. prompt ask  (p.toml:10)',
      '5. defaults',
      '6. schema',
      '7. dlp',
      '8. pinning',
      '9. rate_limits',
      'approval:',
    ];
    const places = order.map((text) => stdout.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(stdout).toContain('action = allow  (p.toml:2)');
    expect(stdout).toContain('unknown_methods = allow  (default)');
    expect(stdout).toContain('tool = ["a*", "b"]');
    expect(stdout).toContain('args = { options = { path = "/etc/**" } }');
    expect(stdout).toContain('unless = { server = "s" }');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).toContain(`   policy\n      ${file}\n`);
  });

  it('guards that are not there are not shown', async () => {
    sandbox.current.write('p.toml', POLICY);
    expect((await show('--policy', 'p.toml')).stdout).not.toMatch(/^(?:\d\. )?classify/m);
  });

  it('guards: each value with where it comes from', async () => {
    const guards = `[server_policy]
policy = "allowlist"
allow = ["files", "g*"]

[pinning]
on_change = "prompt"

[classify]
send = ["fetch_url"]

[[rule]]
action = "deny"
tool = "**"
category = "send"
`;
    sandbox.current.write('p.toml', guards);
    const { stdout } = await show('--policy', 'p.toml');
    for (const line of [
      'policy = allowlist  (p.toml:2)',
      'allow = ["files", "g*"]  (p.toml:3)',
      'deny = []  (default)',
      'unknown_server = allow  (default)',
      'unmapped_tool = deny  (default)',
      'native = allow  (default)',
      'enabled = true  (default)',
      'trust_first_use = true  (default)',
      'on_change = prompt  (p.toml:6)',
      'send = ["fetch_url"]  (p.toml:9)',
      'category = "send"',
    ]) {
      expect(stdout).toContain(`   ${line}\n`);
    }
    const json = JSON.parse((await show('--policy', 'p.toml', '--json')).stdout) as {
      pinning: unknown[];
      serverPolicy: unknown[];
    };
    expect(json.pinning).toContainEqual({ name: 'on_change', value: 'prompt', from: expect.stringMatching(/p\.toml:6$/) });
    expect(json.serverPolicy).toContainEqual({ name: 'deny', value: '[]', from: 'default' });
  });

  it('flow: each value of each rule, and what follows from the action of all', async () => {
    const shown = async (text: string): Promise<readonly string[]> => {
      sandbox.current.write('p.toml', text);
      const { stdout } = await show('--policy', 'p.toml');
      return stdout.slice(stdout.indexOf('3. flow:')).split('\n\n')[0]?.split('\n').slice(1) ?? [];
    };
    const written =
      '[flow]\naction = "deny"\nburst = { enabled = false }\n[flow.cross_server_flow]\nsame_turn_only = false\naction = "prompt"\n';
    expect(await shown(written)).toEqual([
      '   enabled = true  (default)',
      '   read_then_send.enabled = true  (default)',
      '   read_then_send.action = deny  (p.toml:2)',
      '   read_then_send.window = 30s  (default)',
      '   read_then_send.evidence = category  (default)',
      '   cross_server_flow.enabled = true  (default)',
      '   cross_server_flow.action = prompt  (p.toml:6)',
      '   cross_server_flow.window = 30s  (default)',
      '   cross_server_flow.same_turn_only = false  (p.toml:5)',
      '   cross_server_flow.evidence = category  (default)',
      '   steered_call.enabled = false  (default)',
      '   burst.enabled = false  (p.toml:3)',
      '   shadow_tool.enabled = true  (default)',
      '   shadow_tool.action = deny  (default)',
    ]);
    expect(await shown('[flow.burst]\nmax_calls = 3\nwindow = "90s"\n')).toEqual(
      expect.arrayContaining([
        '   burst.action = alert  (default)',
        '   burst.max_calls = 3  (p.toml:2)',
        '   burst.window = 90s  (p.toml:3)',
      ]),
    );
    expect(await shown('[flow]\nenabled = false\n')).toEqual(['   enabled = false  (p.toml:2)']);
  });

  it('detection: each value, families, patterns and suppressions, after the rate limits', async () => {
    const text = `[detection]
on_result = "redact"
[detection.families]
shell_injection = true
[[detection.pattern]]
name = "internal"
pattern = "corp\\\\.example"
severity = "low"
[[detection.suppress]]
server = "files"
tool = "read_*"
rule = "exfiltration.*"
reason = "known"
`;
    sandbox.current.write('p.toml', text);
    const { stdout } = await show('--policy', 'p.toml');
    expect(stdout.indexOf('10. detection:')).toBeGreaterThan(stdout.indexOf('9. rate_limits:'));
    for (const line of [
      'enabled = true  (default)',
      'threshold = high  (default)',
      'on_result = redact  (p.toml:2)',
      'families.shell_injection = true  (p.toml:4)',
      'families.obfuscation = true  (default)',
      'pattern custom.internal = "corp\\\\.example", low  (p.toml:5)',
      'suppress exfiltration.* at files:read_* = "known"  (p.toml:9)',
    ]) {
      expect(stdout).toContain(`   ${line}\n`);
    }
    sandbox.current.write('p.toml', '[detection]\nenabled = false\n');
    const off = (await show('--policy', 'p.toml')).stdout;
    expect(off.slice(off.indexOf('10. detection:')).split('\n\n')[0]?.split('\n').slice(1)).toEqual([
      '   enabled = false  (p.toml:2)',
    ]);
  });

  it('rate limits: each of them, with what follows from the rate where no burst is written', async () => {
    sandbox.current.write(
      'p.toml',
      '[rate_limits]\nenabled = true\ndefault_burst = 5\n[rate_limits.server."my\\u202e server"]\nrpm = 0.5\n[rate_limits.server.web.tool.search]\nrpm = 30\n',
    );
    const { stdout } = await show('--policy', 'p.toml');
    const shown = stdout.slice(stdout.indexOf('rate_limits:')).split('\n\n')[0]?.split('\n').slice(1);
    expect(shown).toEqual([
      '   enabled = true  (p.toml:2)',
      '   default_rpm = 60  (default)',
      '   default_burst = 5  (p.toml:3)',
      expect.stringMatching(/^ {3}server\."my[^\u202e]* server"\.rpm = 0\.5 {2}\(p\.toml:5\)$/),
      expect.stringMatching(/^ {3}server\."my[^\u202e]* server"\.burst = 1 {2}\(default\)$/),
      '   server.web.tool.search.rpm = 30  (p.toml:7)',
      '   server.web.tool.search.burst = 5  (default)',
    ]);
  });

  it('as JSON: every path and command that is covered, and the default where nobody has a policy', async () => {
    const { code, stdout } = await show('--json');
    expect(code).toBe(0);
    const shown = JSON.parse(stdout) as {
      policy: { from: string };
      self: { paths: { path: string; what: string }[]; commands: string[] };
      rules: { number: number }[];
    };
    expect(shown.policy.from).toBe('the default that comes with clawai; you have none');
    const { folder } = sandbox.current;
    const paths = shown.self.paths.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        join(folder, 'config', 'clawai'),
        join(folder, 'state', 'clawai'),
        join(folder, 'cache', 'clawai'),
      ]),
    );
    expect(paths.some((path) => path.endsWith('/dist'))).toBe(true);
    expect(shown.self.commands).toEqual(expect.arrayContaining(['unwrap', 'approve', 'deny', 'approvals', 'init']));
    expect(shown.self.commands).not.toContain('policy show');
    expect(shown.rules.map(({ number }) => number)).toEqual(shown.rules.map((_, i) => i + 1));
  });

  it("has the project's rules, the config and what it settles", async () => {
    const { current } = sandbox;
    mkdirSync(current.path('.clawai'));
    writeFileSync(current.path('.clawai/policy.toml'), '[[rule]]\naction = "deny"\ntool = "x"\n');
    current.write('c.toml', 'mode = "observe"\n');
    const { stdout } = await show('--config', 'c.toml', '--policy', current.write('p.toml', POLICY));
    expect(stdout).toContain('mode = observe  (c.toml)');
    expect(stdout).toContain('config  c.toml (--config)');
    expect(stdout).toContain(`6. rules of the project, ${realpathSync(current.path('.clawai/policy.toml'))}`);
  });

  it('a policy that is faulty is an error as in any command', async () => {
    sandbox.current.write('p.toml', '= x');
    expect(await show('--policy', 'p.toml')).toMatchObject({ code: 2, stdout: '' });
  });
});
