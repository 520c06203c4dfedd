import { writePolicy } from '../http/policy.ts';

/** What a call must not run. */
export const DENIED_COMMAND = 'rm -rf /tmp/x';
export const ALLOWED_COMMAND = 'ls /tmp/x';

/** A hundred rules, three of which look at the arguments of every call: none can be let through by its name. */
export function writeLlmPolicy(): string {
  return `${writePolicy(97)}
[[rule]]
action = "deny"
tool = "**"
args."**" = "**/.ssh/**"
[[rule]]
action = "deny"
server = "native"
tool = "Bash"
args.command = "**rm -rf **"
[[rule]]
action = "deny"
server = "native"
tool = "Bash"
args.command = "**curl **"
`;
}
