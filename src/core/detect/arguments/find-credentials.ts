import { METADATA_HOSTS } from '../words/paths.ts';
import type { Detection } from '../types.ts';
import { plainDetection, type Argument } from './argument.ts';

const HOME = String.raw`(?:^|[\s"'=:@(/\\])`;
const END = String.raw`(?=$|[\s"'/\\,;)*?])`;

/** Files that hold keys, tokens or passwords, wherever they lie. */
const FILES = [
  String.raw`id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?`,
  String.raw`\.ssh[\\/](?:authorized_keys2?|config|identity|[\w.-]{1,64}\.pem|known_hosts)`,
  String.raw`\.aws[\\/](?:credentials|config|sso|cli)`,
  String.raw`\.(?:netrc|pgpass|my\.cnf|git-credentials|npmrc|pypirc|yarnrc|htpasswd|vault-token|dockercfg|s3cfg|boto|terraformrc|envrc)`,
  String.raw`\.env(?:\.(?!example|sample|template|dist|defaults|schema|d\.ts|md)[\w-]{1,32})?`,
  String.raw`\.(?:kube|gnupg|azure|oci|password-store|terraform\.d|tsh|argocd|atlantis|op|chef|bluemix)`,
  String.raw`\.docker[\\/]config\.json`,
  String.raw`\.gem[\\/]credentials|\.cargo[\\/]credentials(?:\.toml)?|\.m2[\\/]settings(?:-security)?\.xml|\.gradle[\\/]gradle\.properties`,
  String.raw`\.terraform[\\/]credentials\.tfrc\.json|credentials\.tfrc\.json|application_default_credentials\.json|azureprofile\.json|accesstokens\.json`,
  String.raw`\.config[\\/](?:gh|gcloud|hub|doctl|heroku|flyctl|railway|argocd|ibmcloud|glab-cli|doppler|op|rclone|containers|chezmoi|sops|age|helm|tofu|netlify|vercel|stripe|pgcli|github[ -]copilot)[\\/][\w./ -]{0,128}(?:config|hosts|apps|credential|token|auth|access|rclone|keys?|oauth|session|doppler|chezmoi)[\w.-]{0,32}`,
  String.raw`(?:[\w.-]{1,64}\.)?(?:keytab|keystore|jks|p12|pfx|ppk|kdbx|kwallet|keychain(?:-db)?|agilekeychain)`,
  String.raw`(?:secrets?|credentials?|passwords?)\.(?:env|json|ya?ml|toml|ini|txt|csv|db|xml)`,
  String.raw`[\w-]{1,32}\.env|\*\.(?:pem|key|p12|pfx|jks|keystore)`,
  String.raw`user[\\/]globalstorage[\\/][\w./ -]{1,128}|user data[\\/][\w ]{1,32}[\\/](?:network[\\/])?cookies|\.mozilla[\\/]firefox[\\/][\w./-]{1,128}\.(?:sqlite|db)`,
  String.raw`(?:share|\.config|application support)[\\/](?:lastpass|1password|bitwarden|keepassxc?|enpass|dashlane|nordpass)[\\/][\w./ -]{1,128}`,
  String.raw`login data(?: for account)?|cookies\.sqlite|key[34]\.db|logins\.json|web data|local state|signons\.sqlite`,
  String.raw`(?:consolehost_history\.txt|\.(?:bash|zsh|psql|mysql|rediscli|node_repl|python)_history)`,
].join('|');

const FILE = new RegExp(`${HOME}(?:${FILES})${END}`);
/** Matches files in hidden folders of a home directory by names that tell their content. */
const IN_HOME = new RegExp(
  String.raw`(?:~|\$home|[\\/](?:home|users)[\\/][^\\/\n]{1,64}|[\\/]root)[\\/]\.(?:[\w .@-]{1,64}[\\/]){1,6}(?:[\w.-]{0,32}(?:credential|token|secret|(?<!1)passw|oauth|apikey|api_key)[\w.-]{0,32}|auth\.json|[\w.-]{0,32}mcp[\w.-]{0,32}\.json)${END}`,
);
/** Matches system folders that hold nothing but secrets. */
const FOLDER =
  /(?:^|[\s"'=:@(.])(?:\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|krb5\.keytab|ssl\/private|ssh\/ssh_host|vault\.d)|(?:\/var)?\/run\/secrets\/|\/proc\/(?:self|\d{1,8})\/environ|[\w/.~ -]{0,200}\/library\/keychains\/|[\w:\\/. -]{0,200}[\\/]windows[\\/]system32[\\/]config[\\/](?:sam|system|security))/;
const VARIABLE =
  /^\$?(?:[A-Z][A-Z0-9]{0,32}_){1,6}(?:SECRET|PASSWORD|TOKEN|(?:API|ACCESS|PRIVATE|SECRET)_KEY)(?:_[A-Z0-9]{1,16})?$/;
const METADATA = new RegExp(
  `(?:${METADATA_HOSTS.map((host) => host.replaceAll('.', String.raw`\.`)).join('|')})(?=$|[/:?"'\\s])`,
);

/** Finds arguments that name a place of credentials. Credentials themselves are for `[dlp]` to find. */
export function findCredentials(argument: Argument): readonly Detection[] {
  if (argument.kind === 'text') return [];
  const file = FILE.exec(argument.plain) ?? IN_HOME.exec(argument.plain) ?? FOLDER.exec(argument.plain);
  if (file !== null && argument.kind !== 'url') {
    const description = 'the argument mentions a place where credentials are kept';
    return [plainDetection(argument, file, { rule: 'credential_theft.store_in_argument', severity: 'high', description })];
  }
  const variable = argument.kind === 'word' ? VARIABLE.exec(argument.sent) : null;
  if (variable !== null) {
    const description = 'the argument is the name of a variable that holds a secret';
    return [plainDetection(argument, variable, { rule: 'credential_theft.variable_in_argument', severity: 'low', description })];
  }
  const metadata = METADATA.exec(argument.plain);
  if (metadata === null) return [];
  const description = "the address of a cloud's metadata service, which hands out credentials";
  return [plainDetection(argument, metadata, { rule: 'credential_theft.metadata_address', severity: 'high', description })];
}
