import { describe, expect, it } from 'vitest';
import { unmappedRemedy, UnmappedServers, wordsOnUnmapped } from '../../../src/gate/calls/guard-words.ts';

describe('of a call whose server nobody knows', () => {
  it('the server and what can be done are named', () => {
    const { why, advice } = wordsOnUnmapped('github');
    expect(why).toContain('of the server "github", but clawai knows no such server');
    expect(advice).toMatch(
      /^Do not retry it\. .*`clawai wrap github`.*\[\[servers\]\] with `id = "github"`.*`unmapped_tool = "allow"`/,
    );
    expect(wordsOnUnmapped('').why).not.toContain('""');
  });

  it.each([
    ['claude_ai_Gmail', 'connector'],
    ['claude.ai Google Drive', 'connector'],
    ['codex_apps', 'account at ChatGPT'],
    ['plugin_my-plug_in_db_srv', "plugin's"],
    ['ide', 'built into the agent'],
  ])('%s is named as what cannot be wrapped', (server, what) => {
    const remedy = unmappedRemedy(server);
    expect(remedy).toContain(what);
    expect(remedy).toMatch(/cannot be wrapped.*unmapped_tool/);
    expect(remedy).not.toContain('clawai wrap');
  });

  it.each(['a; rm -rf ~', '-x', '$(id)', 'a b', 'x'.repeat(101)])('%s is not offered for copying', (server) => {
    expect(unmappedRemedy(server)).toContain('`clawai wrap NAME`');
  });

  it('the person is told once of each, and of no more than they can read', () => {
    const said: string[] = [];
    const servers = new UnmappedServers((line) => said.push(line));
    for (let times = 0; times < 2; times++) servers.tell('github');
    expect(said).toEqual([expect.stringMatching(/^denied tools of "github", .*`clawai wrap github`/)]);
    for (let at = 0; at < 99; at++) servers.tell(`s${at}`);
    expect(said).toHaveLength(20);
  });
});
