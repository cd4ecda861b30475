import { z } from 'zod'

const url = z.url()
const list = z.string().transform(s =>
  s
    .split(',')
    .map(x => x.trim())
    .filter(Boolean),
)

/**
 * Every setting of the product, read from the environment once. A variable that is absent takes its default; an empty
 * one counts as absent. README.md holds the same table for people.
 */
const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  PUBLIC_URL: url.optional(),
  TRUST_PROXY: list.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  TIDELINE_DATA: z.string().default('.data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .optional(),
  /** How long a start waits for a database server that is still coming up. */
  DATABASE_WAIT_SECONDS: z.coerce.number().min(0).max(3600).default(60),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(10),
  ANSWERS_KEPT_MB: z.coerce.number().min(0).max(4096).default(32),
  JOBS: z.enum(['inline', 'off']).default('inline'),
  CLIENT: z.enum(['serve', 'off']).default('serve'),
  TOKEN_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  ENCRYPTION_KEYS: z
    .string()
    .regex(
      /^[\w-]+:[A-Za-z0-9+/=]{44}(,[\w-]+:[A-Za-z0-9+/=]{44})*$/,
      'must be id:base64 of 32 bytes, the current one first',
    )
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z.string().default('Tideline <no-reply@tideline.test>'),
  /** By which push services know us; in production there is no push without. */
  VAPID_KEYS: z
    .string()
    .regex(/^[\w-]+:[\w-]{43}(,[\w-]+:[\w-]{43})*$/, 'must be id:base64url of 32 bytes, the current one first')
    .optional(),
  PUSH_CONTACT: z
    .string()
    .regex(/^(mailto:[^@\s]+@[^@\s]+|https:\/\/\S+)$/, 'must begin with mailto: or https://')
    .optional(),
  /** Origins of push services besides those of the browsers' makers. */
  PUSH_HOSTS: list.pipe(z.array(url.transform(address => new URL(address).origin))).default([]),
  LWA_AUTHORIZE_URL_NA: url.default('https://www.amazon.com/ap/oa'),
  LWA_AUTHORIZE_URL_EU: url.default('https://eu.account.amazon.com/ap/oa'),
  LWA_AUTHORIZE_URL_FE: url.default('https://apac.account.amazon.com/ap/oa'),
  LWA_TOKEN_URL: url.default('https://api.amazon.com/auth/o2/token'),
  ADS_CLIENT_ID: z.string().optional(),
  ADS_CLIENT_SECRET: z.string().optional(),
  ADS_URL_NA: url.default('https://advertising-api.amazon.com'),
  ADS_URL_EU: url.default('https://advertising-api-eu.amazon.com'),
  ADS_URL_FE: url.default('https://advertising-api-fe.amazon.com'),
  ADS_STREAM_DESTINATION_ARN: z.string().optional(),
  ADS_STREAM_QUEUE_URL: url.optional(),
  /** Of a principal that may receive from the queue and delete there. */
  ADS_STREAM_QUEUE_KEY_ID: z.string().optional(),
  ADS_STREAM_QUEUE_KEY_SECRET: z.string().optional(),
  SP_APPLICATION_ID: z.string().optional(),
  SP_CLIENT_ID: z.string().optional(),
  SP_CLIENT_SECRET: z.string().optional(),
  SP_URL_NA: url.default('https://sellingpartnerapi-na.amazon.com'),
  SP_URL_EU: url.default('https://sellingpartnerapi-eu.amazon.com'),
  SP_URL_FE: url.default('https://sellingpartnerapi-fe.amazon.com'),
  /** Replaces the marketplaces' own consent hosts; used where the marketplace is an emulated one. */
  SELLER_CENTRAL_URL: url.optional(),
  /** A clock to follow in place of the machine's, for a marketplace whose time can be moved. */
  CLOCK_URL: url.optional(),
  ECB_URL: url.default('https://www.ecb.europa.eu'),
  IMAGE_HOSTS: list.default(['https://m.media-amazon.com', 'https://images-na.ssl-images-amazon.com']),
})

export type Settings = z.infer<typeof schema>

export interface Config extends Settings {
  publicUrl: string
  production: boolean
  /** Whom a push service may write to. */
  pushContact: string
}

/** A setting that cannot be used; the message is one sentence for the person who set it. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** Parses the environment. Throws ConfigError naming every broken setting and what it must be. */
export const readConfig = (env: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const broken = parsed.error.issues.map(i => `${i.path.join('.')}: ${i.message}`)
    throw new ConfigError(`Broken setting: ${broken.join('; ')}.`)
  }
  const settings = parsed.data
  const production = settings.NODE_ENV === 'production'
  if (production) {
    const missing = (['TOKEN_SECRET', 'ENCRYPTION_KEYS', 'PUBLIC_URL', 'SMTP_URL'] as const).filter(
      key => !settings[key],
    )
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
