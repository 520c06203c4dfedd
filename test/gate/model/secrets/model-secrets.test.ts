import { describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../../src/core/match/compile.ts';
import { ModelSecrets, type SecretsNews } from '../../../../src/gate/model/secrets/model-secrets.ts';
import { anthropicApi } from '../../../../src/protocol/llm/anthropic/api.ts';
import { policyFrom } from '../../../support/policy.ts';
import { SECRET } from '../../../support/searching.ts';

const BODY = JSON.stringify({ messages: [{ role: 'user', content: `a ${SECRET} b` }] });
const REQUEST = { dialect: 'anthropic', id: 'r-1', client: undefined, tools: new Map() };

function secretsOf(
  dlp: string,
  { session = 's', isObserving = false } = {},
): {
  readonly secrets: ModelSecrets;
  readonly news: SecretsNews[];
  readonly edit: () => Promise<string>;
  readonly setPolicy: (text: string) => void;
} {
  const compile = (text: string) => compilePolicy(policyFrom(`[dlp]\n${text}\n`));
  let policy = compile(dlp);
  const news: SecretsNews[] = [];
  const secrets = new ModelSecrets({
    policy: { current: () => policy },
    isObserving,
    session: () => session,
    key: () => Buffer.alloc(32, 7),
    record: (one) => news.push(one),
  });
  return {
    secrets,
    news,
    edit: () => secrets.edit(BODY, { api: anthropicApi, place: 'body', request: REQUEST }),
    setPolicy: (text) => (policy = compile(text)),
  };
}

describe('the secrets of a session', () => {
  it('have the same tokens after a restart, and no other session has them', async () => {
    const dlp = 'on_request = "tokenize"';
    const first = await secretsOf(dlp).edit();
    expect(first).not.toContain(SECRET);
    expect(await secretsOf(dlp).edit()).toBe(first);
    expect(await secretsOf(dlp, { session: 'other' }).edit()).not.toBe(first);
  });

  it('follow the policy, and are told of once', async () => {
    const { edit, setPolicy, news, secrets } = secretsOf('on_request = "alert"');
    expect(await edit()).toBe(BODY);
    expect(await edit()).toBe(BODY);
    expect(news).toEqual([
      {
        type: 'secrets',
        dialect: 'anthropic',
        request: 'r-1',
        kind: 'github_token',
        count: 1,
        place: '/messages/0/content',
        mode: 'alert',
      },
    ]);
    expect(await secrets.ofAnswer(REQUEST, { api: anthropicApi, serversOf: () => [] })).toBeUndefined();
    setPolicy('on_request = "redact"');
    expect(await edit()).toContain('[redacted:github_token]');
    setPolicy('enabled = false\non_request = "redact"');
    expect(await edit()).toBe(BODY);
  });

  it('stay where clawai only observes', async () => {
    const { edit, news } = secretsOf('on_request = "redact"', { isObserving: true });
    expect(await edit()).toBe(BODY);
    expect(news).toMatchObject([{ mode: 'alert' }]);
  });
});
