const VERBS = ['get', 'list', 'search', 'create', 'update', 'delete', 'send', 'read', 'write', 'move'];

/** A policy of so many rules as people write them, none of which is about the tool that is called: what all of them say counts. */
export function writePolicy(rules: number): string {
  const one = (index: number): string => {
    const verb = VERBS[index % VERBS.length] ?? '';
    const tool = [`${verb}_item${index}`, `${verb}_item${index}_*`, `*_${verb}_item${index}`][index % 3] ?? '';
    const more = index % 4 === 0 ? '\nargs.force = true' : '';
    return `[[rule]]\naction = "${index % 3 === 0 ? 'allow' : 'deny'}"\ntool = "${tool}"${more}\n`;
  };
  return `[defaults]\naction = "allow"\n${Array.from({ length: rules }, (_, index) => one(index)).join('')}`;
}
