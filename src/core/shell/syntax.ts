/** A piece of a program, after the ESTree specification. */
export interface SyntaxNode {
  readonly type: string;
  readonly [part: string]: unknown;
}

/** A piece with the one that it is a part of, and the name of that part. */
export interface PlacedNode {
  readonly node: SyntaxNode;
  readonly parent: SyntaxNode | undefined;
  readonly part: string;
}

/** More pieces are not looked at. */
const MOST_NODES = 200_000;

/** All pieces of a program, in its order; undefined if there are too many. Never deep, however deep the program is. */
export function listNodes(program: SyntaxNode): readonly PlacedNode[] | undefined {
  const found: PlacedNode[] = [];
  const open: PlacedNode[] = [{ node: program, parent: undefined, part: '' }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    if (found.length > MOST_NODES) return undefined;
    const first = open.length;
    for (const part in next.node) addNodes(next.node, part, open);
    // The last one is taken first.
    for (let low = first, high = open.length - 1; low < high; low++, high--) {
      const [one, other] = [open[low], open[high]];
      if (one !== undefined && other !== undefined) [open[low], open[high]] = [other, one];
    }
  }
  return found;
}

function addNodes(parent: SyntaxNode, part: string, to: PlacedNode[]): void {
  const value = parent[part];
  if (isNode(value)) to.push({ node: value, parent, part });
  if (!Array.isArray(value)) return;
  for (const node of value as readonly unknown[]) if (isNode(node)) to.push({ node, parent, part });
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** A part of a piece that is a piece; undefined for others. */
export function partOf(node: SyntaxNode, part: string): SyntaxNode | undefined {
  const value = node[part];
  return isNode(value) ? value : undefined;
}

/** A part that is a list, with undefined for holes. */
export function partsOf(node: SyntaxNode, part: string): readonly (SyntaxNode | undefined)[] {
  const value = node[part];
  return Array.isArray(value) ? value.map((each: unknown) => (isNode(each) ? each : undefined)) : [];
}

/** The name of an identifier; undefined for other pieces. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  return node?.type === 'Identifier' ? String(node['name']) : undefined;
}
