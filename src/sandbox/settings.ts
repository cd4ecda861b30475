import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { SandboxOptions } from './start-sandbox.ts'

const port = z.coerce
  .number({ error: 'must be a port from 0 to 65535' })
  .int()
  .min(0)
  .max(65_535, { error: 'must be a port from 0 to 65535' })
const settings = z.object({
  SANDBOX_PORT: port.default(8081),
  SANDBOX_SMTP_PORT: port.optional(),
  SANDBOX_HTTPS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  SANDBOX_HTTPS_PORT: port.default(8443),
  SANDBOX_HOST: z.string().default('localhost'),
  SANDBOX_SCENARIO: z.string().default('demo'),
  SANDBOX_DATA: z.string().optional(),
  SANDBOX_HISTORIES: z.string().optional(),
  SANDBOX_PUBLIC_URL: z.url().optional(),
  /** `id=secret` pairs, comma-separated. */
  SANDBOX_CLIENTS: z
    .string()
    .regex(/^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/, 'must be comma-separated id=secret pairs')
    .optional(),
  SANDBOX_CONTROL_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have 16 characters or more, without spaces')
    .optional(),
})

const variableOf = {
  port: 'SANDBOX_PORT',
  'smtp-port': 'SANDBOX_SMTP_PORT',
  'https-port': 'SANDBOX_HTTPS_PORT',
  host: 'SANDBOX_HOST',
  'public-url': 'SANDBOX_PUBLIC_URL',
  scenario: 'SANDBOX_SCENARIO',
  data: 'SANDBOX_DATA',
} as const

/**
 * What the command line and the environment ask for; the command line wins. Throws an error with a sentence for people
 * when something is wrong or unknown.
 */
export function readCommand(args: readonly string[], env: Record<string, string | undefined>) {
  const names = Object.keys(variableOf) as (keyof typeof variableOf)[]
  const texts = Object.fromEntries(names.map(name => [name, { type: 'string' as const }])) as Record<
    keyof typeof variableOf,
    { type: 'string' }
  >
  const { values: flags } = parseArgs({
    args: [...args],
    options: {
      ...texts,
      https: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      operations: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const values: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  )
  for (const name of names) values[variableOf[name]] = flags[name] ?? values[variableOf[name]]
  if (flags.https) values['SANDBOX_HTTPS'] = 'on'
  const parsed = settings.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}.`)
  }
  const { data } = parsed
  const pairs = data.SANDBOX_CLIENTS?.split(',').map(pair => pair.split('=') as [string, string])
  const options: SandboxOptions = {
    port: data.SANDBOX_PORT,
    smtpPort: data.SANDBOX_SMTP_PORT ?? (data.SANDBOX_PORT === 0 ? 0 : data.SANDBOX_PORT + 1),
    host: data.SANDBOX_HOST,
    scenario: data.SANDBOX_SCENARIO,
    ...(pairs && { clients: new Map(pairs) }),
    ...(data.SANDBOX_HTTPS === 'on' && { httpsPort: data.SANDBOX_HTTPS_PORT }),
    ...(data.SANDBOX_CONTROL_TOKEN && { controlToken: data.SANDBOX_CONTROL_TOKEN }),
    ...(data.SANDBOX_DATA && { data: data.SANDBOX_DATA }),
    ...(data.SANDBOX_HISTORIES && { histories: data.SANDBOX_HISTORIES }),
    ...(data.SANDBOX_PUBLIC_URL && { publicUrl: data.SANDBOX_PUBLIC_URL.replace(/\/$/, '') }),
  }
  return { help: flags.help, operations: flags.operations, json: flags.json, options }
}
