/** A secret in a text: UTF-16 positions from `start` up to `end`. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  /** The kind of secret, for the marker that replaces it. */
  readonly kind: string;
}

/** The form of one kind of secret. */
export interface SecretForm {
  /** Its name in the audit's markers. */
  readonly kind: string;
  /** Texts with which all of them begin: strings are searched for these first. Case counts. */
  readonly markers: readonly string[];
  /**
   * Tried at a marker. The group `secret`, or the whole match without one, is redacted. It matches more than the issuer's exact length, so
   * that nothing of a longer or a mistyped one is left, and takes time in proportion to its match or to a small bound, since the text comes
   * from a model.
   */
  readonly form: RegExp;
  /** Set if its prefix is short or could end a word (`sk-`, `npm_`): it only counts at the start of a word. */
  readonly startsWord?: boolean;
}

/** Prefixes as the issuers document them; private keys and JWTs, which take more than a pattern, are in `find-forms.ts`. */
export const SECRET_FORMS: readonly SecretForm[] = [
  { kind: 'github_token', markers: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], form: /gh[a-z]_[\w.-]{16,}/y },
  { kind: 'github_token', markers: ['github_pat_'], form: /github_pat_\w{16,}/y },
  {
    kind: 'gitlab_token',
    markers: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-', 'glagent-', 'glft-', 'gloas-', 'glimt-', 'glffct-'],
    form: /gl[a-z]+-[\w.-]{16,}/y,
  },
  {
    kind: 'slack_token',
    markers: ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    form: /x[a-z]{3}[-.][\w.%-]{10,}/y,
  },
  {
    kind: 'webhook',
    markers: ['hooks.slack.com/', 'api/webhooks/', 'webhook.office.com/'],
    form: /(?:hooks\.slack\.com\/[a-z]+\/|api\/webhooks\/|webhook\.office\.com\/)(?<secret>[\w/@%.-]{16,})/y,
  },
  { kind: 'anthropic_key', markers: ['sk-ant-'], form: /sk-ant-[\w-]{8,}/y },
  { kind: 'api_key', markers: ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], form: /sk-[a-z]+-[\w-]{40,}/y },
  { kind: 'api_key', markers: ['sk-'], startsWord: true, form: /sk-(?=[a-z-]{0,24}[A-Z0-9_])[\w-]{16,}/y },
  {
    kind: 'stripe_key',
    markers: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    form: /(?:.k_[a-z]+|whsec)_[\w+/=]{10,}/y,
  },
  { kind: 'google_api_key', markers: ['AIza'], form: /AIza[\w-]{30,}/y },
  { kind: 'google_token', markers: ['ya29.', 'GOCSPX-'], form: /(?:ya29\.|GOCSPX-)[\w.-]{16,}/y },
  { kind: 'aws_access_key', markers: ['AKIA', 'ASIA', 'ABIA', 'ACCA'], startsWord: true, form: /A[A-Z]{3}[A-Z0-9]{12,}/y },
  { kind: 'npm_token', markers: ['npm_'], startsWord: true, form: /npm_[A-Za-z0-9]{30,}/y },
  { kind: 'pypi_token', markers: ['pypi-'], form: /pypi-[\w-]{30,}/y },
  { kind: 'rubygems_key', markers: ['rubygems_'], form: /rubygems_[a-f0-9]{30,}/y },
  { kind: 'docker_token', markers: ['dckr_pat_', 'dckr_oat_'], form: /dckr_.at_[\w-]{16,}/y },
  { kind: 'huggingface_token', markers: ['hf_', 'api_org_'], startsWord: true, form: /(?:hf|api_org)_[A-Za-z0-9]{30,}/y },
  { kind: 'groq_key', markers: ['gsk_'], startsWord: true, form: /gsk_[A-Za-z0-9]{30,}/y },
  { kind: 'xai_key', markers: ['xai-'], startsWord: true, form: /xai-[A-Za-z0-9]{30,}/y },
  { kind: 'perplexity_key', markers: ['pplx-'], form: /pplx-[A-Za-z0-9]{30,}/y },
  { kind: 'nvidia_key', markers: ['nvapi-'], form: /nvapi-[\w-]{30,}/y },
  { kind: 'replicate_token', markers: ['r8_'], startsWord: true, form: /r8_[A-Za-z0-9]{30,}/y },
  { kind: 'sendgrid_key', markers: ['SG.'], startsWord: true, form: /SG\.[\w-]{16,}[\w.-]*/y },
  { kind: 'mailgun_key', markers: ['key-'], startsWord: true, form: /key-[a-f0-9]{32,}/y },
  { kind: 'twilio_key', markers: ['SK'], startsWord: true, form: /SK[a-f0-9]{32,}/y },
  { kind: 'telegram_token', markers: [':AA'], form: /(?<=\d{8,12}):(?<secret>AA[\w-]{30,})/y },
  { kind: 'digitalocean_token', markers: ['dop_v1_', 'doo_v1_', 'dor_v1_'], form: /do._v1_[a-f0-9]{32,}/y },
  { kind: 'shopify_token', markers: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], form: /shp[a-z]{2}_[A-Za-z0-9]{20,}/y },
  { kind: 'square_token', markers: ['sq0atp-', 'sq0csp-'], form: /sq0[a-z]{3}-[\w-]{20,}/y },
  { kind: 'grafana_token', markers: ['glsa_', 'glc_'], form: /gl(?:sa|c)_[\w+/=]{20,}/y },
  { kind: 'sentry_token', markers: ['sntrys_', 'sntryu_'], form: /sntry._[\w+/=]{20,}/y },
  { kind: 'vault_token', markers: ['hvs.', 'hvb.', 'hvr.'], startsWord: true, form: /hv.\.[\w-]{20,}/y },
  { kind: 'databricks_token', markers: ['dapi'], startsWord: true, form: /dapi[a-f0-9]{30,}(?:-\d)?/y },
  { kind: 'atlassian_token', markers: ['ATATT3', 'ATCTT3'], form: /AT.TT3[\w=-]{20,}/y },
  { kind: 'linear_key', markers: ['lin_api_', 'lin_oauth_'], form: /lin_[a-z]+_\w{20,}/y },
  { kind: 'notion_token', markers: ['ntn_'], startsWord: true, form: /ntn_[A-Za-z0-9]{30,}/y },
  { kind: 'figma_token', markers: ['figd_'], form: /figd_[\w-]{20,}/y },
  { kind: 'postman_key', markers: ['PMAK-'], form: /PMAK-[a-f0-9-]{20,}/y },
  { kind: 'tailscale_key', markers: ['tskey-'], form: /tskey-[\w-]{16,}/y },
  { kind: 'posthog_key', markers: ['phx_'], startsWord: true, form: /phx_\w{20,}/y },
  { kind: 'onepassword_token', markers: ['ops_ey'], startsWord: true, form: /ops_ey[\w+/=-]{40,}/y },
  { kind: 'onepassword_key', markers: ['A3-'], startsWord: true, form: /A3-[A-Z0-9]{6}-[A-Z0-9-]{20,32}/y },
  {
    kind: 'vercel_token',
    markers: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
    startsWord: true,
    form: /vc[a-z]_[A-Za-z0-9]{20,}/y,
  },
  { kind: 'cloudflare_token', markers: ['cfk_', 'cfut_', 'cfat_'], startsWord: true, form: /cf[a-z]{1,2}_[A-Za-z0-9]{40,}/y },
  { kind: 'supabase_key', markers: ['sbp_', 'sb_secret_'], startsWord: true, form: /sb(?:p|_secret)_\w{20,}/y },
  { kind: 'netlify_token', markers: ['nfp_'], startsWord: true, form: /nfp_[A-Za-z0-9]{30,}/y },
  { kind: 'planetscale_token', markers: ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], form: /pscale_[a-z]+_[\w.-]{30,}/y },
  { kind: 'doppler_token', markers: ['dp.pt.', 'dp.st.', 'dp.ct.'], startsWord: true, form: /dp\..t\.[\w.-]{30,}/y },
  { kind: 'pulumi_token', markers: ['pul-'], startsWord: true, form: /pul-[a-f0-9]{40,}/y },
  { kind: 'new_relic_key', markers: ['NRAK-'], startsWord: true, form: /NRAK-[A-Z0-9]{20,}/y },
  { kind: 'heroku_key', markers: ['HRKU-'], startsWord: true, form: /HRKU-[\w-]{30,}/y },
  { kind: 'buildkite_token', markers: ['bkua_'], startsWord: true, form: /bkua_[a-z0-9]{30,}/y },
  { kind: 'circleci_token', markers: ['CCIPAT_', 'CCIPRJ_'], form: /CCIP[A-Z]{2}_\w{20,}/y },
  { kind: 'langsmith_key', markers: ['lsv2_pt_', 'lsv2_sk_'], form: /lsv2_.._\w{30,}/y },
  { kind: 'pinecone_key', markers: ['pcsk_'], startsWord: true, form: /pcsk_\w{30,}/y },
  { kind: 'age_key', markers: ['AGE-SECRET-KEY-1'], form: /AGE-SECRET-KEY-1[A-Z0-9]{20,}/y },
  {
    kind: 'bearer_token',
    markers: ['earer ', 'EARER '],
    form: /(?<=[Bb])(?:earer|EARER) {1,4}(?<secret>(?=[A-Za-z]{0,24}[0-9._~+/=-]|[A-Za-z]{25})[\w.~+/=-]{8,})/y,
  },
  // RFC 3986, 3.2.1; a port behind a colon does not match. `\/` is how some JSON writers spell a slash.
  {
    kind: 'url_password',
    markers: ['://', ':\\/\\/'],
    form: /:\\?\/\\?\/[^\s"'`<>/:@]*:(?!x-oauth-basic@|\d{1,5}(?:[/?#\s"'\\]|$))(?<secret>[^\s"'`<>/?#]+(?=@)|(?!\/)[^\s"'`<>@]{1,64}(?=@))/y,
  },
  { kind: 'url_password', markers: ['://'], form: /:\/\/(?<secret>[\w.~%+-]{20,128})(?::x-oauth-basic)?@/y },
  // .netrc; in other texts these are words of a sentence.
  {
    kind: 'password',
    markers: ['login '],
    form: /(?:(?<=machine\s{1,4}\S{1,255}\s{1,8})|(?=login\s{1,4}\S{1,128}\s{1,8}password\s{1,4}\S*[\d!@#$%^&*+=~?|]))login\s{1,4}(?!anonymous\s)\S{1,128}\s{1,8}password\s{1,4}(?<secret>\S+)/y,
  },
  // Credentials of curl, mysql and sshpass on the command line.
  {
    kind: 'password',
    markers: [' -u', ' --user', ' --proxy-user'],
    // Other programs have a user and a group there.
    form: /(?<!\b(?:ps|docker|podman|nerdctl|chown|install|id|rsync|sudo)\b[^\n;|&]{0,80}) (?:-u|--user|--proxy-user)[ =]{0,4}["']?(?!\d{1,10}:\d)[^\s"':=]{1,128}:(?!:)(?<secret>[^\s"']+)/y,
  },
  { kind: 'password', markers: ['mysql', 'mariadb'], form: /(?:mysql|mariadb)[^\n;|]{0,80}? -p["']?(?<secret>[^\s"']+)/y },
  { kind: 'password', markers: ['sshpass '], form: /sshpass {1,4}-p {0,4}["']?(?<secret>[^\s"']+)/y },
];

/** Begins a private key in PEM, and a JSON object in base64url, as JWTs have. */
export const BEGIN = '-----BEGIN';
export const TOKEN = 'eyJ';

/** All markers. One of two characters goes on with a hex digit. */
export const MARKERS: readonly string[] = [...new Set([...SECRET_FORMS.flatMap(({ markers }) => markers), BEGIN, TOKEN])];
