import { expect, it } from 'vitest';
import { changeDlp } from '../../../src/policy-tools/mutate/change-dlp.ts';
import { changesIn } from '../../support/mutants.ts';

it.each<[string, readonly string[]]>([
  ['', []],
  ['[dlp]\nenabled = false', []],
  [
    '[dlp]\non_arguments = "deny"\ncards = false\nallow = ["sk_test_*"]\n[dlp.server]\ngithub = "redact"',
    [
      'dlp.enabled: enabled = false in [dlp]',
      'dlp.on_arguments: on_arguments = "alert" in [dlp]',
      'dlp.on_arguments: on_arguments = "redact" in [dlp]',
      'dlp.on_arguments: on_arguments = "prompt" in [dlp]',
      'dlp.server.github: github = "alert" in [dlp]',
      'dlp.server.github: github = "prompt" in [dlp]',
      'dlp.server.github: github = "deny" in [dlp]',
      'dlp.cards: cards = true in [dlp]',
      'dlp.allow.0: without "sk_test_*" in allow in [dlp]',
    ],
  ],
])('%j', (text, expected) => {
  expect(changesIn(changeDlp, text)).toEqual(expected);
});
