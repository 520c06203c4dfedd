/** Programs that injected commands run, as alternatives of an expression. */
export const PROGRAMS =
  'cat|curl|wget|nc|ncat|netcat|sh|bash|zsh|dash|ksh|pwsh|powershell|cmd|python3?|perl|ruby|node|php|rm|mv|cp|chmod|chown|sudo|su|id|whoami|uname|env|printenv|ls|ping|nslookup|dig|kill|echo|printf|touch|tee|dd|base64|eval|exec|sleep|mkfifo|crontab|scp|ssh|rsync|tftp|find|xargs|awk|sed|reboot|shutdown|type|dir|del|certutil|bitsadmin';
