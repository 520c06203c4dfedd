import { findForms } from '../dlp/find-forms.ts';
import { matchAt } from './match-at.ts';
import type { Detection } from './types.ts';

const MOST_MATCHES = 3;

/** Secrets that a text has in it. The secrets themselves are not told: only what kind, and where. Low, as an agent that reads a file is often meant to see what is in it. */
export function findSecrets(field: string, text: string): readonly Detection[] {
  const spans = findForms(text, false);
  if (spans.length === 0) return [];
  const hasKey = spans.some(({ kind }) => kind === 'private_key');
  return [
    {
      rule: 'secret_leak.in_text',
      family: 'secret_leak',
      severity: hasKey ? 'medium' : 'low',
      description: 'Has a secret in it, which a model now knows and can pass on',
      field,
      matches: spans
        .slice(0, MOST_MATCHES)
        .map(({ start, kind }) => ({ ...matchAt(text, start, start), text: kind, context: '' })),
    },
  ];
}
