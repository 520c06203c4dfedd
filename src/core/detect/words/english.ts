import type { Concept } from '../engine/concepts.ts';

/** Words and phrases by concept, separated by `|`. Verbs are in their base form; other forms are found by their endings. */
export const ENGLISH: Readonly<Partial<Record<Concept, string>>> = {
  override:
    'ignore|disregard|forget|override|overrule|bypass|abandon|discard|neglect|supersede|circumvent|nullify|evade|toss|dismiss|sidestep|' +
    "pay no attention to|set aside|stop following|do not follow|don't follow|no longer follow|throw out|unlearn|violate|disobey|defy|subvert",
  undo: 'skip|skip over|replace|overwrite|drop|suppress|disable|turn off|cancel|remove|relax|suspend|switch off|loosen|avoid|without|no',
  prior:
    'previous|prior|earlier|preceding|above|existing|original|former|foregoing|pre-existing|before this|they told|you were told|told before|other|old|initial|current',
  kept: 'existing|other',
  instr:
    'instruction|rule|directive|guideline|policy|constraint|restriction|safeguard|programming|guidance|prompt|limitation|mandate|conditioning|alignment|system-level directive|direction',
  words:
    'order|request|task|context|command|message|input|training|content|text|protocol|document|summary|setting|preference|safety|translation|limits|scope',
  sysprompt:
    'prompt you were given|prompt that you were given|prompt you got|prompt that you got|instructions you were given|instructions that you were given|system prompt|system message|system instruction|developer message|developer prompt|initial prompt|your instructions|hidden prompt|system directive|system-level directive|meta prompt|base prompt|pre-prompt|preprompt',
  safety:
    'safety|security|permission|content|moderation|access|safe|ethical|authorization|authentication|alignment|ethics|approval',
  check:
    'check|filter|filtering|validation|guideline|policy|control|restriction|guardrail|moderation|safeguard|protection|limit|sanitization|measure|barrier|review|constraint|mechanism|rule|instruction|limiter',
  void: "void|suspended|disabled|withdrawn|retired|obsolete|invalid|superseded|revoked|cancelled|canceled|nullified|null and void|non-authoritative|no longer apply|no longer valid|no longer relevant|do not apply|don't apply|doesn't apply|not apply|irrelevant|expired|not binding|lapsed|have lapsed|no longer bind|no longer binding|do not bind|don't bind|out the window|don't really apply|outdated|overridden|deprecated",
  younow:
    "you are now|you're now|you are no longer|from now on|from this point|starting now|henceforth|going forward|you are dan|you now have|you have been|you will now|your new role|your new identity|from the moment|while this tool is loaded|as long as this tool|think of yourself|consider yourself|you have root|you have admin|you have full|you're basically",
  adopt:
    'adopt|assume|take on|act as|pretend to be|pretend that|roleplay as|role-play as|become|impersonate|behave as|simulate|respond as|embody|pose as|operate as|act like|answer as',
  persona:
    'persona|maintenance operator|no content limits|no content policy|character|identity|alter ego|personality|jailbroken|evil twin|hacker|admin|administrator|root|superuser',
  mode:
    'developer mode|unrestricted|unrestricted mode|maintenance mode|admin mode|god mode|debug mode|sudo mode|jailbreak|jailbroken|uncensored|do anything now|no restrictions|without restriction|without restrictions|without limitation|' +
    'no limits|no rules|unfiltered|dan mode|dan prompt|as dan|are dan|called dan|dev mode|safe mode off|root mode|privileged mode|override mode|unlimited mode|no filter|amoral|unrestricted agent|unrestricted assistant|unrestricted ai|no content policy',
  newtask:
    'new task|real task|true task|actual task|your task is|your true purpose|true purpose|real purpose|new instruction|new directive|new rule|new system prompt|your new goal|actual goal|real goal|true goal|real instruction|actual instruction|new objective|updated instruction|new mission|following instead|your task has changed|task has changed|plans have changed|plan has changed|real user message|actual user message|real message|actual message|real request|actual request|true request|do the following first|following task|your goal is now|primary objective|core instruction|secondary objective|special instruction|operating parameters|following steps first|new order|your only task|your next task|hidden task|secret task|main task|top priority task',
  grant:
    'admin access|root privileges|root access|administrator privileges|full system privileges|elevated privileges|full permissions|full system permissions|elevated rights|full access|admin privileges|elevated permissions|superuser access|unrestricted access|full system access|system privileges|privileged context',
  user: 'user|human|customer|operator|end user|end-user|anyone|anybody|owner|them|people|person|users|developer|reviewer|administrator|client|nobody|me|person you work for|person you serve|whom you assist|whom you serve|person you help|principal|person in charge|account holder|whoever asked|requester|one you work for',
  tell: 'tell|mention|inform|notify|disclose|alert|say|explain|let know|bring up|bring it up|acknowledge|announce|advise|admit|speak|warn|bother|trouble|let on|breathe a word|volunteer|bring to|flag|draw attention|drawing attention|call attention|calling attention|point out|make reference|reference|references|highlight|flagging',
  show: 'show|reveal|display|expose|report|surface|describe|discuss|output',
  neg: "not|never|don't|dont|do not|must not|mustn't|avoid|refrain|cannot|can't|no need to|no need|nor|refrains from|won't|shouldn't|should not|needn't|needs not|none",
  hidden:
    "silently|secretly|quietly|covertly|stealthily|unnoticed|discreetly|unbeknownst|surreptitiously|invisible|invisibly|transparently|behind the scenes|without their knowledge|without user's knowledge|not visible|without mentioning|without telling|without explaining|without alerting|without disclosing|out of your replies|out of your reply|out of your response|out of your answer|without any notice|without notifying|without informing|conceal|unaware|not aware|undisclosed|stealth|hide it|hide this|hide that|hide these|hide them|hiding it|hiding this|without being noticed|under the radar|inconspicuously|imperceptible|clandestine|out of your summary|out of summary|out of reply|out of answer|out of your report|out of sight|on the sly|on the quiet|no trace|no traces|leave no|cover tracks|without trace",
  keep: 'keep|remain|stay|leave|make|must be|should be|is|are|be',
  hush: 'secret|confidential|private|between us|between ourselves|internal|to yourself|hidden|invisible|quiet',
  aware:
    'see|aware|know|notice|visible|shown|seen|informed|told|notified|learn|suspect|hear|find out|realise|realize|discover|bothered|troubled|wiser',
  ask: 'ask|prompt|request|consult|check|confirm|tell|urge|persuade|convince|query',
  this: 'this|it|that|these|so|anything|any of this',
  request: 'request|requests|network request|http request|api call|call',
  command: 'command|commands|script|scripts|code|shell|bash|terminal|program|payload|binary|query',
  impersonal: 'is|are|will|was|were|be|being',
  tagchat:
    'im_start|im_end|endoftext|system_message|eot_id|start_header_id|end_header_id|start_of_turn|end_of_turn|inst]|sys>>|hidden_instruction',
  secretpath:
    'id rsa|ssh id|ssh config|ssh folder|etc passwd|etc shadow|dot env|env file|dotenv|aws credentials|mcp json|mcp config|bash history|kube config|netrc|shadow file|ssh directory|browser cookies|*.env|*.pem|*.key|.ssh',
  secretword:
    'password|passphrase|passcode|credential|credentials|creds|secret|secrets|api key|api-key|apikey|api_key|api keys|api_keys|access key|access_key|secret key|secret_key|secret_access_key|private key|private_key|ssh key|ssh_key|access token|access_token|auth token|auth_token|' +
    'authentication token|session token|session_token|bearer token|refresh token|api token|oauth token|github token|jwt|session cookie|cookies|session id|seed phrase|mnemonic|recovery phrase|card number|credit card|credit cards|cvc|cvv|ssn|social security number|backup phrase|recovery code|recovery codes|card numbers|root password|expiry dates|pin code|security code|' +
    'verification code|one-time code|otp|2fa code|passport number|bank account number|encryption key|signing key|wallet key|login details|login data|ssh keys|private keys|keychain|password hashes|keystore|vault|master password|connection string|connection strings|passport|iban|ibans|private information',
  token: 'token|key|keys|tokens|cookie|login|wallet',
  envvar:
    'environment variable|environment variables|env variable|env variables|env vars|env var|printenv|process.env|os.environ|environ|env|environment secrets',
  conv: "conversation|chat history|conversation history|dialog history|dialogue history|message history|previous messages|user messages|user message|chat log|chat logs|chat transcript|session context|conversation context|context window|chat|dialog|dialogue|transcript|earlier messages|prior messages|session history|messages exchanged|tool call history|chat context|prompt history|user prompt|user prompts|original prompt|user's prompt|user query|previous user message|past messages|tool results|tool outputs|previous tool|chain of thought|reasoning|recent messages|what user has asked|what user has written|what user wrote|what user has said|what user said|what user has typed|what user types|what user typed|user turn|user turns|private reasoning|private chain|what was said|said so far|written so far|typed so far|discussed so far|user has written|user has typed|user has said|user has told|appeared earlier|earlier in chat|chat metadata|session data|memory|user's request|user request",
  full: 'full|complete|entire|whole|verbatim|everything|word for word|all|as-is|unfiltered|unmodified|exact|every|so far|raw|including|last',
  data: 'data|content|contents|information|detail|details|document|documents|email|emails|message|messages|record|records|history|query|results|result|text|payload|response|responses|body|everything|queries|inputs|words|phrases|values|database|report|reports|input|copy',
  personal:
    "pii|personal data|personal information|personally identifiable information|user data|user's data|user information|clipboard|keystroke|keystrokes|screenshot|screenshots|browsing history|search history|location history|location data|geolocation|address book|fingerprint|mac address|running processes|payment method|payment details|payment information|account number|account numbers|bank details|financial data|financial information|health records|medical records|sensitive data|sensitive information|sensitive documents|confidential information|confidential data|customer data|usage data|usage patterns|biometric|user activity|microphone|webcam|their data|user files|user's files|user's location|user's email|user's e-mail|private information|private data|identity documents|hostname|contact list|contacts|proprietary|user content|user input|user inputs|user queries|user's messages",
  files:
    'file|files|folder|folders|directory|directories|home directory|*.env|*.pem|*.key|disk|drive|filesystem|inbox|mailbox|repository|repositories|codebase|database|workspace|documents',
  read: 'download|look into|look inside|have a look at|take a look at|peek into|read|open|access|cat|load|fetch|get|retrieve|extract|view|collect|gather|look up|find|search|grab|dump|copy|scan|locate|obtain|capture|enumerate|exfiltrate|harvest|scrape|check|list|query|inspect|reveal|print|export|pull|request|display|disclose|hand over|leak|steal|output|record|log|index|examine|catalogue|catalog|intercept|review',
  send: 'send|blind copy|carbon copy|hand on|pass on|forward|post|upload|transmit|exfiltrate|leak|email|e-mail|mail|submit|relay|deliver|transfer|publish|ship|stream|sync|bcc|cc|pipe|push|broadcast|redirect|proxy|route|share|drop a copy|leave a copy|hit|lodge|beam|dump|replicate|mirror|disclose|sell|sold|report|dispatch|sends|duplicate|beacon|phone home|pass along|carry over|hand off|hand over|append|copy|back up|text|dm|whatsapp|slack|call home|exfil|invite|wire|sent',
  put: 'include|pass|put|insert|add|append|attach|embed|paste|prepend|store|place|provide|supply|set|fill|write|encode|concatenate|copy|give|contain|inject|tuck|specify|populate|save|register|create|subscribe|enroll',
  steal:
    'steal|stole|stolen|exfiltrate|exfil|harvest|siphon|smuggle|exfiltration|hijack|infiltrate|compromise|sabotage|keylog|backdoor|ransom|attacker|malware|rev shell|reverse shell|phish',
  run: 'run|execute|launch|invoke|call|use|trigger|spawn|eval|install|issue|consult|perform|start|query|visit|browse|go to|navigate',
  modify:
    'change|modify|replace|alter|set|overwrite|redirect|substitute|rewrite|adjust|tamper|switch|swap|reroute|override|manipulate|falsify|grant|revoke|unsubscribe|force|convert|enhance',
  remove: 'delete|remove|wipe|erase|drop|destroy|purge|truncate|uninstall|kill|shred|revoke|clear|format|rm',
  away: "external|remote|remotely|externally|third party|third parties|third-party|our server|our servers|our cloud|our analytics|our partner|our partners|our collection|our marketing|our endpoint|our backend|our database|our systems|our team|analytics|partners|marketing|advertisers|advertiser|data broker|collection server|attacker|telemetry|elsewhere|logging endpoint|research team|aggregation server|ngrok|pastebin|dns|off-site|offsite|collector|attacker's|tunnel|c2|command and control|affiliates|data lake|headquarters|model provider|mirror|advertising|webhook|webhook endpoint|public|via cloud|marketing database",
  decode: 'decode|decrypt|rot13|unescape|deobfuscate|base64|decoded|rot-13|deserialize|unhex|hex-decode',
  store:
    'log|store|record|retain|cache|archive|index|catalogue|save|track|persist|keep|collect|maintain|remember|cached|accumulate|aggregate|monitor|profile|capture',
  pay: 'pay|transfer|transaction|money|payment|wire|purchase|buy|refund|order|donate|checkout|add_to_cart|subscription|reservation|book|reserve|approve|merge|unlock|disarm|settle|hire|gift card|bitcoin|crypto',
  click: 'click|visit|verify|restore|navigate|open|browse|log in|sign in|go to|re-enter|update|subscribe|download|install',
  shellcmd:
    'curl|wget|netcat|ncat|sudo|chmod|chown|rm -rf|rm -fr|invoke-webrequest|iwr|iex|powershell|nc -e|nc|scp|rsync|mkfifo|crontab|base64 -d|base64 --decode|ssh-keyscan|cat /etc|cat ~|subprocess|child_process|os.system|os.popen|subprocess.popen|subprocess.run|eval|printenv|whoami|socat|telnet|python -c|python3 -c|perl -e|node -e|bash -i|bash -c|sh -c|echo $path|net.webclient|downloadstring|dd if|export|nslookup|dig',
  pipe: '&&|then|$(',
  shell: 'sh|bash|zsh|/bin/sh|/bin/bash|cmd.exe|powershell|pwsh|shell|terminal|python|python3|ash|dash|node|perl',
  danger:
    'rm -rf|rm -fr|chmod 777|chmod -r|mkfs|:(){|no-preserve-root|drop table|/dev/tcp|encodedcommand|base64 -d|base64 --decode|downloadstring|invoke-expression|bash -i|nc -e|sudo -l|nc -l|reverse shell|bind shell',
  append: '>>|append|add|write|save|put|insert|install|update|store|echo|create|edit|prepend|modify',
  must: 'must|have to|need to|needs to|shall|required to|should|ought to|be sure to|make sure|has to|ensure|mandatory|required|is to|always|never|obligated|necessary|be certain to|essential|remember to|are to|are obliged to|is obliged to|obliged|required step|going to|requirement',
  please:
    'please|kindly|pls|go ahead and|just|i need you to|i want you to|you need to|could you|would you|can you|be sure to|proceed to|feel free to|mind|simply|i need to|in order to',
  important:
    'important|critical|urgent|warning|attention|mandatory|alert|crucial|highest priority|highest-priority|action required|!!!|very important|urgently|authoritative|emergency|notice|priority',
  before: 'before|prior to|first|beforehand|initially|prerequisite|in advance|preliminary|ahead of|precondition|first step',
  when: 'when|whenever|if|while|once|after|upon|every time|each time|until|as soon as|on the next|next time|during|everytime|unless|in case|where',
  always: 'always|automatically|invariably|directly|at all times|silently|every time|consistently',
  lead: 'and|then|also|additionally|likewise|now|just|simply|to|or|next|afterwards|secretly|silently|quietly|automatically|immediately|always|directly|instead|finally|please|first|must|should|will|shall|can|ai|assistant|agent|model|you|urgently|quickly|kindly|instead:|strictly|proceed|so|do',
  also: 'also|additionally|as well|too|furthermore|moreover|in addition|simultaneously|automatically|along with|while doing so|at the same time|in parallel|plus|as part of|in the background|during|concurrently|besides|separately|continuously|by default|then|on top of',
  now: 'now|immediately|instead|right away|asap|at once|next',
  youself: 'you|your|yourself|assistant|agent|model|ai|llm|claude|gpt|chatgpt|gemini|copilot|i',
  tool: 'tool|tools|servers|function|functions|plugin|skill|plugins|extension|command|endpoint|operation|action',
  other: 'other|others|another|any other|built-in|builtin|alternative|alternatives|competing|competitor|rival|native|fallback',
  instead: 'instead|rather than|in place of|in preference|in lieu|ahead of',
  prefer: 'prefer|choose|favor|favour|select|pick|prioritize|prioritise|rely on|default to|preferred|recommend|use|call',
  only: 'only|sole|exclusively|solely|best|superior|official|preferred|recommended|authoritative|must|trusted|verified|better',
  param:
    'iban|recipient account|parameter|argument|field|value|recipient|destination|url|address|query|ticker|name|amount|header|arg|variable|metadata|bcc|cc|body|account|beneficiary|setting|price|quantity|limit|location|input|path|parameters|arguments|param|params|recipients',
  output:
    "output|response|result|results|answer|reply|return value|returned|tool output|returned context|payload|this tool's output|return|returns",
  answer: 'response|answer|reply|replies|output|responses|answers|result|results|message|report|summary',
  regardless:
    'regardless|no matter|irrespective of|whether or not|irrespective|even if|even when|whatever|despite|ignoring|user-specified|in spite|overriding',
  excuse:
    'quality assurance|compliance|audit|auditing|audit trail|telemetry|service improvement|product improvement|continuous improvement|improve|optimization purposes|analytics|analytics purposes|calibration|personalization|diagnostics|training purposes|model training|regulatory|optimal performance|data integrity|security purposes|compatibility|better results|collision avoidance|safe cloud storage|low-latency|service quality|synchronization|entropy|backup purposes|testing purposes|for testing|proxying|quality of service|user experience|enhance|caching purposes|optimization|indexing|aggregation|research|enrichment|future use|session continuity',
  detail:
    'implementation detail|internal detail|system requirement|internal process|background step|background optimization|technical detail|not user-facing|user-facing|pre-validated|already been validated|already approved|pre-approved|transparent|routine|dev note|developer note|internal note|temporary backend|backend change',
  crash:
    'crash|not work|stop working|be lost|data loss|will fail|malfunction|corrupted|corruption|not function|terminated|broken|be denied|be blocked|shut down|be suspended|upset|serious consequences|legal consequences',
  without: 'without|no need to|skip|skipping|bypass|bypassing|no need|omit|unnecessary|not necessary|not needed',
  confirm:
    'confirmation|approval|consent|permission|confirm|approve|authorization|asking|ask|prompting|checking with|check with|confirming|verification|review|permissions|oversight|approved|user confirmation|consulting|human in loop|approvals|confirmations|filtering|sanitization|sign-off|sign off|signing off|go-ahead|confirmation dialog|confirmation dialogs|approval prompt|approval prompts|approval dialog|agreed|agree|consented|second look|double check|double-check',
  persist:
    'crontab|cron job|startup|shell profile|memory|memories|long-term memory|knowledge base|git hook|login item|registry run|system prompt|agent instructions|project instructions|rules file|startup script|autostart|config file|environment configuration|settings file|instructions file|claude.md|agents.md|gemini.md|cursorrules|.cursorrules|bashrc|zshrc|custom instructions|shell configuration|trusted list|allowlist|whitelist',
  future:
    'future session|future sessions|every session|later session|later sessions|all future|next session|next message|next response|next turn|next call|next interaction|next tool call|next run|next user message|next conversation|future conversations|future requests|future interactions|permanently|persistently|persistent|subsequent|' +
    'later|from now on|remainder|rest of the session|rest of this session|rest of the conversation|every response|all responses|every later|every reply|all subsequent|going forward|user next|future|hereafter|ongoing|any later|henceforth|for all time',
  ai: 'ai|assistant|agent|llm|model|claude|gpt|chatgpt|chatbot|copilot|language model|bot|agents|assistants|ai model|gemini|llms|ais|ai systems|automated|ai tool|language models|bots|llm reviewer|ai reviewer|screening software|summariser|summarizer|chat helper|autonomous agents|automated consumers|automated clients',
  note: 'note|notice|message|attention|reminder|instruction|instructions|directive|important message|memo|hint|remark|aside|dear|hey|hello',
  follow:
    'follow|do whatever|do what|do as|whatever it says|what it says|as it says|act upon|obey|comply|execute|adhere|treat|trust|act on|carry out|abide|run|perform|strictly adhere|evaluate|apply|respect|implement',
  system:
    'system|admin|administrator|developer|maintenance|operator|internal|platform|protocol|kernel|sysadmin|superuser|core|root|security|server',
  todo: 'todo|to-do|action item|action required|next_step|next step|task',
  example: 'e.g.|eg|for example|example|examples|such as|i.e.|for instance|sample|returns an error|documentation|demo|like',
  guard:
    "audits|dependencies|leaked|detect|detector|mitigate|redact|mask|masked|attackers|malicious tools|vulnerability|vulnerabilities|jailbreak attempts|injection attempts|injection|classifier|audit tool|threats|scanner|never share|requires explicit|explicit consent|obtaining explicit|subject to|within existing|does not|doesn't|is not|no conversation content|are not|abuse|misuse|example:",
  ban: "do not|don't|dont|never|must not|mustn't|should not|shouldn't|shall not|avoid|refrain|no need to|needn't|need not|not to|and not|won't|will not|may not|under no circumstances|no need",
  place:
    'server|servers|endpoint|cloud|webhook_url|backend|bucket|s3|company|monitoring|proxy|central|vendor|partner|vault|hook|repository|gist|channel|database|storage',
  over: 'over|above',
  autoyes:
    'answer yes|say yes|auto approve|auto confirm|approve automatically|on behalf user|reply yes|press yes|click yes|yes to all|pre approved',
  call: 'call|invoke|execute|trigger|run',
  human: 'human',
  enter: 'verify|provide|confirm|re-enter|update|supply|share|give',
  asked:
    "question you were given|question that you were given|task you were given|task that you were given|what you were given|question of user|question of your user|what you were asked|what you were told|what you have been asked|what you have been told|what user asked|what user wants|what user wanted|user's request|user request|request of user|original request|original question|" +
    "what you've been asked|what you've been told|request at hand|task at hand|what was requested|what you were doing",
  reader:
    'reading this|processing this|screening this|summarising this|summarizing this|reviewing this|parsing this|who reads this|that reads this|reading these|reading article|reading notes|reading page|reading review|reading row|reading ticket|reading mail|that sorts|who sorts|sorting this|summing up|that sums up|that transcribe|that transcribes|transcribing this|skimming this|that digests|that files|that handles|answering this|evaluating this|handling this|analysing this|analyzing this|who processes this|that processes this|' +
    'who summarises this|that summarises this|that summarizes this|indexing this|ingesting this|reads this|working through this|working on this',
  already:
    'already|waived|beforehand|in advance|previously|once and for all|standing|permanently|pre-approved|preapproved|satisfied',
  silence:
    'omit this from|omit it from|omit that from|not be mentioned|without mention|nobody has to|nobody needs to|no one has to|no one needs to|needs no mention|say nothing|tell nobody|tell no one|keep quiet|stay silent|remain silent|keep silent|stay quiet|keep mum|not a word|no word|leave unmentioned|leave unsaid|no mention|say only|mention only|keep that out|keep it out of|keep this out|goes unnoticed|goes unmentioned|hold your tongue|keep it to yourself|keep this to yourself|keep that to yourself',
  success:
    'successful|successfully|succeeded|succeeds|success|harmless|flawless|flawlessly|went well|without problem|without issue|nothing wrong|no issues|no problems|all is well|in order|as planned',
  playdown:
    'play it down|play down|downplay|make light|wave aside|wave it through|brush off|brush it off|explain away|explain it away|talk down|shrug off',
  ambient:
    'of process|of this process|running process|process environment|your environment|current environment|host environment|on this machine|of this machine|on host|this session|current session|you have seen|you saw|seen so far|you can find|you know of|you hold|you have access|available to you|within reach|come across',
  outlet:
    'subdomain|subdomains|dns query|dns lookup|dns record|query string|query parameter|user agent|image url|image address|url path|link target|hostname lookup|commit message|branch name|referer|referrer',
  repeat: 'repeat|recite|reproduce|restate|echo|quote|spell out|print|write out|return|reprint|regurgitate|give back',
  stranger: 'strangers',
  outrank:
    'outrank|takes precedence over|take precedence over|takes priority over|take priority over|has priority over|have priority over|precedence over|stands above|stand above|trumps|rank above|ranks above',
  memory: 'memory|memories|long-term memory|knowledge graph',
};
