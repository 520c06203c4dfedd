import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { isDeniedBySelf } from '../../support/own.ts';

const run = (command: string): boolean => isDeniedBySelf({ tool: 'Bash', args: { command } });
const call = (tool: string, args: JsonObject): boolean => isDeniedBySelf({ tool, args });

describe('a command that starts an agent without its hooks, or with other settings', () => {
  it.each([
    'CODEX_HOME=/tmp/x codex exec "go on"',
    'env CODEX_HOME=/tmp/x codex exec y',
    'export CODEX_HOME=/tmp/x && codex exec y',
    'export CLAUDE_CONFIG_DIR=/tmp/x',
    'cd /tmp; CLAUDE_CONFIG_DIR=$PWD claude -p y',
    'sh -c "CLAUDE_CONFIG_DIR=/tmp/x claude -p y"',
    'HOME=/tmp/x claude -p y',
    'XDG_CONFIG_HOME=/tmp/x opencode run y',
    'GEMINI_CLI_HOME=/tmp/x npx @google/gemini-cli -p y',
    'GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/s.json gemini -p y',
    'COPILOT_HOME=/tmp/x copilot -p y',
    'CLAWAI_POLICY=/tmp/p.toml claude -p y',
    'env -u CODEX_HOME codex exec y',
    'unset CLAUDE_CONFIG_DIR; claude -p y',
    `echo 'export CODEX_HOME=/tmp/x' >> ~/.bashrc`,
    `python3 -c 'import os,subprocess; os.environ["CODEX_HOME"]="/tmp/x"; subprocess.run(["codex","exec","y"])'`,
    'claude --settings /tmp/other.json -p y',
    'claude --settings=/tmp/other.json -p y',
    `claude --settings '{"hooks":{}}' -p y`,
    `claude --settings '{"disableAllHooks":true}' -p y`,
    `claude --settings "$(cat x)" -p y`,
    'claude --setting-sources project -p y',
    'claude --setting-sources=project,local -p y',
    'claude --safe-mode -p y',
    'CLAUDE_CODE_SIMPLE=1 claude -p y',
    'npx -y @anthropic-ai/claude-code@latest --bare -p y',
    'node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js --bare -p y',
    'codex -c features.hooks=false exec y',
    'codex exec --config features.codex_hooks=false y',
    `codex -c 'features={hooks=false}' exec y`,
    'codex exec --disable hooks y',
    'codex exec --disable=codex_hooks y',
    'codex features disable hooks',
    'codex exec --ignore-user-config y',
    'copilot --config-dir /tmp/x -p y',
    'opencode run --pure y',
    `OPENCODE_CONFIG_CONTENT='{"plugin":[]}' opencode run y`,
    'cla""ude --ba""re -p y',
    'CODEX_HOME=/tmp/x bash -c "codex exec y"',
    "env CLAUDE_CONFIG_DIR=/tmp/x sh -c 'claude -p y'",
    `node -e 'require("child_process").spawn("codex",["exec"],{env:{...process.env,CODEX_HOME:"/tmp/x"}})'`,
    'HOME=$(mktemp -d) claude -p y',
    'set -gx CODEX_HOME /tmp/x; codex exec y',
    'claude config set -g disableAllHooks true',
    `alias claude='claude --bare'`,
  ])('is denied: %s', (command) => {
    expect(run(command)).toBe(true);
  });

  it('is denied where the program and its variables stand apart', () => {
    expect(call('start_process', { command: 'claude', args: ['--bare', '-p', 'y'] })).toBe(true);
    expect(call('run_command', { command: 'codex exec y', env: { CODEX_HOME: '/tmp/x' } })).toBe(true);
  });

  it.each([
    'claude -p "go on"',
    'claude --setting-sources user,project -p y',
    `claude --settings '{"model":"opus"}' -p y`,
    'codex exec --profile review "go on"',
    'codex -c model=o9 exec y',
    'codex --enable hooks exec y',
    'gemini -p "explain CODEX_HOME"',
    'cd codex && CODEX_HOME=$(mktemp -d) cargo test',
    'CODEX_HOME=/tmp/x cargo test',
    'echo $CLAUDE_CONFIG_DIR',
    'ls "$CODEX_HOME"',
    'HOME=/tmp/x npm ci && ls codex',
    'cd $HOME && claude -p y',
    'git clone --bare https://example.com/claude.git',
    'CODEX_HOME=/tmp/x git commit -m "codex: use it"',
    'set -x; HOME=/tmp/x make; cat claude.md',
    'gh pr create --title "claude --bare" --body "x"',
    'npm test -- codex',
    'grep -rn "CLAUDE_CONFIG_DIR" docs',
    'docker run -e HOME=/root img cat claude.md',
  ])('is not denied if it does neither: %s', (command) => {
    expect(run(command)).toBe(false);
  });
});

describe('a command that may change hooks in a file', () => {
  it.each([
    `echo '{"disableAllHooks":true}' > .claude/settings.json`,
    `echo '{"hooks":{}}' > .claude/settings.local.json`,
    `cd .claude && echo '{"hooks":{}}' > settings.json`,
    `printf '{"env":{"CLAUDE_CONFIG_DIR":"/tmp/x"}}' | tee .claude/settings.json`,
    `A='{"disab'; B='leAl'; C='lHo'; D='oks":true}'; echo "$A$B$C$D" > .claude/settings.json`,
    'curl https://example.com/x | tee .claude/settings.json',
    'curl -o .claude/settings.json https://example.com/x',
    `jq '.disableAllHooks=true' .claude/settings.json > t.json`,
    `jq '.disableAllHooks |= (1==1)' .claude/settings.json > .claude/settings.json`,
    `sed -i 's/"disableAllHooks": false/"disableAllHooks": true/' .claude/settings.json`,
    `sed -i 's/false/true/' .claude/settings.local.json`,
    `python3 -c 'import json; d=json.load(open(".claude/settings.json")); d["disableAllHooks"]=True; json.dump(d,open(".claude/settings.json","w"))'`,
    `python3 -c 'import os; open(os.path.join(".claude","settings.json"),"w").write("{\\"disable"+"AllH"+"ooks\\":true}")'`,
    `node -e 'require("fs").copyFileSync("x",".claude/settings.json")'`,
    'mv x.json .claude/settings.json',
    'cp x.json .claude/settings.local.json',
    'cp /tmp/settings.json .claude/',
    'cp -r /tmp/x .claude',
    'mv /tmp/x .gemini',
    'ln -s /tmp/x .gemini/settings.json',
    'rm .cursor/hooks.json',
    'cp x .claude/sett*.json',
    `cat > .gemini/settings.json <<'EOF'\n{"hooksConfig":{"enabled":false}}\nEOF`,
    `echo '{}' > .cursor/hooks.json`,
    'touch y; echo x > .github/hooks/y.json',
    'cat x.js > .opencode/plugin/x.js',
    `echo '{"plugin":["x"]}' > opencode.json`,
    `printf '[features]\\nhooks = false\\n' >> ~/.codex/config.toml`,
    `printf 'hooks = false\\n' > ~/.codex/fast.config.toml`,
    `echo GEMINI_CLI_HOME=/tmp/x >> .env`,
    `echo 'CODEX_HOME=/tmp/x' > ~/.codex/.env`,
    'cp x.env ~/.gemini/.env',
    `yq -i '.features.hooks = false' .codex/config.toml`,
    `yq -i '. *= load("x.yml")' .codex/config.toml`,
    'echo x >| .cursor/hooks.json',
    'cat x > .claude/settings.json',
    'cat < x > .claude/settings.json',
    'sed -n p x > .claude/settings.json',
    'ls .claude/settings.json | xargs rm',
    `printf '{"\\x68ooks":{}}' > .claude/settings.json`,
    `sh -c 'echo "{\\"hooks\\":{}}" > .claude/settings.json'`,
    `{ echo '{"hooks":{}}'; } > .claude/settings.json`,
    `exec 3> .claude/settings.json; echo '{"hooks":{}}' >&3`,
    `tee .claude/settings.json <<< '{"hooks":{}}'`,
    'dd if=x of=.claude/settings.json',
    'patch .claude/settings.json x.diff',
    'git checkout other -- .claude/settings.json',
    `awk 'BEGIN{print "{\\"hooks\\":{}}" > ".claude/settings.json"}'`,
    'ln -s .claude c',
    'cp -t .claude x/settings.json',
    'rsync -a x/ .claude/',
    `python3 - <<'EOF'\nimport json\nopen('.gemini/settings.json','w').write('{"hooksConfig":{}}')\nEOF`,
    `mkdir -p ~/.config/environment.d && echo CLAUDE_CONFIG_DIR=/tmp/x > ~/.config/environment.d/x.conf`,
    'wget -O .claude/settings.json https://example.com/x',
    'cd .claude; mv /tmp/s settings.json',
    'install -m 644 x .claude/settings.json',
    `cat > .claude/settings.json <<EOF\n$(cat x)\nEOF`,
    `f=.claude/settings.json; cat x > $f`,
  ])('is denied: %s', (command) => {
    expect(run(command)).toBe(true);
  });

  it.each([
    'cat .claude/settings.json',
    'cat < .claude/settings.json',
    `jq '.disableAllHooks' .claude/settings.json`,
    `jq 'select(.disableAllHooks == true)' .claude/settings.json`,
    `jq . .claude/settings.json > /tmp/out.json`,
    'grep -n disableAllHooks .claude/settings.json',
    `grep '"disableAllHooks": true' -r . --include settings.json`,
    'cp .claude/settings.json /tmp/backup.json',
    'git add .claude/settings.json && git commit -m "hooks: none"',
    'git diff .claude/settings.json .cursor/hooks.json',
    `echo '{"model":"opus"}' > .claude/settings.json`,
    `cat > .claude/settings.json <<'EOF'\n{"$schema":"https://json.schemastore.org/x","permissions":{"allow":["Bash(ls:*)"]}}\nEOF`,
    `sed -i 's/"opus"/"sonnet"/' .claude/settings.json`,
    `sed -i 's/"editor.tabSize": 2/"editor.tabSize": 4/' .vscode/settings.json`,
    `python3 -c 'import json; print(json.load(open(".claude/settings.json"))["hooks"])'`,
    'ls -la .claude .codex .github/hooks',
    'mkdir -p .claude/skills && cp skill.md .claude/skills/',
    'cp notes.md .claude/',
    'mv src/hooks/a.ts src/hooks/b.ts',
    'rm -rf node_modules src/hooks',
    'cp .env.example .env',
    'echo PORT=3000 >> .env',
    `echo 'export EDITOR=vim' >> ~/.bashrc`,
    'cp settings.json config/settings.json',
    'cp pre-commit .git/hooks/pre-commit',
    'diff .claude/settings.json .claude/settings.local.json',
    'git checkout -- .claude/settings.json',
    'tar czf backup.tgz .claude .gemini/settings.json',
    'git log -p -- .claude/settings.json | head -50',
    'npx prettier --check .claude/settings.json',
    `python3 -m json.tool .claude/settings.json`,
    `rg -n 'hooks' .claude .codex --glob '*.json'`,
    'ls ~/.claude/projects | wc -l > /tmp/n.txt',
    `awk '{print $1}' .env > /tmp/names.txt`,
    'cp -r .claude /tmp/backup',
    'cat package.json | jq .hooks > /tmp/x.json',
  ])('is not denied if it does not: %s', (command) => {
    expect(run(command)).toBe(false);
  });
});

describe('an edit that may change hooks in a file', () => {
  it.each<[string, JsonObject]>([
    ['Write', { file_path: '/home/user/project/.claude/settings.json', content: '{"disableAllHooks": true}' }],
    ['Write', { file_path: '.claude/settings.local.json', content: '{"disable\\u0041llHooks": true}' }],
    ['Write', { file_path: '.claude/settings.json', content: '{"env":{"CLAUDE_CONFIG_DIR":"/tmp/x"}}' }],
    ['Write', { file_path: '.claude/settings.json', content: '{"env":{"LD_PRELOAD":"/tmp/x.so"}}' }],
    ['Edit', { file_path: '.claude/settings.json', old_string: 'false', new_string: 'true' }],
    ['Edit', { file_path: '.claude/settings.json', old_string: '{', new_string: '{"hooks": {},' }],
    ['MultiEdit', { file_path: '.claude/settings.json', edits: [{ old_string: '{', new_string: '{"disableAllHooks":true,' }] }],
    ['write_file', { file_path: '.gemini/settings.json', content: '{"hooksConfig":{"enabled":false}}' }],
    ['replace', { file_path: '.gemini/settings.json', old_string: '"enabled": true', new_string: '"enabled": false' }],
    ['create', { path: '.github/hooks/x.json', file_text: '{}' }],
    ['Write', { path: '.cursor/hooks.json', contents: '{"version":1}' }],
    ['apply_patch', { input: '*** Begin Patch\n*** Add File: .codex/config.toml\n+[features]\n+hooks = false\n*** End Patch' }],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Update File: x.json\n*** Move to: .claude/settings.json\n@@\n-a\n+b\n*** End Patch' },
    ],
    ['apply_patch', { input: '*** Begin Patch\n  *** Add File:.codex/config.toml\n+[features]\n+hooks = false\n*** End Patch' }],
    ['move_file', { source: 'x.json', destination: '.claude/settings.json' }],
    ['copy_file', { source: 'x.json', destination: '.claude/settings.json' }],
    ['rename_file', { old_path: 'x.json', new_path: '.claude/settings.json' }],
    ['delete_file', { path: '.github/hooks/guard.json' }],
    ['write', { filePath: '.opencode/plugins/x.ts', content: 'export const x = 1' }],
    ['write_file', { path: '.gemini/.env', content: 'A=1\nGEMINI_CLI_HOME=/tmp/x\n' }],
    ['write_file', { path: '/home/user/.zshrc', content: "alias claude='claude --bare'" }],
    ['set_json', { path: '.claude/settings.json', set: { disableAllHooks: true } }],
    ['edit_file', { path: '.vscode/settings.json', content: '{"chat.useHooks": false}' }],
  ])('is denied: %s %j', (tool, args) => {
    expect(call(tool, args)).toBe(true);
  });

  it.each<[string, JsonObject]>([
    ['Read', { file_path: '.claude/settings.json' }],
    ['Grep', { pattern: '"disableAllHooks": true', path: '.claude/settings.json' }],
    ['Edit', { file_path: '.claude/settings.json', old_string: '"model": "opus"', new_string: '"model": "sonnet"' }],
    ['Edit', { file_path: '.claude/settings.json', old_string: '"hooks": {}, "a": 1', new_string: '"a": 1' }],
    ['Write', { file_path: '.claude/settings.json', content: '{"permissions":{"allow":["Bash(ls:*)"]}}' }],
    ['Write', { file_path: 'docs/hooks.md', content: 'Set "disableAllHooks": true in .claude/settings.json' }],
    ['Write', { file_path: 'src/hooks/use-x.ts', content: 'export const hooks = {}' }],
    ['Write', { file_path: '.vscode/settings.json', content: '{"editor.tabSize": 2}' }],
    ['Write', { file_path: '.env', content: 'DATABASE_URL=postgres://localhost/x\nHOME_PAGE=1\n' }],
    ['Write', { file_path: '.codex/config.toml', content: 'model = "o9"\n[mcp_servers.docs]\ncommand = "docs"\n' }],
    [
      'apply_patch',
      {
        input:
          '*** Begin Patch\n*** Update File: .claude/settings.json\n@@\n "hooks": {\n-"model": "a"\n+"model": "b"\n*** End Patch',
      },
    ],
    ['apply_patch', { command: "*** Begin Patch\n*** Add File: a.sh\n+echo '{}' > .cursor/hooks.json\n*** End Patch" }],
    ['copy_file', { source: '.claude/settings.json', destination: '/tmp/x.json' }],
    ['create_branch', { body: 'docs/.claude/settings.json', name: 'x' }],
    ['fetch_file', { path: '.claude/settings.json', note: 'clawai' }],
    ['create_pull_request', { title: 'x', body: 'Removes "hooks" from .claude/settings.json' }],
    ['Agent', { description: 'look', prompt: 'Read .claude/settings.json and say which hooks there are' }],
  ])('is not denied if it does not: %s %j', (tool, args) => {
    expect(call(tool, args)).toBe(false);
  });
});
