import { describe, expect, it } from 'vitest';
import { launchIdentity } from '../../src/session/ids.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;

describe('launchIdentity', () => {
  it('is the command with all of its words', () => {
    const identity = launchIdentity(['npx', '-y', 'server']);
    expect(identity).toMatchObject({ type: 'stdio', text: '{"args":["-y","server"],"command":"npx"}' });
    expect(identity.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('is another one wherever a word is, or where it ends', () => {
    const commands: [string, ...string[]][] = [
      ['a'],
      ['a', ''],
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b c'],
      ['a', 'c', 'b'],
      ['b', 'a'],
    ];
    expect(new Set(commands.map((command) => launchIdentity(command).fingerprint)).size).toBe(commands.length);
    expect(launchIdentity(['a', 'b'])).toEqual(launchIdentity(['a', 'b']));
  });

  it('keeps no secret, and tells two of them apart', () => {
    const identity = launchIdentity(['npx', 'server', `--token=${TOKEN}`]);
    expect(identity.text).toContain('[redacted:');
    expect(identity.text).not.toContain(TOKEN);
    expect(launchIdentity(['npx', 'server', `--token=${TOKEN.replace('a1', 'z9')}`]).fingerprint).not.toBe(identity.fingerprint);
  });
});
