import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { controlTokenFile } from './core/control-token.ts'
import { listOperations } from './operations.ts'
import { readCommand } from './settings.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts'

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

function read(): ReturnType<typeof readCommand> {
  try {
    return readCommand(process.argv.slice(2), process.env)
  } catch (error) {
    return fail((error as Error).message)
  }
}

const settingOf = (taken: number | undefined, options: SandboxOptions): string =>
  taken === options.port ? 'SANDBOX_PORT' : taken === options.httpsPort ? 'SANDBOX_HTTPS_PORT' : 'SANDBOX_SMTP_PORT'

const sentenceOf = (error: unknown, options: SandboxOptions): string => {
  const { code, port: taken, path, message } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE') return `Port ${taken} is in use; set ${settingOf(taken, options)} to another one.`
  if (code === 'EACCES' && taken)
    return `Port ${taken} may not be used by this user; set ${settingOf(taken, options)} to one above 1023, or allow it.`
  if (path && code) return `${options.data} cannot be used (${code}); set SANDBOX_DATA to a folder that can be written.`
  return message
}

function lineForPrograms({ url, https, smtpPort, controlToken }: Sandbox, options: SandboxOptions): string {
  // Not where the token can be had otherwise: what is written here may end in a log.
  const token = options.data || options.controlToken ? {} : { controlToken }
  return JSON.stringify({ ready: true, url, ...(https && { https }), smtpPort, ...token })
}

function linesForPeople({ url, https, smtpPort, controlToken, world }: Sandbox, { data }: SandboxOptions): string {
  const rows: [string, string][] = [
    ['Emulator', url],
    ...(https ? [['HTTPS', https.url] satisfies [string, string]] : []),
    ['Console', `${url}/console/enter#${controlToken}`],
    ['Outbox', `${url}/mail, fed by SMTP at localhost:${smtpPort}`],
    ['Control token', `${controlToken}${data ? `, kept in ${join(resolve(data), controlTokenFile)}` : ''}`],
    ['World', `${world.scenario}, ${world.clock.now().toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ]
  const trust = https
    ? `\n  Programs in Node trust its HTTPS with\n  export NODE_EXTRA_CA_CERTS=${resolve(https.authorityFile)}\n`
    : ''
  return `\n${rows.map(([name, value]) => `  ${name.padEnd(15)}${value}`).join('\n')}\n${trust}\n  Ctrl-C ends it.`
}

const { help, operations, json, options } = read()
if (help) {
  process.stdout.write(readFileSync(new URL('help.txt', import.meta.url), 'utf8'))
  process.exit(0)
}
if (operations) {
  process.stdout.write(await listOperations())
  process.exit(0)
}
try {
  const sandbox = await startSandbox(options)
  const stop = async (): Promise<void> => {
    await sandbox.close()
    process.exit(0)
  }
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
  process.once('SIGHUP', () => void stop())
  // Started as somebody's child: ends when that somebody is gone, however they went.
  process.once('disconnect', () => void stop())
  process.stdout.write(`${(json ? lineForPrograms : linesForPeople)(sandbox, options)}\n`)
} catch (error) {
  fail(sentenceOf(error, options))
}
