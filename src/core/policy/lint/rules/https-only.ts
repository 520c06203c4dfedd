import type { Rule } from '../../types.ts';
import type { LintRule } from '../finding.ts';
import { patternsOf } from '../rule-fields.ts';
import { passesBy, stoppingPatterns } from '../stopping-patterns.ts';

/** `"https://evil.example/**"` is not `http://evil.example/x`. */
export const httpsOnly: LintRule = {
  id: 'https-only',
  severity: 'warning',
  summary: 'A rule denies a host by https:// alone, so http:// passes.',
  *find(subject) {
    const { policy, isProject } = subject;
    const isHttpAllowed =
      isProject ||
      policy.defaults.action === 'allow' ||
      policy.rules.some((rule) => rule.action === 'allow' && !isOnlyHttps(rule));
    if (!isHttpAllowed) return;
    for (const pattern of stoppingPatterns(subject)) {
      const { glob, path } = pattern;
      if (!/^https:\/\/./i.test(glob)) continue;
      const rest = glob.slice('https'.length);
      if (!passesBy(pattern, `http${rest}`, subject)) continue;
      yield {
        path,
        message: `"${glob}" is about https alone; "http${rest}" passes by it`,
        hint: `"http*${rest}" is both`,
      };
    }
  },
};

function isOnlyHttps(rule: Rule): boolean {
  const globs = patternsOf(rule).flatMap(({ glob, field, mode }) => {
    return glob !== undefined && mode === 'certain' && (field === 'args' || field === 'resource') ? [glob] : [];
  });
  return globs.some((glob) => glob.includes('://')) && globs.every((glob) => !glob.includes('://') || /^https:/i.test(glob));
}
