import { FAMILIES } from '../core/detect/types.ts';
import { SEVERITIES } from '../core/finding.ts';
import { TABLES } from '../core/policy/tables.ts';
import { flag, table, text, word } from './shapes.ts';
import { tableSchema } from './table-schema.ts';

/** Families that are off by default: running commands is the purpose of shells. */
const USUALLY_OFF: readonly string[] = ['shell_injection'];

const FAMILIES_SCHEMA = table(
  Object.fromEntries(
    FAMILIES.map((family) => [
      family,
      flag(`Whether clawai uses the rules of the family ${family}.`, !USUALLY_OFF.includes(family)),
    ]),
  ),
  { description: 'Families of rules, switched on or off.' },
);

const PATTERN_SCHEMA = table(
  {
    name: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
      description: 'Findings have the name custom.NAME.',
      examples: ['internal_api'],
    },
    pattern: text({
      description: 'A regular expression in RE2 syntax. It must not match the empty text.',
      examples: ['internal\\.corp\\.example\\.com'],
    }),
    severity: word(SEVERITIES, { description: 'How bad it is.' }),
    description: text({ description: 'A description of the finding, in one sentence.' }),
  },
  { required: ['name', 'pattern', 'severity'] },
);

const SUPPRESS_SCHEMA = table(
  {
    server: text({ description: 'The server whose texts are covered, a glob.' }),
    tool: text({ description: 'The tool, a glob; without it, all that the server sends.' }),
    rule: text({
      description: 'The rules, a glob over FAMILY.NAME as findings show it; custom.NAME for a pattern of yours.',
      examples: ['credential_theft.*'],
    }),
    reason: text({ description: 'Why this is harmless; shown beside what is suppressed.' }),
  },
  { required: ['server', 'rule', 'reason'] },
);

/** The table `[detection]`. */
export const DETECTION_SCHEMA = tableSchema(TABLES.detection, {
  families: FAMILIES_SCHEMA,
  pattern: { type: 'array', items: PATTERN_SCHEMA, description: 'Patterns of your own.' },
  suppress: { type: 'array', items: SUPPRESS_SCHEMA, description: 'Known false alarms, which clawai no longer reports.' },
});
