import { expect, it } from 'vitest';
import { CALL_TYPES, EVENT_TYPES } from '../../src/audit/event-types.ts';
import { readSource } from '../structure/source.ts';

const sources = ['src/audit/events.ts', 'src/audit/registry-events.ts'].map(readSource).join('\n');
const made = new Set([...sources.matchAll(/'(mcp_\w+)'/g)].map(([, type = '']) => type));

it('every type of event that is made is listed', () => {
  expect(made.size).toBeGreaterThan(6);
  expect([...made].filter((type) => !EVENT_TYPES.some((known) => known === type))).toEqual([]);
});

it('calls are events, and no type is listed twice', () => {
  expect(new Set(EVENT_TYPES).size).toBe(EVENT_TYPES.length);
  expect(CALL_TYPES.every((type) => EVENT_TYPES.includes(type))).toBe(true);
});
