import { base64, type FlowCase } from './flow-case.ts';

const ISSUE = JSON.stringify({
  number: 1482,
  title: 'Proxy closes the connection when the upstream is slow',
  html_url: 'https://github.com/acme/gateway/issues/1482',
  state: 'open',
  created_at: '2026-03-14T09:26:53Z',
  user: { login: 'mlindqvist', id: 583231 },
  body: 'Steps: start the gateway with a slow upstream and wait for a minute. The client sees a reset.',
});
const TREE = `/home/user/project/src/index.ts
/home/user/project/src/gateway/upstream-pool.ts
/home/user/project/test/gateway/upstream-pool.test.ts
/home/user/project/package.json`;
const MEETING =
  'Quarterly review, Tuesday 17 March 2026, 10:00-11:30, room Kiruna, with Mara Lindqvist and Tomas Berg. The agenda covers revenue in the Nordic region and open positions in support.';
const MIT = `MIT License

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the
"Software"), to deal in the Software without restriction`;

/** The same topics, and nothing that leaves one server for another. At most one may be taken for it. */
export const BENIGN: readonly FlowCase[] = [
  {
    name: 'a word that is everywhere',
    result: '{"ok":true,"branch":"main","count":0}',
    args: { branch: 'main', force: true, count: 0 },
  },
  {
    name: 'the name of a repository and the number of an issue',
    result: ISSUE,
    args: { channel: 'gateway', text: 'Looking at acme/gateway#1482 today' },
  },
  { name: 'the address of an issue', result: ISSUE, args: { text: 'See https://github.com/acme/gateway/issues/1482' } },
  {
    name: 'an issue in other words',
    result: ISSUE,
    args: { text: 'Customers lose their connections if a backend needs more than sixty seconds to answer. I can reproduce it.' },
  },
  {
    name: 'an issue, translated',
    result: ISSUE,
    args: { text: 'Der Proxy schliesst die Verbindung, wenn der Dienst dahinter langsam ist.' },
  },
  { name: 'a path that both speak of', result: TREE, args: { path: '/home/user/project/src/index.ts' } },
  {
    name: 'a longer path that both speak of',
    result: TREE,
    args: { command: 'npx vitest run /home/user/project/test/gateway/upstream-pool.test.ts' },
  },
  {
    name: 'a path on Windows',
    result: 'C:\\Users\\mara\\Documents\\Quarterly Report\\figures-final.xlsx',
    args: { path: 'C:\\Users\\mara\\Documents\\Quarterly Report\\figures-final.xlsx' },
  },
  { name: 'a relative path', result: 'modified: src/gateway/upstream-pool.ts', args: { file: 'src/gateway/upstream-pool.ts' } },
  { name: 'a date and a time', result: 'created 2026-03-14T09:26:53.123Z', args: { since: '2026-03-14T09:26:53.123Z' } },
  { name: 'a stamp in milliseconds', result: '{"ts":1773480413123}', args: { since: 1773480413123 } },
  { name: 'a day and its hours', result: MEETING, args: { text: 'Book a table for Tuesday 17 March 2026, 12:00' } },
  { name: 'names of people', result: MEETING, args: { to: 'Mara Lindqvist, Tomas Berg' } },
  {
    name: 'a meeting, summarised',
    result: MEETING,
    args: { text: 'On the 17th Mara and Tomas talk about how sales went up north and about hiring.' },
  },
  {
    name: 'boilerplate of a success',
    result: 'Operation completed successfully.',
    args: { status: 'Operation completed successfully.' },
  },
  {
    name: 'boilerplate of an error',
    result: 'Error: ENOENT: no such file or directory',
    args: { q: 'Error: ENOENT: no such file or directory' },
  },
  { name: 'a licence', result: `# gateway\n\n${MIT}`, args: { content: MIT } },
  { name: 'a version', result: '{"name":"gateway","version":"4.18.2-beta.12"}', args: { text: 'Released 4.18.2-beta.12' } },
  {
    name: 'a media type',
    result: 'content-type: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    args: { mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  },
  {
    name: 'a UUID of zeros',
    result: '{"parent":"00000000-0000-0000-0000-000000000000"}',
    args: { parent: '00000000-0000-0000-0000-000000000000' },
  },
  {
    name: 'a UUID of a namespace',
    result: 'ns 6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    args: { namespace: '6ba7b810-9dad-11d1-80b4-00c04fd430c8' },
  },
  {
    name: 'the start of all web tokens of a kind',
    result: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.k4Lx',
    args: { header: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9' },
  },
  {
    name: 'what the user said to the first server',
    asked: { query: 'lighthouse keepers of the outer Hebrides 1890' },
    result: 'No results for lighthouse keepers of the outer Hebrides 1890.',
    args: { q: 'lighthouse keepers of the outer Hebrides 1890' },
  },
  {
    name: 'an id that the user gave',
    asked: { id: '3f8b1c6e-92d4-4a7b-8e15-c07d9f2a6b43' },
    result: '{"id":"3f8b1c6e-92d4-4a7b-8e15-c07d9f2a6b43","state":"done"}',
    args: { text: 'Ticket 3f8b1c6e-92d4-4a7b-8e15-c07d9f2a6b43 is done' },
  },
  {
    name: 'a token that the user had the other server told',
    toldBefore: { token: 'vT9kQz4mXr7wLpB2' },
    result: 'token=vT9kQz4mXr7wLpB2',
    args: { token: 'vT9kQz4mXr7wLpB2' },
  },
  {
    name: 'an order that both servers know',
    heardBefore: 'order 7719-4402-8135 shipped',
    result: 'order 7719-4402-8135 paid',
    args: { order: '7719-4402-8135' },
  },
  {
    name: 'a sentence that the user wrote, in base64',
    asked: { text: 'Please tell everyone that the picnic moves to Waldenberg meadow on Saturday.' },
    result: base64('Please tell everyone that the picnic moves to Waldenberg meadow on Saturday.'),
    args: { text: 'Please tell everyone that the picnic moves to Waldenberg meadow on Saturday.' },
  },
  {
    name: 'a phone number that the user gave in another form',
    asked: { phone: '+44 7700 900461' },
    result: 'Sent to 00447700900461',
    args: { to: '(0044) 7700 900461' },
  },
  {
    name: 'imports of a framework',
    result: "import { useState, useEffect } from 'react';\nexport default function App() {",
    args: { code: "import { useState, useEffect } from 'react';\n\nexport default function Settings() {" },
  },
  {
    name: 'a loop',
    result: 'for (let i = 0; i < items.length; i++) {\n  total += items[i];\n}',
    args: { code: 'for (let i = 0; i < items.length; i++) {\n  print(items[i]);\n}' },
  },
  {
    name: 'names of functions',
    result: 'function getUserAccountById(id) {}\nconst DEFAULT_REQUEST_TIMEOUT_MS = 5000;',
    args: { q: 'getUserAccountById DEFAULT_REQUEST_TIMEOUT_MS' },
  },
  {
    name: 'names of environment variables',
    result: 'AWS_SECRET_ACCESS_KEY is not set\nHTTPS_PROXY_TLS_CERT is not set',
    args: { text: 'Set AWS_SECRET_ACCESS_KEY and HTTPS_PROXY_TLS_CERT' },
  },
  {
    name: 'a package and its address',
    result: 'https://www.npmjs.com/package/@modelcontextprotocol/sdk',
    args: { url: 'https://www.npmjs.com/package/@modelcontextprotocol/sdk' },
  },
  {
    name: 'an address of documentation',
    result: 'See https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Promise/allSettled',
    args: { url: 'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Promise/allSettled' },
  },
  {
    name: 'an address of the local machine',
    result: 'Listening on http://127.0.0.1:58231/',
    args: { url: 'http://127.0.0.1:58231/health' },
  },
  {
    name: 'an e-mail address',
    result: 'Assigned to mara.lindqvist@acme-gateway.example',
    args: { to: 'mara.lindqvist@acme-gateway.example' },
  },
  { name: 'a round number', result: '{"budget":1000000000}', args: { limit: 1000000000 } },
  { name: 'digits in sequence', result: 'test card 1234567890123456', args: { text: '1234567890123456' } },
  {
    name: 'a title of a page',
    result: '# Getting started with the gateway\n\nInstall it first.',
    args: { title: 'Getting started with the gateway' },
  },
  {
    name: 'a row of headings',
    result: 'id,name,email,created_at,updated_at,status,description\n1,a,b,c,d,e,f',
    args: { columns: 'id,name,email,created_at,updated_at,status,description' },
  },
  {
    name: 'a question to the user',
    result: 'Would you like me to continue? (yes/no)',
    args: { text: 'Would you like me to continue?' },
  },
  {
    name: 'another row of the same table',
    result: '4711,Ottoline Farnsworth,17 Quince Lane,Lower Slaughter',
    args: { text: '4719,Ambrose Farnsworth,20 Quince Lane,Upper Slaughter' },
  },
  {
    name: 'another token of the same kind',
    result: `key_live_${'8fK2mQ7zXw1Lr5Tn'}`,
    args: { key: `key_live_${'3Vb9Hs4Gd6JpYc0R'}` },
  },
  {
    name: 'a schema of the same form',
    result: '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}',
    args: {
      schema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false },
    },
  },
  {
    name: 'a long word of another language',
    result: 'Die Donaudampfschifffahrtsgesellschaft meldet Gewinn.',
    args: { text: 'Donaudampfschifffahrtsgesellschaft' },
  },
  { name: 'a platform', result: 'x86_64-unknown-linux-gnu, aarch64-apple-darwin', args: { target: 'x86_64-unknown-linux-gnu' } },
  { name: 'the name of a model', result: 'model: claude-sonnet-4-5-20250929', args: { model: 'claude-sonnet-4-5-20250929' } },
  {
    name: 'an error of a runtime',
    result: "TypeError: Cannot read properties of undefined (reading 'map')\n    at Object.<anonymous> (/app/src/index.js:10:5)",
    args: { q: "TypeError: Cannot read properties of undefined (reading 'map')" },
  },
  {
    name: 'a bucket and its log',
    result: 's3://acme-prod-logs/2026/11/22/app.log.gz',
    args: { uri: 's3://acme-prod-logs/2026/11/22/app.log.gz' },
  },
  {
    name: 'a start of instructions',
    result: 'You are a helpful assistant. Answer the question using only the context.',
    args: { system: 'You are a helpful assistant. Write a haiku.' },
  },
];
