import type { LintRule } from './finding.ts';
import { bareFileName } from './rules/bare-file-name.ts';
import { clientToolName } from './rules/client-tool-name.ts';
import { contradictoryRule } from './rules/contradictory-rule.ts';
import { deniedServer } from './rules/denied-server.ts';
import { dottedArgument } from './rules/dotted-argument.ts';
import { folderItself } from './rules/folder-itself.ts';
import { folderSlash } from './rules/folder-slash.ts';
import { foreignGlob } from './rules/foreign-glob.ts';
import { homeOfOther } from './rules/home-of-other.ts';
import { httpsOnly } from './rules/https-only.ts';
import { impossibleRule } from './rules/impossible-rule.ts';
import { inactiveGuard } from './rules/inactive-guard.ts';
import { listInText } from './rules/list-in-text.ts';
import { nativeTool } from './rules/native-tool.ts';
import { nobodyAsked } from './rules/nobody-asked.ts';
import { oddServerName } from './rules/odd-server-name.ts';
import { openEndedHost } from './rules/open-ended-host.ts';
import { openEndedPath } from './rules/open-ended-path.ts';
import { outerSpace } from './rules/outer-space.ts';
import { partlyShadowed } from './rules/partly-shadowed.ts';
import { pathOnlyAllow } from './rules/path-only-allow.ts';
import { redundantRule } from './rules/redundant-rule.ts';
import { regexInGlob } from './rules/regex-in-glob.ts';
import { repeatedPattern } from './rules/repeated-pattern.ts';
import { serverList } from './rules/server-list.ts';
import { shadowedRule } from './rules/shadowed-rule.ts';
import { shallowPath } from './rules/shallow-path.ts';
import { slashlessStar } from './rules/slashless-star.ts';
import { suppressesEverything } from './rules/suppresses-everything.ts';
import { unanchoredRegex } from './rules/unanchored-regex.ts';
import { undescribedPrompt } from './rules/undescribed-prompt.ts';
import { unheardMessage } from './rules/unheard-message.ts';
import { unknownMethod } from './rules/unknown-method.ts';
import { unknownName } from './rules/unknown-name.ts';
import { uselessException } from './rules/useless-exception.ts';
import { variableInPath } from './rules/variable-in-path.ts';

/** Everything that is looked for. */
export const LINT_RULES: readonly LintRule[] = [
  shadowedRule,
  partlyShadowed,
  contradictoryRule,
  impossibleRule,
  uselessException,
  redundantRule,
  pathOnlyAllow,
  openEndedPath,
  openEndedHost,
  unanchoredRegex,
  shallowPath,
  slashlessStar,
  folderSlash,
  folderItself,
  bareFileName,
  variableInPath,
  httpsOnly,
  outerSpace,
  homeOfOther,
  regexInGlob,
  foreignGlob,
  listInText,
  clientToolName,
  nativeTool,
  oddServerName,
  unknownMethod,
  unknownName,
  dottedArgument,
  repeatedPattern,
  deniedServer,
  serverList,
  nobodyAsked,
  inactiveGuard,
  suppressesEverything,
  undescribedPrompt,
  unheardMessage,
];
