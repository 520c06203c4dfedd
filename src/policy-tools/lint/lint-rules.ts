import { folderItself, folderSlash, openEndedPath, shallowPath, slashlessStar } from './rules/folders.ts';
import { contradictoryRule, impossibleRule, uselessException } from './rules/impossible-rules.ts';
import { bareFileName, homeOfOther, pathOnlyAllow, variableInPath } from './rules/paths.ts';
import { foreignGlob, listInText, outerSpace, regexInGlob, unanchoredRegex } from './rules/pattern-syntax.ts';
import { nobodyAsked, undescribedPrompt, unheardMessage } from './rules/prompts.ts';
import { redundantRule, repeatedPattern } from './rules/redundant-rules.ts';
import { deniedServer, oddServerName, serverList } from './rules/server-names.ts';
import { partlyShadowed, shadowedRule } from './rules/shadowed-rules.ts';
import { clientToolName, nativeTool } from './rules/tool-names.ts';
import { dottedArgument, unknownMethod, unknownName } from './rules/unknown-names.ts';
import { httpsOnly, openEndedHost } from './rules/urls.ts';
import type { LintRule } from './finding.ts';
import { inactiveGuard, suppressesEverything } from './rules/inactive-guards.ts';

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
