import { HEADER_NAME, HEADER_VALUE } from '../config/declared-servers.ts';
import { URL_SECRET, URL_SECRET_WANTED } from '../config/remote-url.ts';
import { type JsonSchema, table } from './shapes.ts';

/** Matches a URL, as far as a pattern can. */
export const HTTP_URL = String.raw`^[Hh][Tt][Tt][Pp][Ss]?:[^\s#]+$`;

/** The last part of a URL at `clawai serve`. */
export const SECRET_SCHEMA: JsonSchema = {
  type: 'string',
  pattern: URL_SECRET.source,
  description: `The last part of its URL at \`clawai serve\`, ${URL_SECRET_WANTED}; without it one is generated.`,
};

/** The table `[[servers]]`. */
export const SERVERS_SCHEMA: JsonSchema = {
  type: 'array',
  description: "Remote servers that are in no client's config, for `clawai serve`.",
  items: table(
    {
      id: {
        type: 'string',
        pattern: String.raw`^[^/\u0000-\u001f\u007f-\u009f]+$`,
        maxLength: 128,
        not: { enum: ['.', '..'] },
        description: 'Its name in the policy and in its URL; no other server may have it.',
        examples: ['docs'],
      },
      url: {
        type: 'string',
        pattern: HTTP_URL,
        description: 'The address of the server itself.',
        examples: ['https://mcp.example.com/mcp'],
      },
      secret: SECRET_SCHEMA,
      headers: {
        type: 'object',
        propertyNames: { pattern: HEADER_NAME.source },
        additionalProperties: { type: 'string', pattern: HEADER_VALUE.source },
        description: 'Headers that clawai sends with every request.',
        examples: [{ Authorization: 'Bearer TOKEN' }],
      },
      tls_fingerprint: {
        type: 'string',
        pattern: '^[Ss][Hh][Aa]256:[0-9A-Fa-f]{64}$',
        description: 'The key that the certificate of the server must have: "sha256:" and 64 hexadecimal digits.',
      },
    },
    { required: ['id', 'url'] },
  ),
};
