import { z } from 'zod'

const url = z.url()
const commaSeparated = z.string().transform(text =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(Boolean),
)

/** What a setting means; `unset` says what applies without it, where that is not a fixed default. */
function setting<T extends z.ZodType>(schema: T, description: string, unset?: string): T {
  return schema.meta({ description, unset })
}

const region = { NA: 'North America', EU: 'Europe', FE: 'the Far East' }

/** Every setting of the product; an empty variable counts as absent. SETTINGS.md is generated from this schema. */
export const settingsSchema = z.object({
  NODE_ENV: setting(
    z.enum(['development', 'test', 'production']).default('development'),
    '`production` requires the settings marked *',
  ),
  HOST: setting(z.string().default('127.0.0.1'), 'the address the server listens on'),
  PORT: setting(z.coerce.number().int().min(0).max(65535).default(8080), 'the port the server listens on'),
  PUBLIC_URL: setting(
    url.optional(),
    'the address people use; appears in emails and redirects',
    '`http://localhost:PORT`',
  ),
  TRUST_PROXY: setting(
    commaSeparated.optional(),
    'addresses of the load balancers to accept `X-Forwarded-For` from, comma-separated',
  ),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    'fatal, error, warn, info, debug, trace or silent',
  ),
  TIDELINE_DATA: setting(z.string().default('.data'), 'folder of the embedded database and of local secrets'),
  DATABASE_URL: setting(
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
    '`postgres://…` of a PostgreSQL server, version 15 or newer',
    'the embedded database',
  ),
  DATABASE_WAIT_SECONDS: setting(
    z.coerce.number().min(0).max(3600).default(60),
    'how long the server waits at start for a PostgreSQL server that is still starting',
  ),
  DATABASE_POOL: setting(z.coerce.number().int().min(2).max(200).default(10), 'database connections of each process'),
  ANSWERS_KEPT_MB: setting(
    z.coerce.number().min(0).max(4096).default(16),
    'memory of each process for cached answers, which are reused until their data changes; 0 turns the cache off',
  ),
  JOBS: setting(z.enum(['inline', 'off']).default('inline'), '`off` when `npm run worker` runs the jobs'),
  CLIENT: setting(z.enum(['serve', 'off']).default('serve'), '`off` when something else serves the client'),
  TOKEN_SECRET: setting(
    z.string().min(32, 'must have at least 32 characters').optional(),
    'signs access tokens; at least 32 characters',
    'created and stored in the data folder',
  ),
  ENCRYPTION_KEYS: setting(
    z
      .string()
      .regex(
        /^[\w-]+:[A-Za-z0-9+/=]{44}(,[\w-]+:[A-Za-z0-9+/=]{44})*$/,
        'must be id:base64 of 32 bytes, the current one first',
      )
      .optional(),
    'encrypt the stored tokens of connected accounts: `id:base64` of 32 bytes each, comma-separated, the current one first',
    'created and stored in the data folder',
  ),
  SMTP_URL: setting(
    z
      .string()
      .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
      .optional(),
    'the mail server, `smtp://…` or `smtps://…`',
  ),
  MAIL_FROM: setting(z.string().default('Tideline <no-reply@tideline.test>'), 'sender of all emails'),
  OPERATOR_MAIL: setting(
    z.email().optional(),
    'who is mailed when figures differ from the marketplace’s or a payment is disputed',
  ),
  VAPID_KEYS: setting(
    z
      .string()
      .regex(/^[\w-]+:[\w-]{43}(,[\w-]+:[\w-]{43})*$/, 'must be id:base64url of 32 bytes, the current one first')
      .optional(),
    'the private keys that identify this server to push services: `id:base64url` of 32 bytes each, comma-separated, the current one first. `npx web-push generate-vapid-keys` creates one. Do not lose them, or every phone has to turn on notifications again',
    'created and stored in the data folder; in production none, and push is off',
  ),
  PUSH_CONTACT: setting(
    z
      .string()
      .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must begin with mailto: or https://')
      .optional(),
    'where push services can reach the operator: `mailto:…` or `https://…`',
    'the address in `MAIL_FROM`',
  ),
  PUSH_HOSTS: setting(
    commaSeparated.pipe(z.array(url.transform(address => new URL(address).origin))).default([]),
    'addresses of push services in addition to those of the browser vendors, comma-separated',
  ),
  LWA_AUTHORIZE_URL_NA: setting(url.default('https://www.amazon.com/ap/oa'), `consent page in ${region.NA}`),
  LWA_AUTHORIZE_URL_EU: setting(url.default('https://eu.account.amazon.com/ap/oa'), `consent page in ${region.EU}`),
  LWA_AUTHORIZE_URL_FE: setting(url.default('https://apac.account.amazon.com/ap/oa'), `consent page in ${region.FE}`),
  LWA_TOKEN_URL: setting(url.default('https://api.amazon.com/auth/o2/token'), 'issues tokens of Login with Amazon'),
  ADS_CLIENT_ID: setting(z.string().optional(), 'the advertising app at Login with Amazon'),
  ADS_CLIENT_SECRET: setting(z.string().optional(), 'its client secret'),
  ADS_URL_NA: setting(url.default('https://advertising-api.amazon.com'), `Ads API in ${region.NA}`),
  ADS_URL_EU: setting(url.default('https://advertising-api-eu.amazon.com'), `Ads API in ${region.EU}`),
  ADS_URL_FE: setting(url.default('https://advertising-api-fe.amazon.com'), `Ads API in ${region.FE}`),
  ADS_STREAM_DESTINATION_ARN: setting(z.string().optional(), 'ARN of the queue that receives hourly figures'),
  ADS_STREAM_QUEUE_URL: setting(url.optional(), 'URL of that queue'),
  ADS_STREAM_QUEUE_KEY_ID: setting(
    z.string().optional(),
    'access key of a principal that may receive and delete messages there, if the queue requires one',
  ),
  ADS_STREAM_QUEUE_KEY_SECRET: setting(z.string().optional(), 'its secret'),
  SP_APPLICATION_ID: setting(z.string().optional(), 'the Selling Partner app'),
  SP_CLIENT_ID: setting(z.string().optional(), 'its client at Login with Amazon'),
  SP_CLIENT_SECRET: setting(z.string().optional(), 'its client secret'),
  SP_URL_NA: setting(url.default('https://sellingpartnerapi-na.amazon.com'), `Selling Partner API in ${region.NA}`),
  SP_URL_EU: setting(url.default('https://sellingpartnerapi-eu.amazon.com'), `Selling Partner API in ${region.EU}`),
  SP_URL_FE: setting(url.default('https://sellingpartnerapi-fe.amazon.com'), `Selling Partner API in ${region.FE}`),
  SELLER_CENTRAL_URL: setting(
    url.optional(),
    'replaces the consent hosts of all countries; for an emulated marketplace',
    "each country's host",
  ),
  CLOCK_URL: setting(
    url.optional(),
    'an address that answers `{"now": "2026-11-22T12:00:00Z"}`: a clock to follow instead of the machine\'s. For a marketplace with adjustable time; sessions stay on the machine\'s time',
  ),
  ECB_URL: setting(
    url.default('https://www.ecb.europa.eu'),
    'the European Central Bank, which publishes the daily exchange rates',
  ),
  STRIPE_SECRET_KEY: setting(
    z
      .string()
      .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a secret key of Stripe, sk_… or rk_…')
      .optional(),
    'secret key of the payment provider',
    'nobody can pay',
  ),
  STRIPE_URL: setting(url.default('https://api.stripe.com'), 'API of the payment provider'),
  STRIPE_WEBHOOK_SECRETS: setting(
    commaSeparated.default([]),
    'signing secrets of its webhook endpoint, `whsec_…`; two while one is being replaced, comma-separated',
  ),
  IMAGE_HOSTS: setting(
    commaSeparated.default(['https://m.media-amazon.com', 'https://images-na.ssl-images-amazon.com']),
    'where product images may come from, comma-separated',
  ),
})

/** The settings without which production does not start. */
export const requiredInProduction = ['TOKEN_SECRET', 'ENCRYPTION_KEYS', 'PUBLIC_URL', 'SMTP_URL'] as const

export type Settings = z.infer<typeof settingsSchema>

export interface Config extends Settings {
  publicUrl: string
  production: boolean
  pushContact: string
}

/** An invalid setting; the message is one sentence for the person who set it. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** Parses the environment. Throws ConfigError, which names every invalid setting and what it must be. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = settingsSchema.safeParse(present)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(i => `${i.path.join('.')}: ${i.message}`)
    throw new ConfigError(`Invalid setting: ${problems.join('; ')}.`)
  }
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  if (production) {
    const missing = requiredInProduction.filter(name => !settings[name])
    if (missing.length) throw new ConfigError(`Missing setting: ${missing.join(', ')} must be set in production.`)
  }
  if (!settings.ADS_STREAM_QUEUE_KEY_ID !== !settings.ADS_STREAM_QUEUE_KEY_SECRET)
    throw new ConfigError('Missing setting: ADS_STREAM_QUEUE_KEY_ID and ADS_STREAM_QUEUE_KEY_SECRET go together.')
  return {
    ...settings,
    production,
    publicUrl: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    pushContact: settings.PUSH_CONTACT ?? `mailto:${addressIn(settings.MAIL_FROM)}`,
  }
}

const addressIn = (sender: string): string => /<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender.trim()
