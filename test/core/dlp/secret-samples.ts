/** A made-up secret, and how the marker calls it. Put together here, so that scanners of repositories see no whole one. */
export interface SecretSample {
  readonly kind: string;
  readonly secret: string;
}

const ALNUM = 'A1b2C3d4E5f6G7h8J9k0';
const HEX = '0a1b2c3d4e5f6789';
const LONG = ALNUM.repeat(5);

function sample(kind: string, ...parts: string[]): SecretSample {
  return { kind, secret: parts.join('') };
}

/** One of each kind that shows by its form alone. */
export const SECRET_SAMPLES: readonly SecretSample[] = [
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((prefix) => sample('github_token', prefix, '_', LONG.slice(0, 36))),
  sample('github_token', 'github', '_pat_', LONG.slice(0, 82)),
  sample('gitlab_token', 'glpat', '-', ALNUM),
  sample('gitlab_token', 'glrt', '-', ALNUM),
  ...['xoxa', 'xoxb', 'xoxp', 'xoxr', 'xoxs'].map((prefix) => sample('slack_token', prefix, '-123456789012-', ALNUM)),
  sample('slack_token', 'xoxe.', 'xoxp-1-', LONG),
  sample('slack_token', 'xapp', '-1-A012-', HEX),
  sample('anthropic_key', 'sk-', 'ant-api03-', LONG, 'AA'),
  sample('api_key', 'sk-', 'proj-', LONG),
  sample('api_key', 'sk-', 'svcacct-', LONG),
  sample('api_key', 'sk-', 'or-v1-', HEX.repeat(4)),
  sample('api_key', 'sk-', LONG.slice(0, 48)),
  sample('stripe_key', 'sk_', 'live_', ALNUM),
  sample('stripe_key', 'rk_', 'test_', ALNUM),
  sample('stripe_key', 'whsec', '_', ALNUM),
  sample('google_api_key', 'AI', 'za', LONG.slice(0, 35)),
  sample('google_token', 'ya29', '.', LONG),
  sample('google_token', 'GOCSPX', '-', ALNUM),
  sample('aws_access_key', 'AK', 'IA', 'QWERTYUIOPASDF12'),
  sample('aws_access_key', 'AS', 'IA', 'QWERTYUIOPASDF12'),
  sample('npm_token', 'npm', '_', LONG.slice(0, 36)),
  sample('pypi_token', 'pypi', '-', LONG),
  sample('rubygems_key', 'rubygems', '_', HEX.repeat(3)),
  sample('docker_token', 'dckr', '_pat_', ALNUM),
  sample('huggingface_token', 'hf', '_', LONG.slice(0, 34)),
  sample('groq_key', 'gsk', '_', LONG.slice(0, 52)),
  sample('xai_key', 'xai', '-', LONG.slice(0, 80)),
  sample('perplexity_key', 'pplx', '-', LONG.slice(0, 48)),
  sample('nvidia_key', 'nvapi', '-', LONG.slice(0, 64)),
  sample('replicate_token', 'r8', '_', LONG.slice(0, 37)),
  sample('sendgrid_key', 'SG', '.', LONG.slice(0, 22), '.', LONG.slice(0, 43)),
  sample('mailgun_key', 'key', '-', HEX.repeat(2)),
  sample('twilio_key', 'S', 'K', HEX.repeat(2)),
  sample('digitalocean_token', 'dop', '_v1_', HEX.repeat(4)),
  sample('shopify_token', 'shp', 'at_', HEX.repeat(2)),
  sample('square_token', 'sq0', 'atp-', LONG.slice(0, 22)),
  sample('grafana_token', 'gl', 'sa_', LONG.slice(0, 32), '_0a1b2c3d'),
  sample('sentry_token', 'sntr', 'ys_', LONG),
  sample('vault_token', 'hvs', '.', LONG),
  sample('databricks_token', 'da', 'pi', HEX.repeat(2)),
  sample('atlassian_token', 'ATA', 'TT3', LONG),
  sample('linear_key', 'lin', '_api_', LONG.slice(0, 40)),
  sample('notion_token', 'nt', 'n_', LONG.slice(0, 46)),
  sample('figma_token', 'fig', 'd_', LONG.slice(0, 40)),
  sample('postman_key', 'PM', 'AK-', HEX.repeat(2)),
  sample('tailscale_key', 'ts', 'key-auth-', ALNUM),
  sample('posthog_key', 'ph', 'x_', LONG.slice(0, 43)),
  sample('age_key', 'AGE-SECRET', '-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L'),
  sample('onepassword_token', 'op', 's_ey', LONG),
  sample('onepassword_key', 'A3', '-ASWWYB-798JRYLJVD4-23DC2-86TVM-H43EB'),
  sample('vercel_token', 'vc', 'p_', LONG.slice(0, 24)),
  sample('cloudflare_token', 'cf', 'ut_', LONG.slice(0, 40), '0a1b2c3d'),
  sample('supabase_key', 'sb', 'p_', HEX.repeat(2), '0a1b2c3d'),
  sample('netlify_token', 'nf', 'p_', LONG.slice(0, 36)),
  sample('planetscale_token', 'pscale', '_tkn_', LONG.slice(0, 43)),
  sample('doppler_token', 'dp', '.pt.', LONG.slice(0, 43)),
  sample('pulumi_token', 'pu', 'l-', HEX.repeat(2), '0a1b2c3d'),
  sample('new_relic_key', 'NR', 'AK-', ALNUM.toUpperCase(), '1234567'),
  sample('heroku_key', 'HR', 'KU-', LONG.slice(0, 60)),
  sample('buildkite_token', 'bk', 'ua_', HEX.repeat(2), '0a1b2c3d'),
  sample('circleci_token', 'CCI', 'PAT_', ALNUM, '_', HEX.repeat(2)),
  sample('langsmith_key', 'lsv2', '_pt_', HEX.repeat(2), '_0a1b2c3d4e'),
  sample('pinecone_key', 'pc', 'sk_', LONG.slice(0, 60)),
  sample('jwt', 'ey', 'JhbGciOiJIUzI1NiJ9.ey', 'JzdWIiOiIxIn0.', LONG),
  sample('jwt', 'ey', 'JhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..', ALNUM, '.', ALNUM, '.', ALNUM),
  sample('private_key', '-----BEGIN RSA ', 'PRIVATE KEY-----\n', `${LONG}\n`.repeat(3), '-----END RSA ', 'PRIVATE KEY-----'),
  sample('private_key', '-----BEGIN ', 'PRIVATE KEY-----\\n', LONG, '\\n-----END ', 'PRIVATE KEY-----'),
];
