/** Allows all that the suites do, with rules that must look into it to see so. */
export const POLICY = `
[defaults]
action = "allow"

[[rule]]
action = "deny"
tool = "**"
args."**" = "**/.ssh/**"

[[rule]]
action = "deny"
resource = "file:///etc/**"

[[rule]]
action = "deny"
prompt = "secret_*"

[[rule]]
action = "deny"
method = ["sampling/createMessage", "elicitation/create"]
args."**" = "**password**"
`;
