import fc from 'fast-check';
import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { describe, expect, it } from 'vitest';
import { createSecretFinder } from '../../../src/core/dlp/find-secrets.ts';
import { policyFrom } from '../../support/policy.ts';

const RULES = [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator, options: {} }];

/** Texts that secretlint's rules look for, by rule; some are wrong by a character, and then it may find none. */
const TOKENS: readonly (readonly [rule: string, form: RegExp])[] = [
  ['aws', /^aws_secret_access_key ?[=:] ?["']?[A-Za-z0-9][A-Za-z0-9/+]{39}["']?$/],
  ['gcp', /^AIza[A-Za-z0-9_-]{35}$/],
  ['npm', /^npm_[A-Za-z0-9]{36}$/],
  ['npm', /^\/\/registry\.npmjs\.org\/:_authToken=[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{12}$/],
  ['npm', /^https:\/\/[a-f0-9]{40}:x-oauth-basic@github\.com\/a\/b$/],
  ['basicauth', /^(?:https?|ftp):\/\/[a-z]{3,8}:[A-Za-z0-9_-]{4,20}@[a-z]{3,8}\.example\/$/],
  ['slack', /^xox[bpaor]-[0-9]{10,12}-[0-9]{10,12}-[A-Za-z0-9]{24}$/],
  ['slack', /^xapp-1-[A-Z0-9]{11}-[0-9]{13}-[a-f0-9]{40}$/],
  ['slack', /^https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8}\/B[A-Z0-9]{8}\/[A-Za-z0-9]{24}$/],
  ['sendgrid', /^SG\.[A-Za-z0-9_]{22}\.[A-Za-z0-9_]{43}$/],
  ['shopify', /^shp(?:pa|ca|at|ss)_[a-f0-9]{32}$/],
  ['stripe', /^[sr]k_(?:live|test)_[A-Za-z0-9]{24,99}$/],
  ['github', /^gh[pousr]_[A-Za-z0-9]{36}$/],
  ['github', /^github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}$/],
  ['gitlab', /^glpat-[A-Za-z0-9_-]{20}$/],
  ['grafana', /^glc_[A-Za-z0-9+/]{32,60}={0,2}$/],
  ['grafana', /^glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}$/],
  ['openai', /^sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{73}[A-Za-z0-9]$/],
  ['openai', /^sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}$/],
  ['anthropic', /^sk-ant-api03-[A-Za-z0-9_-]{93}AA$/],
  ['groq', /^gsk_[A-Za-z0-9]{52}$/],
  ['huggingface', /^hf_[A-Za-z]{34}$/],
  ['linear', /^lin_api_[A-Za-z0-9]{40}$/],
  ['notion', /^ntn_[0-9]{11}[A-Za-z0-9]{35}$/],
  [
    'database',
    /^(?:mongodb(?:\+srv)?|mysql|postgres(?:ql)?):\/\/[a-z]{3,8}:[A-Za-z0-9!$%^&*_.-]{6,20}@db\.corp\.example(?::[0-9]{4})?\/app$/,
  ],
  ['vault', /^hvs\.[A-Za-z0-9_-]{95}$/],
  ['vault', /^hvb\.[A-Za-z0-9_-]{140}$/],
  ['vercel', /^vc[piark]_[A-Za-z0-9]{24,56}$/],
  ['databricks', /^dapi[a-f0-9]{32}(?:-2)?$/],
  ['docker', /^dckr_pat_[A-Za-z0-9_-]{27}$/],
  ['figma', /^figd_[A-Za-z0-9_-]{40,60}$/],
  ['cloudflare', /^cf(?:k|ut|at)_[A-Za-z0-9]{40}[0-9a-f]{8}$/],
  ['tailscale', /^tskey-[a-z]{4,8}-[A-Za-z0-9]{12,17}-[A-Za-z0-9]{24,32}$/],
];

const token = fc.oneof(...TOKENS.map(([, form]) => fc.stringMatching(form)));

/** 1Password's tokens are JSON in base64 with known members. */
const onePassword = fc.stringMatching(/^[a-f0-9]{64}$/).map((key) => {
  const members = {
    signInAddress: 'team.1password.com',
    userAuth: { method: 'SRPg-4096' },
    email: 'x@y.example',
    srpX: key,
    muk: { k: key },
    secretKey: key,
    throttleSecret: { seed: key, uuid: 'X' },
    deviceUuid: 'x',
  };
  return `ops_${Buffer.from(JSON.stringify(members)).toString('base64')}`;
});

const pem = fc
  .stringMatching(/^MII[A-Za-z0-9+/]{400}$/)
  .map((body) => `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`);

/** Some of secretlint's rules also match within a word. */
const before = fc.constantFrom(' ', '"', "'", '(', '=', '\n', ': ', 'x ', '[', ',', '\\n', '`', '{"key": "');
const after = fc.constantFrom('', ' ', '"', "'", ')', '\n', ', ', '.', ' x', ']', ';', '`', '"}');
const noise = fc.string({ maxLength: 20 });
const text = fc
  .array(fc.tuple(noise, before, fc.oneof({ weight: 8, arbitrary: token }, onePassword, pem), after), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.flat().join(''));

const finder = createSecretFinder(policyFrom('').dlp);

async function missed(content: string): Promise<readonly string[]> {
  const source = { filePath: '/text.txt', content, ext: '.txt', contentType: 'text' } as const;
  const { messages } = await lintSource({ source, options: { config: { rules: RULES } } });
  const spans = finder.find(content);
  return messages.flatMap(({ range: [start, end], ruleId, message }) =>
    spans.some((span) => span.start < end && span.end > start) ? [] : [`${ruleId}: ${message} in ${JSON.stringify(content)}`],
  );
}

describe('what secretlint finds', () => {
  it.each(TOKENS)('is found: %s %s', async (rule, form) => {
    const texts = fc.sample(fc.stringMatching(form), { numRuns: 20, seed: 7 });
    for (const each of texts) {
      expect(finder.find(each)).not.toEqual([]);
      expect(await missed(`a ${each} b`)).toEqual([]);
    }
    expect(rule).toMatch(/^[a-z]+$/);
  });

  it('is found in texts of any kind', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        expect(await missed(content)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('is something at all', async () => {
    const source = { filePath: '/text.txt', content: `x ghp_${'a1B2'.repeat(9)}`, ext: '.txt', contentType: 'text' } as const;
    expect((await lintSource({ source, options: { config: { rules: RULES } } })).messages).toHaveLength(1);
  });
});
