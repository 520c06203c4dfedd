import { describe, expect, it } from 'vitest';
import { secretNameKind } from '../../../src/core/dlp/secret-name.ts';

describe('secretNameKind', () => {
  it.each([
    ['password', 'password'],
    ['passwd', 'password'],
    ['pwd', 'password'],
    ['passphrase', 'password'],
    ['newPassword', 'password'],
    ['password_confirmation', 'password'],
    ['password2', 'password'],
    ['PGPASSWORD', 'password'],
    ['db_pass', 'password'],
    ['dbpwd', 'password'],
    ['secret', 'secret'],
    ['client_secret', 'secret'],
    ['clientSecret', 'secret'],
    ['token', 'token'],
    ['tokens', 'token'],
    ['GITHUB_TOKEN', 'token'],
    ['GITHUB_TOKEN_PROD', 'token'],
    ['accessToken', 'token'],
    ['authtoken', 'token'],
    ['token_from_env', 'token'],
    ['sync_access_token', 'token'],
    ['id-token', 'token'],
    ['api_key', 'api_key'],
    ['apikey', 'api_key'],
    ['apiKey', 'api_key'],
    ['APIKey', 'api_key'],
    ['x-api-key', 'api_key'],
    ['openai.api-keys', 'api_key'],
    ['private_key', 'private_key'],
    ['sshPrivateKey', 'private_key'],
    ['access_key', 'access_key'],
    ['AccountKey', 'access_key'],
    ['AWS_SECRET_ACCESS_KEY', 'access_key'],
    ['authorization', 'authorization'],
    ['Proxy-Authorization', 'authorization'],
    ['_auth', 'authorization'],
    ['cookie', 'cookie'],
    ['Set-Cookie', 'cookie'],
    ['credential', 'credentials'],
    ['credentials', 'credentials'],
    ['connection_string', 'connection_string'],
    ['connectionString', 'connection_string'],
    ['x'.repeat(300) + '_password', 'password'],
  ])('%s holds a secret: %s', (name, kind) => {
    expect(secretNameKind(name)).toBe(kind);
    expect(secretNameKind(name)).toBe(kind);
  });

  it.each([
    'syncToken',
    'sync_token',
    'resume_token',
    'uploadToken',
    'x-csrf-token',
    'fromToken',
    'toTokens',
    'max_tokens',
    'maxTokens',
    'max_completion_tokens',
    'token_count',
    'tokenCount',
    'tokenizer',
    'tokenize',
    'total_tokens',
    'author',
    'authors',
    'authority',
    'authenticated',
    'secretary',
    'keyboard',
    'key',
    'keys',
    'keyword',
    'primary_key',
    'monkey',
    'cookie_policy',
    'password_length',
    'secret_name',
    'token_type',
    'private_key_path',
    'nextPageToken',
    'progressToken',
    'path',
    'query',
    'bypass',
    'compass',
    'passenger',
    'auth_method',
    'connection',
    'incredible',
    '',
    '___',
    'é',
  ])('%s holds none', (name) => {
    expect(secretNameKind(name)).toBeUndefined();
  });

  it('answers the same however many names there are', () => {
    for (let index = 0; index < 1000; index += 1) secretNameKind(`token${'x'.repeat(index % 20)}_${index}a`);
    expect(secretNameKind('api_key')).toBe('api_key');
    expect(secretNameKind('token_count')).toBeUndefined();
  });
});
