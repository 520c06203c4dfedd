import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../src/config/config.ts';
import { parseConfig } from '../../src/config/parse-config.ts';
import { readWebhookUrl } from '../../src/config/read-webhooks.ts';

const MACHINE = { env: {}, platform: 'linux', home: '/home/u' } as const;

function read(lines: string) {
  return parseConfig(`[webhook.w]\n${lines}`, { file: '/c.toml', home: '/home/u', defaults: defaultConfig(MACHINE) });
}

function faultsOf(lines: string): readonly string[] {
  const result = read(lines);
  if (result.ok || 'syntax' in result) throw new Error('no fault');
  return result.errors.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a webhook', () => {
  it('has defaults', () => {
    const result = read('url = "https://h.example/x"');
    expect(result.ok && result.config.webhooks).toEqual([
      {
        name: 'w',
        url: { in: 'config', text: 'https://h.example/x' },
        form: 'json',
        secret: undefined,
        events: ['denials', 'questions', 'definitions', 'alarms'],
        minSeverity: 'high',
      },
    ]);
  });

  it.each<[string, RegExp]>([
    ['form = "json"', /needs one of url, url_env and url_file/],
    ['url = "https://h.example/x"\nurl_env = "X"', /has both url and url_env/],
    ['url = "http://h.example/x"', /must start with https:\/\/ unless it is on this machine/],
    ['url = "https://u:hunter2@h.example/"', /must not contain a user name/],
    ['url = "file:///etc/passwd"', /must start with https/],
    ['url_env = "A B"', /must be the name of an environment variable/],
    ['url_file = "relative"', /must be an absolute path/],
    ['url_env = "X"\nsecret = "hunter2"', /unknown key "secret"/],
    ['url_env = "X"\nevents = ["denial"]', /unknown event "denial"/],
    ['url_env = "X"\nevents = ["alarms", "alarms"]', /listed twice/],
    ['url_env = "X"\nevents = "alarms"', /must be a list like/],
    ['url_env = "X"\nform = "discord"', /form must be "json" or "slack" or "teams" or "ntfy"/],
    ['url_env = "X"\nmin_severity = "low"', /min_severity must be/],
  ])('%s is refused, and no secret is repeated', (lines, fault) => {
    const faults = faultsOf(lines);
    expect(faults.join('\n')).toMatch(fault);
    expect(faults.join('\n')).not.toContain('hunter2');
  });

  it.each(['http://127.0.0.1:1/x', 'http://[::1]/x', 'http://localhost/x', 'https://h.example/x'])('may be at %s', (url) => {
    expect(readWebhookUrl(url).ok).toBe(true);
  });

  it.each(['http://127.0.0.1.example/x', 'http://10.0.0.1/x', 'ftp://localhost/', 'x', ''])('may not be at %j', (url) => {
    expect(readWebhookUrl(url).ok).toBe(false);
  });
});
