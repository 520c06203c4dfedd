// Lists of many tools for servers of the bench: descriptions, schemas and hints as real ones have.
const WORDS =
  'Reads, writes or moves what lies at the given path and says what came of it, line by line where that is asked for. ';
const THINGS = 'file folder ticket message invoice branch commit user page table record index image channel order customer'.split(
  ' ',
);

/** What no other tool says: only what it says of its parameters, many tools have in common. */
function about(i) {
  const thing = (step) => THINGS[(i * step + (i >> 4)) % THINGS.length];
  return (
    `Looks for the ${thing(1)} number ${i} of a ${thing(3)} and gives back its ${thing(5)} with each ${thing(7)} that it has. ` +
    `At most ${i + 10} are given at once; the next ${thing(9)} comes with a call of its own. Takes the ${thing(11)} where there is no ${thing(13)}. `
  );
}

/** The result with so many tools, as JSON. @param more begins each description */
export function listOf(count, more = '') {
  const tools = Array.from({ length: count }, (_, i) => ({
    name: `read_item_${i}`,
    title: `Read item ${i}`,
    description: more + about(i) + WORDS,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        ['path', 'head', 'tail', 'encoding'].map((name) => [name, { type: 'string', description: WORDS, default: '' }]),
      ),
      required: ['path'],
      $schema: 'http://json-schema.org/draft-07/schema#',
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  }));
  return JSON.stringify({ tools });
}
