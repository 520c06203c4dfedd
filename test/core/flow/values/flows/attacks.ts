import { base64, base64Url, hex, secret, type FlowCase } from './flow-case.ts';

const STRIPE = secret('sk_', 'live_', '51Nc8QxKz2bVtYw7RmPq4LdHs9GfJe3A');
const GITHUB = secret('gh', 'p_', 'k3VbQ8zXw1Lr7TnYc5Hs2MfGd9JpRaE4uWq6');
const AWS = secret('AK', 'IA', 'Q7ZL2MXN4RPT6VWB');
const AWS_SECRET = secret('wJ9r/Kd2', 'xPq7+ZtVb3Ym', '8NcLs4Hf6Ga1TeRu5');
const JWT = secret(
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
  '.eyJzdWIiOiI4NDEyOTA3Iiwicm9sZSI6ImFkbWluIn0',
  '.q3Zr8LkXw0VtB6mYc2Pn9HsJd4GfRa7EuTe5iWo1K',
);
const UUID = '3f8b1c6e-92d4-4a7b-8e15-c07d9f2a6b43';
const EMAIL = `From: Mara Lindqvist
Subject: Northwind

Hi Tomas, the board approved the purchase of Northwind Logistics for 48 million last night. Nobody outside of the steering group
may hear of it before the announcement on the ninth. Greta prepares the letter to their shareholders; please keep the escrow account
at Handelsbanken out of every spreadsheet until then.`;
const SOURCE = `export function settleInvoice(ledger: Ledger, invoice: Invoice): Settlement {
  const outstanding = invoice.lines.reduce((sum, line) => sum + line.netto * (1 + line.vatRate), 0);
  if (ledger.reserve < outstanding * RESERVE_FACTOR) throw new ReserveExhausted(ledger.accountId);
  return { settledAt: ledger.clock(), amount: roundHalfEven(outstanding), voucher: nextVoucher(ledger) };
}`;
const CUSTOMERS = `id,name,street,city,balance
4711,Ottoline Farnsworth,17 Quince Lane,Lower Slaughter,18344.10
4712,Bartholomew Okonkwo,3 Tidewater Mews,Great Yarmouth,902.55
4713,Philippa Drinkwater,88 Halfpenny Hill,Stow-on-the-Wold,77120.00`;
const NOTE = `Things only we know
Grandma's ring lies in the blue biscuit tin behind the boiler.
The alarm of the summer house is switched off with Oskar's birthday backwards.
Ask doctor Veldkamp about the biopsy before telling the children.`;
const ROWS = JSON.stringify([
  { id: 1, patient: 'Ignatius Brambleby', diagnosis: 'acute lymphocytic leukaemia', physician: 'Dr. Achterberg', ward: 'C4' },
  { id: 2, patient: 'Rosalind Pettigrew', diagnosis: 'stage two melanoma', physician: 'Dr. Vandersloot', ward: 'B1' },
]);
const PEM = `-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEAx7Vq2Lr9ZkTn4Yc8Hs3MfGd1JpRaE6uWq5oBvXz0KdPt7iNm
w3Qj8Lf2Rk6Tz9Yb4Vc1Xh5Ns7Mg0Pd3Ja8Ew6Ru2Qt9Ko4Bi1Zl5Cv7Hx3Fy8Sn6
-----END RSA PRIVATE KEY-----`;
const RECOVERY = ['x7k2m-9fq3t', 'b4w8z-1rn6y', 'h5d0c-8vj2s', 'p3g7l-4tx9k'];

/** Values that leave one server for another. Each must be found. */
export const ATTACKS: readonly FlowCase[] = [
  { name: 'an API key, plain', result: `STRIPE_KEY=${STRIPE}\nDEBUG=1`, args: { text: `fyi ${STRIPE}` } },
  { name: 'an API key in capitals', result: `key: ${STRIPE}`, args: { text: STRIPE.toUpperCase() } },
  {
    name: 'a token in the query of a URL',
    result: `{"token":"${GITHUB}"}`,
    args: { url: `https://cdn.example.net/p.gif?d=${GITHUB}` },
  },
  { name: 'a token in base64', result: `//registry.example.org/:_authToken=${GITHUB}`, args: { body: base64(`log: ${GITHUB}`) } },
  { name: 'a token in base64 for URLs, without padding', result: GITHUB, args: { id: base64Url(`a>>?${GITHUB}`) } },
  { name: 'a token in base64 that follows other letters', result: GITHUB, args: { path: `assets/img/v2/x${base64(GITHUB)}` } },
  { name: 'a token in hex', result: `token ${GITHUB}`, args: { color: hex(GITHUB) } },
  {
    name: 'a token in upper-case hex with colons',
    result: `token ${GITHUB}`,
    args: {
      mac: hex(GITHUB)
        .toUpperCase()
        .replaceAll(/..(?!$)/g, '$&:'),
    },
  },
  {
    name: 'a token as escapes of source code',
    result: `token ${GITHUB}`,
    args: { code: hex(GITHUB).replaceAll(/../g, '\\x$&') },
  },
  {
    name: 'a token as escapes of JSON',
    result: `token ${GITHUB}`,
    args: { code: [...GITHUB].map((letter) => `\\u00${hex(letter)}`).join('') },
  },
  { name: 'a token in percent signs', result: GITHUB, args: { q: hex(GITHUB).replaceAll(/../g, '%$&') } },
  {
    name: 'a token in base64 in a string of JSON in a URL',
    result: `Authorization: Bearer ${GITHUB}`,
    args: {
      url: `https://t.example.com/?e=${encodeURIComponent(JSON.stringify({ event: 'view', data: base64(`id=${GITHUB}`) }))}`,
    },
  },
  { name: 'a token in base64 twice', result: GITHUB, args: { blob: base64(base64(`..${GITHUB}..`)) } },
  { name: 'a token in base64 of hex', result: GITHUB, args: { blob: base64(hex(GITHUB)) } },
  { name: 'a token in hex of base64', result: GITHUB, args: { blob: hex(base64(GITHUB)) } },
  {
    name: 'a token in base64 with the line breaks of mail',
    result: `key ${GITHUB}`,
    args: { body: base64(`Dear all, here is what was asked for. ${GITHUB} Yours`).replaceAll(/.{40}/g, '$&\r\n') },
  },
  { name: 'an access key of a cloud', result: `[default]\naws_access_key_id = ${AWS}`, args: { message: `use ${AWS}` } },
  { name: 'a secret key with signs of base64', result: `aws_secret_access_key = ${AWS_SECRET}`, args: { message: AWS_SECRET } },
  {
    name: 'a secret key in two arguments',
    result: `aws_secret_access_key = ${AWS_SECRET}`,
    args: { title: AWS_SECRET.slice(0, 19), body: AWS_SECRET.slice(19) },
  },
  { name: 'a piece of a token', result: `token=${GITHUB}`, args: { note: `starts with ${GITHUB.slice(9, 24)}` } },
  { name: 'a token with blanks between its letters', result: GITHUB, args: { text: [...GITHUB].join(' ') } },
  { name: 'a web token', result: `{"access_token":"${JWT}","expires_in":3600}`, args: { headers: { cookie: `s=${JWT}` } } },
  { name: 'a token as the name of an argument', result: GITHUB, args: { fields: { [GITHUB]: true } } },
  { name: 'a UUID without its hyphens', result: `tenant ${UUID} (billing)`, args: { ref: UUID.replaceAll('-', '') } },
  {
    name: 'a session of a cookie',
    result: `Set-Cookie: sid=s%3AqL9xR2vK7mT4wZ8n.Bc1Yd5Fg3Hj6; Path=/`,
    args: { text: 'qL9xR2vK7mT4wZ8n' },
  },
  {
    name: 'a password in a connection string',
    result: `DATABASE_URL=postgres://app:vT9kQz4mXr7wLp@db.internal:5432/ledger`,
    args: { content: 'pw is vT9kQz4mXr7wLp' },
  },
  {
    name: 'a passphrase that a name beside it says is one',
    result: `wifi:\n  password: "marmalade-teapot-umbrella"`,
    args: { text: 'marmalade teapot umbrella' },
  },
  { name: 'lines of a private key', result: PEM, args: { description: PEM.split('\n')[2] ?? '' } },
  {
    name: 'recovery codes without hyphens',
    result: RECOVERY.join('\n'),
    args: { codes: RECOVERY.map((code) => code.replace('-', '')).join(',') },
  },
  { name: 'a card number without its blanks', result: 'card 4929 3813 3266 4295, exp 11/27', args: { memo: '4929381332664295' } },
  { name: 'a card number with hyphens', result: '{"pan":"4929381332664295"}', args: { memo: '4929-3813-3266-4295' } },
  { name: 'a card number as a number', result: '{"pan":"4929 3813 3266 4295"}', args: { amount: 4929381332664295 } },
  { name: 'an IBAN in groups', result: 'iban: DE44500105175407324931', args: { text: 'pay to DE44 5001 0517 5407 3249 31' } },
  {
    name: 'a phone number written in another way',
    result: 'Mobile: +44 7700 900461',
    args: { to: 'call (0044) 77-00-90-04-61' },
  },
  { name: 'a social security number', result: 'SSN 536-90-4271', args: { text: '536904271' } },
  {
    name: 'a sentence of an e-mail',
    result: EMAIL,
    args: { text: 'Did you know? The board approved the purchase of Northwind Logistics for 48 million last night.' },
  },
  {
    name: 'an e-mail, forwarded in capitals on one line',
    result: EMAIL,
    args: { body: EMAIL.replaceAll('\n', ' ').toUpperCase() },
  },
  { name: 'an e-mail in base64', result: EMAIL, args: { attachment: base64(EMAIL) } },
  {
    name: 'a function of private source code, reformatted',
    result: SOURCE,
    args: { code: SOURCE.replaceAll(/\s+/g, ' ').replaceAll(' {', '{') },
  },
  { name: 'a line of private source code', result: SOURCE, args: { q: SOURCE.split('\n')[1]?.trim() ?? '' } },
  { name: 'a table with other separators', result: CUSTOMERS, args: { data: CUSTOMERS.replaceAll(',', '\t') } },
  {
    name: 'a row of a table',
    result: CUSTOMERS,
    args: { text: '4712; Bartholomew Okonkwo; 3 Tidewater Mews; Great Yarmouth; 902.55' },
  },
  {
    name: 'a row of a table as an object',
    result: CUSTOMERS,
    args: { row: { id: '4713', name: 'Philippa Drinkwater', street: '88 Halfpenny Hill', city: 'Stow-on-the-Wold' } },
  },
  { name: 'rows of JSON as a table', result: ROWS, args: { csv: '2,Rosalind Pettigrew,stage two melanoma,Dr. Vandersloot,B1' } },
  {
    name: 'rows of JSON as JSON in a string',
    result: ROWS,
    args: { payload: JSON.stringify({ rows: JSON.parse(ROWS) as unknown }) },
  },
  { name: 'some lines of a private note', result: NOTE, args: { text: NOTE.split('\n').slice(1, 3).join('\n') } },
  {
    name: 'a line of a private note in another case and with other blanks',
    result: NOTE,
    args: { text: 'ASK  DOCTOR  VELDKAMP  ABOUT  THE  BIOPSY  BEFORE  TELLING  THE  CHILDREN' },
  },
  {
    name: 'a line of a private note in a URL',
    result: NOTE,
    args: { url: `https://x.example/?q=${encodeURIComponent(NOTE.split('\n')[1] ?? '')}` },
  },
  {
    name: 'a file that was given in base64, as it is',
    result: JSON.stringify({ encoding: 'base64', content: base64(SOURCE) }),
    args: { text: SOURCE },
  },
  {
    name: 'full-width letters',
    result: 'Kennwort fuer den Tresor: 83QK-77ZP-41XM-09',
    args: { text: '８３ＱＫ－７７ＺＰ－４１ＸＭ－０９' },
  },
  {
    name: 'text of another alphabet',
    result: 'Заметка: Совет директоров одобрил покупку компании «Северный ветер» за сорок миллионов рублей.',
    args: { text: 'совет директоров одобрил покупку компании северный ветер за сорок миллионов' },
  },
  {
    name: 'a webhook that is a secret by itself',
    result: `url: https://hooks.chat.example/services/${secret('T0', '3KX9QWL/B07')}/${'nV4rT8yLz2Qx6Wc9Kd3Mf1Hs'}`,
    args: { target: 'nV4rT8yLz2Qx6Wc9Kd3Mf1Hs' },
  },
  {
    name: 'words of a wallet',
    result: 'witch collapse practice feed shame open despair creek road again ice least',
    args: { text: 'witch collapse practice feed shame open despair creek road again ice least' },
  },
  {
    name: 'an address on one line',
    result: 'Ship to: Hieronymus Abernathy\nFlat 9, 212 Wisteria Crescent\nKirkcudbright DG6 4JX',
    args: { to: 'Hieronymus Abernathy, Flat 9, 212 Wisteria Crescent, Kirkcudbright' },
  },
  {
    name: 'a diagnosis',
    result: 'Seen on Monday.\nDiagnosis: metastatic pancreatic adenocarcinoma\nNext visit in May.',
    args: { text: 'diagnosis: metastatic pancreatic adenocarcinoma' },
  },
];
