import { describe, expect, it } from 'vitest';
import { secretsInTexts, secretsOfEnvironment } from '../../../src/core/outgoing/known-secrets.ts';
import { policyFrom } from '../../support/policy.ts';

const PASSWORD = 'Tq8Lw2Zr7Nf4Kd9Xs3Vb6Hm1';
const policy = policyFrom('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the secrets of a result', () => {
  it.each<[string, string]>([
    ['.env', `PORT=1\nDB_PASSWORD=${PASSWORD}\n`],
    ['.env with numbers of lines', `     1\tPORT=1\n     2\tDB_PASSWORD=${PASSWORD}\n`],
    ['what grep shows', `.env:3:DB_PASSWORD=${PASSWORD}\n`],
    ['a patch', `+export API_KEY='${PASSWORD}'\n`],
    ['YAML', `db:\n  password: ${PASSWORD}\n`],
    ['JSON', `{"db": {"password": "${PASSWORD}"}}`],
    ['.netrc', `machine api.example.com login me password ${PASSWORD}\n`],
    ['a Compose file', `services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=${PASSWORD}\n`],
    ['a URL', `DATABASE_URL=postgres://u:${PASSWORD}@h:5432/d\n`],
    ['wp-config.php', `define('DB_PASSWORD', '${PASSWORD}');\n`],
    ['a secret of Kubernetes', `kind: Secret\ndata:\n  password: ${base64(PASSWORD)}\n`],
    ['a file in base64', JSON.stringify({ content: base64(`PORT=1\nDB_PASSWORD=${PASSWORD}\n`) })],
  ])('%s', (_, text) => {
    expect(secretsInTexts([text], policy)).toContain(PASSWORD);
  });

  it('with a login in base64, as Docker keeps it', () => {
    const text = `{"auths":{"https://index.docker.io/v1/":{"auth":"${base64(`me:${PASSWORD}`)}"}}}`;
    expect(secretsInTexts([text], policy)).toContain(`me:${PASSWORD}`);
  });

  it('are none where there are only words', () => {
    for (const text of [
      'password: correct horse battery',
      'MODE=production-like-values',
      `note: ${base64('password=incorrect')}`,
    ])
      expect(secretsInTexts([text], policy)).toEqual([]);
    expect(secretsInTexts([`DB_PASSWORD=${PASSWORD}`], policyFrom('[dlp]\nkeys = false\n'))).toEqual([]);
  });
});

it('the secrets of an environment are those whose names tell', () => {
  expect(secretsOfEnvironment({ VAULT_TOKEN: PASSWORD, PATH: '/usr/bin', PASSWORD: 'short', USER_NAME: PASSWORD })).toEqual([
    PASSWORD,
  ]);
});
