import { nameOf, partOf, partsOf, type PlacedNode, type SyntaxNode } from './syntax.ts';

/** How often each name is declared, anywhere: as a variable, a function, a parameter, and so on. */
export function countDeclared(nodes: readonly PlacedNode[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { node } of nodes) {
    const own = /^(?:VariableDeclarator|Function|Class|Import\w*Specifier)/.test(node.type)
      ? [partOf(node, 'id'), partOf(node, 'local')]
      : [];
    for (const name of [...own, ...partsOf(node, 'params'), partOf(node, 'param')].flatMap(namesOf))
      times.set(name, (times.get(name) ?? 0) + 1);
  }
  return times;
}

/** The places at which each name is set anew. */
export function changedNames(nodes: readonly PlacedNode[]): ReadonlyMap<string, readonly SyntaxNode[]> {
  const changed = new Map<string, SyntaxNode[]>();
  for (const { node } of nodes) {
    const isSet = /^(?:AssignmentExpression|ForOfStatement|ForInStatement)$/.test(node.type);
    const target = isSet ? partOf(node, 'left') : node.type === 'UpdateExpression' ? partOf(node, 'argument') : undefined;
    for (const name of namesOf(target)) {
      const places = changed.get(name);
      if (places === undefined) changed.set(name, [node]);
      else places.push(node);
    }
  }
  return changed;
}

/** The names that a pattern sets. */
function namesOf(pattern: SyntaxNode | undefined): readonly string[] {
  if (pattern === undefined) return [];
  const name = nameOf(pattern);
  if (name !== undefined) return [name];
  const parts = [...partsOf(pattern, 'elements'), partOf(pattern, 'left'), partOf(pattern, 'argument')];
  const members = partsOf(pattern, 'properties').map((each) => (each?.type === 'Property' ? partOf(each, 'value') : each));
  return /Pattern$|^RestElement$/.test(pattern.type) ? [...parts, ...members].flatMap(namesOf) : [];
}
