import type { ClientStyle } from './client-style.ts';
import { namesIn, toHyphenated } from './spell.ts';

/** `server___tool`. What it does with other characters is not known; this is what its APIs would take. */
export const droid: ClientStyle = {
  id: 'droid',
  isSentBy: ({ userAgent = '' }) => userAgent.startsWith('factory-cli/'),
  forms: [
    {
      prefix: '',
      separator: '___',
      server: (server) => [...new Set([toHyphenated(server), server])],
      tool: toHyphenated,
      mark: 'both_parts',
    },
  ],
  isBare: false,
  native: namesIn(`
    ApplyPatch AskUser Create Edit Execute ExitSpecMode FetchUrl Glob Grep LS MultiEdit Read Skill Task TodoWrite
    WebSearch
  `),
};
