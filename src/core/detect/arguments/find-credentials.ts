import { findForms } from '../../dlp/find-forms.ts';
import type { Detection } from '../types.ts';
import { argumentDetection, plainDetection, type Argument } from './argument.ts';

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
  String.raw`\.config[\\/](?:gh|gcloud|hub|doctl|heroku|flyctl|railway|argocd|ibmcloud|glab-cli|doppler|1password|op|rclone|containers|chezmoi|sops|age|helm|tofu|netlify|vercel|stripe|wandb|gemini|pip)[\\/][\w./ -]{0,128}(?:config|hosts|credential|token|auth|access|rclone|keys?|oauth|session|doppler|chezmoi)[\w.-]{0,32}`,
  String.raw`(?:[\w.-]{1,64}\.)?(?:keytab|keystore|jks|p12|pfx|ppk|kdbx|kwallet|keychain(?:-db)?|agilekeychain)`,
  String.raw`(?:secrets?|credentials?|passwords?)\.(?:env|json|ya?ml|toml|ini|txt|csv|db|xml)`,
  String.raw`login data(?: for account)?|cookies\.sqlite|key[34]\.db|logins\.json|web data|local state|signons\.sqlite`,
  String.raw`(?:consolehost_history\.txt|\.(?:bash|zsh|psql|mysql|rediscli|node_repl|python)_history)`,
].join('|');

const FILE = new RegExp(`${HOME}(?:${FILES})${END}`);
/** Folders of the system that hold secrets and nothing else. */
const FOLDER =
  /(?:^|[\s"'=:@(])(?:\/etc\/(?:shadow|gshadow|sudoers|master\.passwd|krb5\.keytab|ssl\/private|ssh\/ssh_host|vault\.d)|(?:\/var)?\/run\/secrets\/|\/proc\/(?:self|\d{1,8})\/environ|[\w/.~ -]{0,200}\/library\/keychains\/|[\w:\\/. -]{0,200}[\\/]windows[\\/]system32[\\/]config[\\/](?:sam|system|security))/;
const METADATA = /(?:169\.254\.169\.254|metadata\.google\.internal|100\.100\.100\.200|fd00:ec2::254)(?=$|[/:?"'\s])/;

/** Arguments that name where credentials are kept, or that carry some: a call that reads or sends them. */
export function findCredentials(argument: Argument): readonly Detection[] {
  return [...storesIn(argument), ...secretsIn(argument)];
}

function storesIn(argument: Argument): readonly Detection[] {
  if (argument.kind === 'text') return [];
  const file = FILE.exec(argument.plain) ?? FOLDER.exec(argument.plain);
  if (file !== null && argument.kind !== 'url') {
    const description = 'the argument names a file or folder that holds credentials';
    return [plainDetection(argument, file, { rule: 'credential_theft.store_in_argument', severity: 'high', description })];
  }
  const metadata = METADATA.exec(argument.plain);
  if (metadata === null) return [];
  const description = "the address from which a cloud gives out a machine's credentials";
  return [plainDetection(argument, metadata, { rule: 'credential_theft.metadata_address', severity: 'high', description })];
}

function secretsIn(argument: Argument): readonly Detection[] {
  const span = findForms(argument.sent, false)[0];
  if (span === undefined) return [];
  const description = `a secret in an argument (${span.kind.replaceAll('_', ' ')})`;
  const [start, end] = [span.start, span.start];
  return [
    argumentDetection(argument, { rule: 'credential_theft.secret_in_argument', severity: 'high', description, start, end }),
  ];
}
