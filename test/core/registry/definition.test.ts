import { describe, expect, it } from 'vitest';
import { DEFINITION_KINDS } from '../../../src/core/registry/definition.ts';
import { readListing } from '../../../src/core/registry/read-listing.ts';

describe('DEFINITION_KINDS', () => {
  it('are what can be listed, and what a server says when it is greeted', () => {
    const element = { name: 'a', uri: 'a', uriTemplate: 'a' };
    const result = { tools: [element], resources: [element], resourceTemplates: [element], prompts: [element] };
    const listed = DEFINITION_KINDS.filter((kind) => kind !== 'instructions');
    expect(listed.flatMap((kind) => readListing(kind, result).definitions.map((one) => one.kind))).toEqual(listed);
    expect(DEFINITION_KINDS).toHaveLength(listed.length + 1);
  });
});
