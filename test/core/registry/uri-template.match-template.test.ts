import { describe, expect, it } from 'vitest';
import { matchesTemplate } from '../../../src/core/registry/uri-template.ts';

describe('matchesTemplate', () => {
  it.each([
    ['file:///{x}', 'file:///a'],
    ['file:///{x}', 'file:///'],
    ['file:///{x}', 'file:///{x}'],
    ['file:///{+path}', 'file:///a/b/c'],
    ['db://{table}/rows/{id}', 'db://users/rows/7'],
    ['db://{table}/rows/{id}/raw', 'db://a/rows/b/rows/raw'],
    ['find://all{?q,page}', 'find://all?q=x'],
    ['{any}', 'whatever://it/is'],
    ['plain://one', 'plain://one'],
  ])('%s gives %s', (template, uri) => {
    expect(matchesTemplate(template, uri)).toBe(true);
  });

  it.each([
    ['file:///{x}', 'file://'],
    ['file:///{x}', 'FILE:///a'],
    ['db://{table}/rows/{id}', 'db://users/columns/7'],
    ['db://{table}/rows/{id}/raw', 'db://users/rows/7'],
    ['a{x}bc{y}cd', 'abcd'],
    ['aa{x}aa', 'aaa'],
    ['plain://one', 'plain://one/more'],
    ['plain://one', 'plain://'],
  ])('%s never gives %s', (template, uri) => {
    expect(matchesTemplate(template, uri)).toBe(false);
  });
});
