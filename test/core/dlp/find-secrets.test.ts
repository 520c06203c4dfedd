import { describe, expect, it } from 'vitest';
import { createSecretFinder, type SecretRules } from '../../../src/core/dlp/find-secrets.ts';
import { compileRegex, type Regex } from '../../../src/core/patterns/regex.ts';
import { policyFrom } from '../../support/policy.ts';

const USUAL: SecretRules = policyFrom('').dlp;
const GITHUB = `ghp_${'a1B2'.repeat(9)}`;
const PEM = '-----BEGIN PRIVATE KEY-----\nMIIEvQ==\n-----END PRIVATE KEY-----';

function regex(source: string): Regex {
  const compiled = compileRegex(source);
  if ('matches' in compiled) return compiled;
  throw new Error(compiled.message);
}

/** The secrets of a text, as `kind text`. */
function found(text: string, rules: Partial<SecretRules> = {}, name?: string): readonly string[] {
  const finder = createSecretFinder({ ...USUAL, ...rules });
  return finder.find(text, name).map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);
}

describe('createSecretFinder', () => {
  it('finds keys by their form and by the name before them, in order', () => {
    expect(found(`password=hunter2 and ${GITHUB}`)).toEqual(['password hunter2', `github_token ${GITHUB}`]);
    expect(found(`${GITHUB} and password=hunter2`)).toEqual([`github_token ${GITHUB}`, 'password hunter2']);
  });

  it('unites what overlaps', () => {
    expect(found(`token=${GITHUB}`)).toEqual([`github_token ${GITHUB}`]);
  });

  it('takes a whole text under a name that tells of a secret', () => {
    expect(found('correct horse', {}, 'password')).toEqual(['password correct horse']);
    expect(found('correct horse', {}, 'title')).toEqual([]);
    expect(found('', {}, 'password')).toEqual([]);
    expect(found('correct horse', { keys: false }, 'password')).toEqual([]);
  });

  it('leaves out what is switched off', () => {
    const text = `${GITHUB} ${PEM}`;
    expect(found(text)).toEqual([`github_token ${GITHUB}`, `private_key ${PEM}`]);
    expect(found(text, { keys: false })).toEqual([`private_key ${PEM}`]);
    expect(found(text, { privateKeys: false })).toEqual([`github_token ${GITHUB}`]);
    expect(found(text, { enabled: false })).toEqual([]);
    expect(found('x', { enabled: false }, 'password')).toEqual([]);
  });

  it('leaves out what is allowed', () => {
    expect(found(`${GITHUB} password=hunter2`, { allow: ['ghp_*'] })).toEqual(['password hunter2']);
    expect(found('password=hunter2', { allow: ['hunter'] })).toEqual(['password hunter2']);
    expect(found('hunter2', { allow: ['hunter2'] }, 'password')).toEqual([]);
  });

  it("finds a user's own patterns", () => {
    const patterns = [{ name: 'employee', regex: regex('EMP-[0-9]{6}') }];
    expect(found('for EMP-123456 and EMP-12', { patterns })).toEqual(['employee EMP-123456']);
  });

  it.each([
    `grep -c 'password="' .env\nDB_PASSWORD=Zq7!hunter2x\nfoo(bar)`,
    `sed -n 's/.*password="//p' f\nDB_PASSWORD=Zq7!hunter2x\nfoo(bar)`,
    `startswith('token="):\nDB_PASSWORD=Zq7!hunter2x\nfoo(bar)`,
    `password='\nDB_PASSWORD=Zq7!hunter2x\nfoo(bar)`,
    `password: \`\nDB_PASSWORD=Zq7!hunter2x\nfoo(bar)`,
    `token = ["\nDB_PASSWORD=Zq7!hunter2x\nfoo(bar)`,
    `token=x" DB_PASSWORD=Zq7!hunter2x foo(bar)`,
    `password="\nDB_PASSWORD=Zq7!hunter2x\nfoo("bar")`,
  ])('a quote that ends late or never hides no secret behind it: %j', (text) => {
    expect(found(text)).toEqual(['password Zq7!hunter2x']);
  });
});
