import { expect, it } from 'vitest';
import { urlWithoutSecrets } from '../../../src/protocol/llm/read-request.ts';

it.each([
  ['https://mcp.example.com/a', 'https://mcp.example.com/a'],
  ['https://mcp.example.com/a?key=hunter2', 'https://mcp.example.com/a'],
  ['https://mcp.example.com/a#hunter2\n?', 'https://mcp.example.com/a'],
  ['https://me:hunter2@mcp.example.com/a@b', 'https://mcp.example.com/a@b'],
  ['HTTPS://me@hunter2@mcp.example.com', 'HTTPS://mcp.example.com'],
  ['no url', 'no url'],
])('%j is shown as %j', (url, shown) => {
  expect(urlWithoutSecrets(url)).toBe(shown);
});
