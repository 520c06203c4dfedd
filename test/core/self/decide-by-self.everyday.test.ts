import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { isDeniedBySelf, OWN_FILES, ownOf } from '../../support/own.ts';
import { POSIX } from '../../support/policy.ts';

/** As on a machine where also the configs of a project were wrapped, so that what is ours lies in the working directory. */
const own = ownOf([
  ...OWN_FILES,
  '/home/user/project/.mcp.json',
  '/home/user/.cursor/mcp.json',
  '/home/user/project/.vscode/mcp.json',
]);
const WORLDS = [
  { own, paths: POSIX },
  { own, paths: { ...POSIX, cwd: '/home/user' } },
];

describe('what people and agents do all day is nothing of ours', () => {
  it.each([
    'if [ -f package.json ]; then npm test; fi',
    '[ -d .git ] && echo yes',
    '[[ -n $X ]] && echo "${arr[0]}"',
    'echo {1..3}',
    "awk '{print $1}' file",
    "jq '.[]' x.json",
    "jq '.scripts | to_entries[] | {k: .key, v: .value}' package.json",
    'curl -d \'{"a":1,"b":[1,2]}\' http://localhost/x',
    'ls {src,test}',
    'cat {a,b}.txt',
    'git stash drop stash@{0}',
    'git reset HEAD@{1}',
    'git log --grep="fix .*" --pretty=format:"%h %s"',
    "git log --pretty=format:'%h %s'",
    'git clean -fdx',
    'git add -A && git commit -m "fix: all [x] of {it}"',
    'git rm -r --cached .',
    'git mv a b',
    'grep -E "error: .*" log',
    'grep -rn "foo.*" src',
    "sed -i 's/a.*/b/g' src/x.ts",
    'python -c "print([1,2])"',
    'node -e "console.log([1].map(x=>({x})))"',
    'find . -name "*.tmp" -delete',
    'find . -type f -name "*.log" -exec rm {} +',
    'rm -rf node_modules dist',
    'rm -rf ./dist /tmp/x ~/.cache/pip build/*',
    'rm -f *.log',
    'mv src/a.ts src/b.ts',
    'chmod +x ./run.sh',
    'make clean -C ~/project',
    'npm run clean --prefix /home/user/project',
    'npm install && npx tsc',
    'for f in *.ts; do echo $f; done',
    'kubectl get pods -o jsonpath="{.items[*].metadata.name}"',
    'docker run --rm -it -v $(pwd):/app node:24',
    'test -f .env && source .env',
    'cat $HOME/.npmrc',
    'cat <<EOF > x.json\n{ "a": [1], "b": {} }\nEOF',
    'ls -la ~ ..',
    'du -sh ~/* | sort -h',
    'clawai status',
    'clawai policy test --policy x.toml',
    'grep -rn clawai src',
  ])('%s', (command) => {
    for (const world of WORLDS) expect(isDeniedBySelf({ tool: 'execute_command', args: { command } }, world)).toBe(false);
  });

  it.each<[string, JsonObject]>([
    ['read_file', { path: '/home/user/project/src/a.ts' }],
    ['list_directory', { path: '/home/user' }],
    ['directory_tree', { path: '.' }],
    ['search_files', { path: '/home/user', pattern: '**/*.{ts,tsx}' }],
    ['write_file', { path: 'README.md', content: 'Run `clawai wrap`, see ~/.config/clawai/policy.toml' }],
    ['edit_file', { path: 'a.ts', edits: [{ oldText: 'clawai unwrap', newText: 'x' }] }],
    ['move_file', { source: '/home/user/project/a', destination: '/home/user/project' }],
    ['delete_file', { path: '/home/user/project/dist' }],
    ['create_issue', { owner: 'o', repo: 'clawai', title: 'clawai wrap fails', body: 'I ran\n\nclawai unwrap --all' }],
    ['search_code', { q: 'clawai deny' }],
    ['create_entities', { entities: [{ name: 'clawai', entityType: 'tool', observations: ['clawai init was run'] }] }],
    ['sequentialthinking', { thought: 'clawai unwrap is for the user', nextThoughtNeeded: true }],
    ['fetch', { url: 'https://example.com/clawai/policy.toml?q=[a]&b={c,d}' }],
    ['browser_evaluate', { function: '() => [...document.querySelectorAll("*")].map(e => ({a: 1, b: 2}))' }],
    ['browser_type', { ref: 'e1', text: 'clawai wrap' }],
    ['query', { sql: "SELECT * FROM t WHERE a LIKE '%x%'" }],
    ['execute_sql', { sql: 'DELETE FROM t -- {x} [y] %' }],
    ['slack_post_message', { channel: 'c', text: 'clawai approve K7Q2MX please' }],
    ['git_commit', { repo_path: '/home/user/project', message: 'clawai: wrap {a,b} [x]' }],
    ['get-library-docs', { libraryId: '/x/clawai', topic: 'wrap' }],
    ['run_code', { code: 'import re\nx=[i for i in range(3)]\nd={"a":1,"b":2}\nre.match(r".*",x)' }],
    ['run_script', { script: 'for (const [k,v] of Object.entries({a:1})) console.log(`${k}`)' }],
    ['Grep', { pattern: '.*', path: '/home/user/project', glob: '*.{ts,tsx}' }],
  ])('%s %j', (tool, args) => {
    for (const world of WORLDS) expect(isDeniedBySelf({ tool, args }, world)).toBe(false);
  });
});

describe('what looks alike and is ours', () => {
  it.each([
    'cat ~/.{claude,x}.json',
    'cat ~/.cl{b,au}de.json',
    'cat ~/.claud[e].json',
    'cat ~/.clau*',
    'cat .mcp.*',
    'cp x {.mcp,y}.json',
    `cat ~/{${'x,'.repeat(200)}.claude.json}`,
    'sh -c "rm -rf .*"',
    'rm -rf .*',
    'H=~; cat $H/.claude.json',
    'rm -rf ~/.c*',
  ])('%s', (command) => {
    expect(isDeniedBySelf({ tool: 'execute_command', args: { command } }, { own })).toBe(true);
  });
});
