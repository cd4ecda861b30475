import type { Log } from '#server/log/log.ts'
import { inSources } from '#server/log/source-lines.ts'

// What nobody catches ends the process with its stack trace.
process.on('uncaughtExceptionMonitor', error => {
  if (error?.stack) error.stack = inSources(error.stack)
})

const sentences: Record<string, (error: NodeJS.ErrnoException & { port?: number }) => string> = {
  EADDRINUSE: error => `Port ${error.port} is in use; set PORT to another one.`,
  EACCES: error =>
    error.port
      ? `Port ${error.port} may not be used by this user.`
      : `${error.path} cannot be written by this user; set TIDELINE_DATA to a folder that can.`,
  EROFS: error => `${error.path} cannot be written; set TIDELINE_DATA to a folder that can.`,
  ENOENT: error =>
    error.syscall === 'mkdir'
      ? `${error.path} cannot be created; set TIDELINE_DATA to a folder that can.`
      : error.message,
  EPERM: error => `${error.path} cannot be written; set TIDELINE_DATA to a folder that can.`,
  ENOTDIR: error => `${error.path} is not a folder; set TIDELINE_DATA to one.`,
  ...Object.fromEntries(
    ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', '57P03'].map(
      code => [code, (error: Error) => `The database cannot be reached (${error.message}); check DATABASE_URL.`],
    ),
  ),
  // Wrong password, no such user, no such database.
  ...Object.fromEntries(
    ['28P01', '28000', '3D000'].map(code => [
      code,
      (error: Error) => `The database rejected the connection (${error.message}); check DATABASE_URL.`,
    ]),
  ),
}

/** Tells why the process cannot go on, in one sentence, and ends it with exit code 1. */
export function endWithSentence(error: unknown): never {
  const nodeError = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  const first = nodeError.errors?.[0] ?? nodeError
  const sentence = sentences[first.code ?? '']?.(first) ?? first.message ?? String(error)
  process.stderr.write(`${sentence}\n`)
  if (process.env.LOG_LEVEL === 'debug') process.stderr.write(`${inSources(nodeError.stack ?? '')}\n`)
  process.exit(1)
}

/** Runs `stop` once when the process is asked to end, then ends it; a second request, or 20 seconds, ends it at once. */
export function onStop(log: Log, stop: () => Promise<void>) {
  let stopping = false
  const end = (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    log.info({ signal }, 'stopping')
    // Work that outlasts its grace fails on the closed database; it must not end the process before all is closed.
    process.on('unhandledRejection', error => log.warn({ err: error }, 'cut off by the stop'))
    setTimeout(() => process.exit(1), 20_000).unref()
    stop().then(
      () => process.exit(0),
      error => {
        log.error({ err: error }, 'did not stop cleanly')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // A parent that is gone takes its children with it.
  process.on('disconnect', () => end('disconnect'))
}
