import { expect, it } from 'vitest';
import type { SessionReport } from '../../src/cli/report/report.ts';
import { useSandbox } from '../support/attempt.ts';
import { Declaring, tool } from '../support/declaring.ts';

const sandbox = useSandbox();

const POLICY = `
[defaults]
action = "allow"

[flow]
action = "deny"

[[rule]]
id = "no-drop"
action = "deny"
tool = "drop_*"
`;

async function start(server: string, names: readonly string[]): Promise<Declaring> {
  const declaring = new Declaring(sandbox.current, { policy: POLICY, server, env: { CLAWAI_SESSION: 'run-7' } });
  declaring.declare({ tools: [names.map((name) => tool(name, 'Does it.'))] });
  await declaring.start();
  await declaring.tools();
  return declaring;
}

it('clawai report tells what real sessions did: what flowed first, then what was denied, and what was not looked at', async () => {
  const database = await start('db', ['query_database', 'drop_table']);
  const mail = await start('mail', ['list_inbox', 'send_email']);
  await mail.call('list_inbox');
  await database.call('query_database');
  await database.call('drop_table');
  await mail.call('send_email');
  const { stdout: before } = await sandbox.current.clawai('report', 'run-7').close();
  expect(before).toContain('no connection has ended yet of');
  await database.stop();
  await mail.stop();

  const { code, stdout, stderr } = await sandbox.current.clawai('report').close();
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^Session run-7: /);
  expect(lines[1]).toBe('4 calls to 2 servers: 2 allowed, 2 denied.');
  expect(lines.indexOf('Flows')).toBeGreaterThan(1);
  expect(lines.indexOf('Denials')).toBeGreaterThan(lines.indexOf('Flows'));
  expect(stdout).toMatch(
    /\n {2}denied {5}what "query_database" of "db" returned at [\d:]{8}\n {13}→ "send_email" of "mail" at [-\d]{5} [\d:]{8}\n/,
  );
  expect(stdout).toMatch(/block +rule +no-drop +db:drop_table\n/);
  expect(stdout).toContain('calls of no known turn');
  expect(stdout).not.toContain('no connection has ended yet');

  const json = await sandbox.current.clawai('report', '--since', '1h', '--json').close();
  const report = JSON.parse(json.stdout) as SessionReport;
  expect(report).toMatchObject({
    session_id: null,
    sessions: [{ session_id: 'run-7', servers: 2, calls: 4, denied: 2, flows: 1 }],
    servers_connected: 2,
    servers_called: 2,
    tools_seen: 4,
    tools_called: 4,
    calls: { total: 4, allowed: 2, denied: 2 },
    flows: [
      {
        rule: 'read_then_send',
        severity: 'critical',
        action: 'block',
        server_id: 'mail',
        tool_name: 'send_email',
        session_id: 'run-7',
        related_calls: [{ server_id: 'db', tool_name: 'query_database' }],
      },
    ],
    findings_by_severity: { critical: 1 },
    detections_by_severity: { critical: 0 },
  });
  expect(report.denials.map(({ reason, rule }) => [reason, rule]).toSorted()).toEqual([
    ['flow', 'read_then_send'],
    ['rule', 'no-drop'],
  ]);
  expect(report.not_inspected.servers_not_ended).toEqual([]);
  expect(report.not_inspected.results_read).not.toBeNull();
  const denied = sandbox.current.decided().find((event) => event['reason'] === 'flow');
  expect(report.flows[0]?.call_id).toBe(denied?.['id']);
});

it('the events of a flow are intact to who verifies the store', async () => {
  const database = await start('db', ['query_database']);
  const mail = await start('mail', ['list_inbox', 'send_email']);
  await mail.call('list_inbox');
  await database.call('query_database');
  await mail.call('send_email');
  await database.stop();
  await mail.stop();
  expect(sandbox.current.events().filter(({ type }) => type === 'mcp_cross_server_blocked')).toHaveLength(1);
  expect(await sandbox.current.clawai('audit', 'verify').close()).toMatchObject({ code: 0 });
  const { stdout } = await sandbox.current.clawai('log', '--severity', 'critical').close();
  expect(stdout).toMatch(
    /mail {2}cross_server_blocked {2}block {2}critical {2}send_email {2}rule read_then_send {2}.*with db:query_database {2}id [\da-f]{6}\.\d+\n$/,
  );
});
