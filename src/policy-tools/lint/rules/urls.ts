import type { Rule } from '../../../core/policy/types.ts';
import type { LintRule } from '../finding.ts';
import { eachGlob, passesBy, patternsOf, stoppingPatterns } from '../rule-fields.ts';

/** A host with a star behind it, or one with `**` in it, which is any text, also a host and a path. */
const OPEN = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*[^/*?]\*+(?:$|\/)|[^/]*\*\*[^/])/i;
/** A host with stars in its port, which match no other host. */
const OPEN_PORT = /^[a-z][a-z0-9+.-]*:\/\/[^/*?@]+:\d*\*+(?:$|\/)/i;

/** `https://docs.example.com**` is `https://docs.example.com.evil.example/` too. */
export const openEndedHost: LintRule = {
  id: 'open-ended-host',
  severity: 'warning',
  summary: 'A URL that lets calls through leaves its host open, so it also matches hosts of others.',
  find: eachGlob(({ glob, mode, field }) => {
    if (mode !== 'certain' || (field !== 'args' && field !== 'resource')) return undefined;
    if (!OPEN.test(glob) || OPEN_PORT.test(glob)) return undefined;
    const isBehind = /^[^:]*:\/\/[^/]*[^/*?]\*+(?:$|\/)/.test(glob);
    return {
      message: isBehind
        ? `"${glob}" also matches hosts that only begin like this, which anybody may own`
        : `"${glob}" also matches other hosts: ** matches any text, slashes too`,
      hint: isBehind
        ? 'put a slash after the host, as in "https://docs.example.com/**"'
        : 'use one star, which matches any text without a slash, as in "https://*.example.com/**"',
    };
  }),
};

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
        message: `"${glob}" only matches https; "http${rest}" passes`,
        hint: `"http*${rest}" matches both`,
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
