import { parseArgs } from 'node:util'
import { z } from 'zod'
import { demoClients, type SandboxOptions } from './start-sandbox.ts'

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

export interface Command {
  help: boolean
  operations: boolean
  json: boolean
  options: SandboxOptions
}

function readFlags(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    options: {
      ...(Object.fromEntries(Object.keys(variableOf).map(name => [name, { type: 'string' }])) as Record<
        keyof typeof variableOf,
        { type: 'string' }
      >),
      https: { type: 'boolean' },
      json: { type: 'boolean' },
      operations: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  }).values
}

/**
 * What the command line and the environment ask for; the command line wins. Throws an error with a sentence for people
 * when something is wrong or unknown.
 */
export function readCommand(args: readonly string[], env: Record<string, string | undefined>): Command {
  const flags = readFlags(args)
  const values: Record<string, string | undefined> = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  )
  for (const [flag, variable] of Object.entries(variableOf)) {
    const value = flags[flag as keyof typeof variableOf]
    if (value !== undefined) values[variable] = value
  }
  if (flags.https) values['SANDBOX_HTTPS'] = 'on'
  const parsed = settings.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`${issue?.path.join('.')}: ${issue?.message}.`)
  }
  const { data } = parsed
  const pairs = data.SANDBOX_CLIENTS?.split(',').map(pair => pair.split('=') as [string, string])
  return {
    help: flags.help === true,
    operations: flags.operations === true,
    json: flags.json === true,
    options: {
      port: data.SANDBOX_PORT,
      smtpPort: data.SANDBOX_SMTP_PORT ?? (data.SANDBOX_PORT === 0 ? 0 : data.SANDBOX_PORT + 1),
      host: data.SANDBOX_HOST,
      scenario: data.SANDBOX_SCENARIO,
      clients: pairs ? new Map(pairs) : demoClients,
      ...(data.SANDBOX_HTTPS === 'on' && { httpsPort: data.SANDBOX_HTTPS_PORT }),
      ...(data.SANDBOX_CONTROL_TOKEN && { controlToken: data.SANDBOX_CONTROL_TOKEN }),
      ...(data.SANDBOX_DATA && { data: data.SANDBOX_DATA }),
      ...(data.SANDBOX_PUBLIC_URL && { publicUrl: data.SANDBOX_PUBLIC_URL.replace(/\/$/, '') }),
    },
  }
}
