import type { Detection } from '../types.ts';
import { plainDetection, type Argument } from './argument.ts';

const PROGRAMS =
  'cat|curl|wget|nc|ncat|netcat|sh|bash|zsh|dash|ksh|pwsh|powershell|cmd|python3?|perl|ruby|node|php|rm|mv|cp|chmod|chown|sudo|su|id|whoami|uname|env|printenv|ls|ping|nslookup|dig|kill|echo|printf|touch|tee|dd|base64|eval|exec|sleep|mkfifo|crontab|scp|ssh|rsync|tftp|find|xargs|awk|sed|reboot|shutdown|type|dir|del|certutil|bitsadmin';

/** A separator of commands and a program behind it; a substitution; a redirection to a file of the system. */
const INJECTION = new RegExp(
  String.raw`(?:;|\|\|?|&&?|\n|%0a)\s{0,8}(?:${PROGRAMS})(?=$|[\s;|&<>"'])|\$\([^()\n]{1,256}\)|\x60(?:(?:${PROGRAMS})(?=[\x60\s])|[^\x60\s]{1,64}[ ])[^\x60\n]{0,256}\x60|\$\{ifs\}|[<>]\([^()\n]{1,256}\)|>{1,2}\s{0,4}/(?:etc|dev|root|home|tmp)/`,
);
/** Shell syntax in arguments that name something: a server that puts them into a command runs what is behind. Commands, code and texts are what they are for. */
export function findInjection(argument: Argument): readonly Detection[] {
  if (argument.kind === 'text' || argument.kind === 'command') return [];
  const match = INJECTION.exec(argument.plain);
  if (match === null) return [];
  if (argument.kind === 'url' && match[0].startsWith('&')) return [];
  const description =
    'shell syntax in an argument that names something: a server that builds a command of it runs what is behind';
  return [plainDetection(argument, match, { rule: 'shell_injection.argument', severity: 'medium', description })];
}
