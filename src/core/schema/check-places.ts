import type { SchemaFault } from '../finding.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { PROGRAMS } from '../known-programs.ts';
import { remember } from '../remember.ts';
import { join, MOST_FAULTS } from './walk.ts';

/** The use of an argument, as its name tells. */
type Use = 'ref' | 'file' | 'email' | 'number' | 'url' | 'other';

const USES: readonly (readonly [Use, RegExp])[] = [
  ['ref', /^(?:(?:base|head|source|target|start|new|old|from|to)_)?(?:branch|tag|remote|revision|commit(?:_?sha)?)(?:_?name)?$/],
  [
    'file',
    /^(?:file|filename|filepath|path|dir|directory|folder|cwd|(?:file|dir|repo|repository|directory|folder)_(?:path|name))$/,
  ],
  ['email', /^(?:e?mail|email_address|recipient_email)$/],
  ['number', /^(?:(?:\w+_)?(?:id|number|count)|limit|offset|page|port|per_page)$/],
  ['url', /^(?:(?:\w+_)?(?:url|href|link)s?|src|webhook|endpoint)$/],
];

const useOf = remember(
  (name): Use => {
    const key = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
    return USES.find(([, pattern]) => pattern.test(key))?.[0] ?? 'other';
  },
  { most: 512, longest: 64 },
);

/** Matches what a shell runs if a program builds a command of the value. */
const SHELL = /[`\n\r]|\$\(|\$\{IFS|;\s*\w|\|\s*\w|&&|[<>]\(/;
/** Matches an option: programs take it for one of theirs (`--upload-pack=…` runs a command). */
const OPTION = /^--?[A-Za-z][\w-]*(?:=|$)/;
/** Matches a place in the file system that no identifier has. */
const PLACE = /^(?:file:|~\/|\.{1,2}[\\/]|\/(?:etc|root|home|proc|var|usr|tmp)\/|[A-Za-z]:\\)|(?:^|[\\/])\.\.[\\/]/;
/** Matches schemes that make a server read files or speak other protocols. */
const SCHEME = /^(?:file|gopher|dict|ldaps?|jar|php|expect|netdoc|smb|tftp):/i;
/** The addresses of clouds' metadata, also as IPv6 has the one of IPv4 (RFC 4291, 2.5.5; RFC 6052, 2.1), as `URL` writes them. */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  'metadata.google.internal',
  '[fd00:ec2::254]',
  '[::ffff:a9fe:a9fe]',
  '[::a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
]);

/** More programs that run others, or do harm by their name alone. */
const MORE =
  'busybox|doas|nohup|setsid|timeout|time|source|export|tar|zip|git|npm|npx|pip3?|docker|podman|kubectl|systemctl|service|halt|poweroff|mkfs|useradd|passwd|mount|killall|pkill|socat|telnet|ftp|openssl|gpg|make|go|java|lua|expect|vim?|ed|at|start|call|head|tail|sort|tr|cut|less|more|xxd|od|set|unset|alias|trap|for|if|while|do|then|case|until|select|function|cd|pwd|true|false|test|exit|wait|jobs|bg|fg|read|install';

/**
 * Matches the sign within a title, which files are named by: the words behind it begin with a capital, or are several, or a document's name, and
 * none is a command's: no program first, no option, no path.
 */
const TITLE = new RegExp(
  String.raw`(?:;| \|) (?=(?:\p{Lu}\p{Ll}|(?!(?:${PROGRAMS}|${MORE})(?![\p{L}\p{N}]))\p{Ll}+(?: \p{L}|\.(?:md|txt|pdf|docx?|html?|srt|flac|mp[34]|png|jpe?g)$))` +
    String.raw`(?:[\p{L}\p{N}.,()'&!/]| (?!-[A-Za-z]))*$)`,
  'gu',
);

/** Matches an address of a page, a picture or a repository of this machine, as browsers and git open them; nothing hidden, nothing above. */
const PAGE = /^file:\/\/(?:localhost)?(?:\/(?!\.)[^/?#\s]+)+\.(?:x?html?|svg|pdf|png|jpe?g|gif|webp|git)(?:[?#]|$)/i;
const CODED_SIGN = /%(?:00|2e|2f|5c)/i;

/** Longer values are texts. */
const LONGEST = 1024;
const MOST_DEPTH = 16;
const MOST_VALUES = 500;

/**
 * Finds values that are something else than the name of their argument says: shell syntax or an option in a file's or branch's name, a path
 * in an identifier or an address of mail, and URLs that reach files or a cloud's metadata.
 */
export function checkPlaces(args: JsonObject): readonly SchemaFault[] {
  const faults: SchemaFault[] = [];
  let left = MOST_VALUES;
  const visit = (value: JsonValue, name: string, path: string, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > MOST_DEPTH || faults.length >= MOST_FAULTS) return;
    if (typeof value === 'string') {
      const problem = value.length > LONGEST ? undefined : problemOf(value, useOf(name));
      if (problem !== undefined) faults.push({ path, ...problem });
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) visit(member, key, join(path, key), depth + 1);
    } else if (Array.isArray(value)) {
      for (const [index, item] of (value as readonly JsonValue[]).entries())
        visit(item, name, join(path, String(index)), depth + 1);
    }
  };
  visit(args, '', '', 0);
  return faults;
}

function problemOf(value: string, use: Use): Omit<SchemaFault, 'path'> | undefined {
  if (use === 'ref' || use === 'file') {
    if (SHELL.test(use === 'file' ? value.replace(TITLE, ' ') : value))
      return { keyword: 'shell_syntax', problem: 'has shell syntax in a name' };
    return OPTION.test(value) ? { keyword: 'option', problem: 'is an option and not a name' } : undefined;
  }
  if (use === 'email' || use === 'number')
    return PLACE.test(value) ? { keyword: 'path', problem: 'is a path, which its name does not say' } : undefined;
  const isPage = PAGE.test(value) && !CODED_SIGN.test(value);
  return use === 'url' && isOffLimits(value) && !isPage
    ? { keyword: 'address', problem: 'is an address that no tool needs' }
    : undefined;
}

/** Reads an address as clients do: an IPv4 address may be one number, and blanks around or in a scheme do not count. */
function isOffLimits(value: string): boolean {
  const address = URL.parse(value);
  return SCHEME.test(address?.protocol ?? value) || METADATA.has(address?.hostname.replace(/\.+$/, '') ?? '');
}
