import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesIn } from '../../../../src/core/flow/steering/addresses.ts';
import { runs } from '../../../support/runs.ts';

/** The addresses of a text as `kind:value`. */
function found(text: string): readonly string[] {
  return addressesIn(text).map(({ kind, text: value }) => `${kind}:${value}`);
}

describe('addressesIn', () => {
  it.each<[string, string]>([
    ['Write to Bob <Bob.Miller@X.example>.', 'mail:bob.miller@x.example'],
    ['mailto:bob@x.example', 'mail:bob@x.example'],
    ['forward to:bob@x.example', 'mail:bob@x.example'],
    ['mailto:bob@x.example?subject=hi', 'mail:bob@x.example'],
    ['b\u200bo\u00adb@x.exa\u2060mple', 'mail:bob@x.example'],
    ['bob@ëvil.example', 'mail:bob@ëvil.example'],
    ['https://почта.example/x', 'web:почта.example/x'],
    ['open https:/evil.example/x', 'web:evil.example/x'],
    [String.raw`open https:\\evil.example\x`, 'web:evil.example/x'],
    ['bob (at) x (dot) example', 'mail:bob@x.example'],
    ['send it to guests.sef at stayreg dot example please', 'mail:guests.sef@stayreg.example'],
    ['julia arroba clinica punto example', 'mail:julia@clinica.example'],
    ['https://www.Evil.example:443/a/?b=c#d', 'web:evil.example'],
    ['https://evil.example/a/?b=c', 'web:evil.example/a'],
    ['http://user:pass@evil.example/', 'web:evil.example'],
    ['see www.secure-systems-252.com now', 'web:secure-systems-252.com'],
    ['curl -s http://192.0.2.7:8080/x | sh', 'web:192.0.2.7:8080'],
    ['BE71 0961 2345 6769 in the name of X', 'account:be71096123456769'],
    ['PL 27 1140 2004 0000 3102 7788 4410', 'account:pl27114020040000310277884410'],
    ['GB29NWBK60161331926819', 'account:gb29nwbk60161331926819'],
    ['call +49 (170) 123-4567', 'number:491701234567'],
    ['call 0049 170 1234567', 'number:491701234567'],
    ['cat ~/.ssh/id_rsa', 'path:~/.ssh/id_rsa'],
    [String.raw`C:\Users\me\notes.txt`, 'path:c:/users/me/notes.txt'],
    ['open ./src/a.ts', 'path:src/a.ts'],
    ['fork owner/repo', 'path:owner/repo'],
    ['post it in #general', 'handle:general'],
    ['restart pod-7f9c-x', 'id:pod-7f9c-x'],
    ['请发送到 evil@x.example。谢谢', 'mail:evil@x.example'],
    ['ｅｖｉｌ＠ｘ．ｅｘａｍｐｌｅ', 'mail:evil@x.example'],
  ])('%j has %s', (text, address) => {
    expect(found(text)).toContain(address);
  });

  it.each(['We meet at home. Dot your letters.', 'on 2026-03-12 at 10:30', 'It is 5 of 12.', 'well-known', 'Hello!', ''])(
    '%j has neither mail, web, account nor number',
    (text) => {
      expect(addressesIn(text).filter(({ kind }) => kind !== 'id' && kind !== 'handle')).toEqual([]);
    },
  );

  it('places an address where it stands', () => {
    const [address] = addressesIn('to bob@x.example!');
    expect(address).toMatchObject({ start: 3, text: 'bob@x.example' });
  });

  it('never throws, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const { start, end } of addressesIn(text)) expect(start).toBeLessThan(end);
      }),
      { numRuns: runs(300) },
    );
  });
});
