import { z } from 'zod'
import { demoClients, type SandboxOptions, startSandbox } from './start-sandbox.ts'

const port = z.coerce
  .number({ error: 'must be a port from 0 to 65535' })
  .int()
  .min(0)
  .max(65_535, { error: 'must be a port from 0 to 65535' })
const settings = z.object({
  SANDBOX_PORT: port.default(8081),
  SANDBOX_SMTP_PORT: port.optional(),
  SANDBOX_HOST: z.string().default('localhost'),
  SANDBOX_SCENARIO: z.string().default('demo'),
  SANDBOX_DATA: z.string().optional(),
  SANDBOX_PUBLIC_URL: z.url().optional(),
  /** `id=secret` pairs, separated by commas. */
  SANDBOX_CLIENTS: z
    .string()
    .regex(/^[^=,]+=[^=,]+(,[^=,]+=[^=,]+)*$/, 'must be id=secret pairs separated by commas')
    .optional(),
  SANDBOX_CONTROL_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have 16 characters or more, without spaces')
    .optional(),
})

const fail = (sentence: string): never => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const readOptions = (): SandboxOptions => {
  const said = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const parsed = settings.safeParse(said)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return fail(`${issue?.path.join('.')}: ${issue?.message}.`)
  }
  const env = parsed.data
  const pairs = env.SANDBOX_CLIENTS?.split(',').map(pair => pair.split('=') as [string, string])
  return {
    port: env.SANDBOX_PORT,
    smtpPort: env.SANDBOX_SMTP_PORT ?? (env.SANDBOX_PORT === 0 ? 0 : env.SANDBOX_PORT + 1),
    host: env.SANDBOX_HOST,
    scenario: env.SANDBOX_SCENARIO,
    clients: pairs ? new Map(pairs) : demoClients,
    ...(env.SANDBOX_CONTROL_TOKEN && { controlToken: env.SANDBOX_CONTROL_TOKEN }),
    ...(env.SANDBOX_DATA && { data: env.SANDBOX_DATA }),
    ...(env.SANDBOX_PUBLIC_URL && { publicUrl: env.SANDBOX_PUBLIC_URL.replace(/\/$/, '') }),
  }
}

const sentenceOf = (error: unknown, options: SandboxOptions): string => {
  const { code, port: taken, path, message } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') {
    const setting = taken === options.port ? 'SANDBOX_PORT' : 'SANDBOX_SMTP_PORT'
    return `Port ${taken} is in use; set ${setting} to another one.`
  }
  if (path && code) return `${options.data} cannot be used (${code}); set SANDBOX_DATA to a folder that can be written.`
  return message
}

const options = readOptions()
try {
  const sandbox = await startSandbox(options)
  const stop = async (): Promise<void> => {
    await sandbox.close()
    process.exit(0)
  }
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
  // Started as somebody's child: ends when that somebody is gone, however they went.
  process.once('disconnect', () => void stop())
  const { url, smtpPort, controlToken } = sandbox
  // Not where the token can be had otherwise: what is written here may end in a log.
  const token = options.data || options.controlToken ? {} : { controlToken }
  process.stdout.write(`${JSON.stringify({ ready: true, url, smtpPort, ...token })}\n`)
} catch (error) {
  fail(sentenceOf(error, options))
}
