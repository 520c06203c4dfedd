import { parsePolicy } from '../../src/core/policy/parse.ts';

/** What is wrong with a policy, each as `path: message`; nothing where it is right. */
export function policyErrors(text: string): readonly string[] {
  const result = parsePolicy(text, { file: 'p.toml' });
  return !result.ok && 'errors' in result ? result.errors.map(({ path, message }) => `${path.join('.')}: ${message}`) : [];
}
