import type { FindKind } from '../../../../src/core/dlp/kinds/find-kind.ts';
import { scanText } from '../../../../src/core/dlp/scan-text.ts';

/** The texts that are found in a text. */
export function foundTexts(find: FindKind, text: string): readonly string[] {
  return Array.from(find(text, scanText(text)), ({ start, end }) => text.slice(start, end));
}

/** Texts with numbers, ids and the like, in which no kind is. */
export const PLAIN = [
  '1764191813123 2026-11-26T21:00:00.000Z 20261126210000 20261126210000123',
  '3f0c9f6e-4111-4111-8111-111111111111 550e8400-e29b-41d4-a716-446655440000 6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08 e83c5163316f89bfbde7d9ab23ca2e25604af290',
  'aGVsbG8gd29ybGQhIGhlbGxvIHdvcmxkISBoZWxsbyB3b3JsZCE= 4539578763621486abc x4539578763621486 4539578763621486_1',
  'v1.22.333-4444 10.0.19041.1234 node/22.19.0 192.168.100.200 1.2.3+20130313144700 file.ts:123:45-67 0.4539578763621486',
  '2020 2021 2022 2023 4000 1234 5678 9010 1000-2000 12-34-5678 2026-11-26 00:00:00+0100 #123456789 +1 -1 +100 -200 +12.5',
  '613425648685547541 1234567890123456789 9007199254740991 3.141592653589793 6.02214076e23 1e+20 π ≈ 3.14159265358979',
  'SKU AB12CDEF3456GHIJ GB82TEST GB12 DE89 US12345678901234 ISBN 978-3-16-148410-0 EAN 4006381333931 part 123-45-678',
  'git@github.com:org/repo.git npm:@scope/pkg@1.2.3 https://user@host.example/x user@host ssh://git@host.example:22/x a@b',
  'diff @@ -415,555 +2671,12 @@ range 415-555 415-5555 2-3-4 call(+1, 2) [+44] x=+4915112345678901234567 c++17 C+44 20 7946 0958',
].join('\n');
