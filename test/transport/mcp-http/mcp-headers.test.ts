import { expect, it } from 'vitest';
import { contentTypeOf } from '../../../src/transport/mcp-http/mcp-headers.ts';

it.each<readonly [readonly string[], string]>([
  [[], ''],
  [['Date', 'application/json'], ''],
  [['content-type', 'application/json'], 'application/json'],
  [['Content-Type', ' Application/JSON ; charset=utf-8'], 'application/json'],
  [['Content-Type', 'text/event-stream;charset=utf-8', 'X', 'y'], 'text/event-stream'],
  // A reader that joins them finds what it looks for, another takes the first.
  [['Content-Type', 'text/html', 'content-type', 'text/event-stream'], 'text/html, text/event-stream'],
  [['Content-Type', 'text/html, text/event-stream'], 'text/html, text/event-stream'],
])('%j: %s', (rawHeaders, expected) => {
  expect(contentTypeOf({ rawHeaders: [...rawHeaders] })).toBe(expected);
});
