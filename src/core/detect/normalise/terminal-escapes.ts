/**
 * Matches control sequences of terminals (ECMA-48 §5.4 and §5.6): CSI with its parameters, OSC, DCS, SOS, PM and APC with their text up to
 * ST or BEL, two-character escapes. Of a string without an end within 4,096 characters, only the introducer is matched.
 */
export const TERMINAL_ESCAPE =
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])(?:[^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c))?|\x1b[ -/]{0,8}[0-Z\\`-~]/g;
