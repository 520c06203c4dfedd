import { type ClawaiError, EXIT } from '../../errors.ts';
import { formatSchema, SCHEMA_NAMES } from '../../schemas/schemas.ts';
import { suggestName } from '../../suggest.ts';
import { defineCommand, usageError } from '../command.ts';

/** `clawai policy schema`: prints a JSON Schema, by which editors complete and check. */
export const policySchemaCommand = defineCommand({
  meta: {
    name: 'policy schema',
    description: 'Print the JSON Schema (draft-07) of a file that clawai reads. Editors complete and check the file with it.',
    notes: [
      'policy is a policy, project the .clawai/policy.toml of a project, config config.toml, and fixture what `clawai policy test` reads.',
      '`clawai init` writes all of them beside your policy. Elsewhere, name the schema in the first line of a TOML file: #:schema ./policy.schema.json. In a fixture, write "$schema": "./fixture.schema.json", or use a setting of your editor (json.schemas in VS Code).',
      'A schema cannot find every mistake. `clawai policy lint` finds more.',
    ],
    examples: ['clawai policy schema policy > policy.schema.json', 'clawai policy schema fixture > fixtures/fixture.schema.json'],
  },
  args: {},
  words: { isRequired: true, hint: 'NAME', description: `The schema: ${SCHEMA_NAMES.join(', ')}.`, options: SCHEMA_NAMES },
  run({ words }) {
    const [word, ...others] = words;
    const name = SCHEMA_NAMES.find((known) => known === word);
    if (name === undefined || others.length > 0) return Promise.reject(usage(word, others));
    process.stdout.write(formatSchema(name));
    return Promise.resolve(EXIT.ok);
  },
});

function usage(word: string | undefined, others: readonly string[]): ClawaiError {
  const meant = word === undefined ? undefined : suggestName(word, SCHEMA_NAMES);
  const hint =
    meant !== undefined && meant !== word ? `did you mean clawai policy schema ${meant}?` : `one of: ${SCHEMA_NAMES.join(', ')}`;
  if (others.length > 0) return usageError('clawai policy schema prints one schema', hint);
  const message = word === undefined ? 'clawai policy schema needs a name' : `there is no schema ${JSON.stringify(word)}`;
  return usageError(message, hint);
}
