import { schemaLine } from './schema-files.ts';

/** The config that `clawai init` writes: all settings at their defaults and commented out, so that later defaults count as well. */
export const CONFIG_TEMPLATE = `${schemaLine('config')}
# How clawai runs; what is allowed is in policy.toml beside this file.
# Each line shows a default: remove the # in front of what you change. A server counts with it from its next start.

# "observe" decides and records, and lets everything pass.
#mode = "enforce"

# What becomes of a call that can't be decided or recorded; "allow" lets it pass.
#on_error = "deny"

# The folder in which clawai keeps what it remembers; an absolute path, ~ is your home.
#state_dir = "~/.local/state/clawai"

# Where \`clawai serve\` takes requests; port 0 takes any that is free.
#listen = "127.0.0.1:8787"

#[serve]
# Further names by which it is reached.
#hosts = []

#[llm]
# "disabled": what models call is neither decided nor recorded.
#mode = "embedded"
# Keep what is said to models and by them, without secrets, and for how long.
#store_bodies = false
#retain = "30d"
# A table [llm.providers.anthropic], [llm.providers.openai] or [llm.providers.gemini] gives \`clawai serve\` a URL for what speaks to that provider.

#[limits]
# The longest message, 64 KiB to 256 MiB; longer ones are refused.
#message = "32 MiB"
# Objects and lists inside each other in a message, 16 to 512.
#depth = 128
# The longest event of a stream, 64 KiB to 64 MiB.
#frame = "16 MiB"

#[audit]
# What a recorded event survives: the end of any process, or with "full" also that of the machine.
#sync = "normal"
# How long events are kept, and how much room they may take.
#retain = "90d"
#max_size = "1 GiB"
# true also writes each event as a line to events.jsonl in state_dir; or the path of a file.
#jsonl = false
`;
