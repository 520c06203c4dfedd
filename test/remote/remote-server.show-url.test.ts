import { describe, expect, it } from 'vitest';
import { showUrl } from '../../src/remote/remote-server.ts';

describe('showUrl', () => {
  it.each([
    ['https://a.example/mcp', 'https://a.example/mcp'],
    ['https://a.example/mcp?key=hunter2&x=1', 'https://a.example/mcp?key=[redacted:query]&x=[redacted:query]'],
    ['https://a.example/s/8a7f6b1c-1f2e-4d3c-9b8a-0123456789ab/mcp', 'https://a.example/s/[redacted:path]/mcp'],
    ['https://a.example/s/ZTk0M2QxNzItYmFz1kLm9pQr/sse', 'https://a.example/s/[redacted:path]/sse'],
    ['https://a.example/my-great-mcp-server-2025/Read_only/v1.2', 'https://a.example/my-great-mcp-server-2025/Read_only/v1.2'],
    ['https://a.example/?hunter2', 'https://a.example/?[redacted:query]'],
    ['https://a.example/?a=b?hunter2', 'https://a.example/?a=[redacted:query]'],
  ])('%s', (url, shown) => {
    expect(showUrl(url)).toBe(shown);
  });

  it('leaves out what looks like a secret in its path', () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    expect(showUrl(`https://a.example/${token}/mcp`)).not.toContain(token);
  });
});
