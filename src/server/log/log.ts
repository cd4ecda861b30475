import { pino, type DestinationStream, type Logger } from 'pino'
import { inSources } from './source-lines.ts'

export type Log = Logger

// Names of values that must never be logged.
const secrets = [
  'password',
  'newPassword',
  'currentPassword',
  'confirmPassword',
  'token',
  'accessToken',
  'refreshToken',
  'access_token',
  'refresh_token',
  'client_secret',
  'authorization',
  'code',
  'spapi_oauth_code',
  'smtpUrl',
  'databaseUrl',
]

// `code` has two meanings: the code of an OAuth consent, which is secret, and an error code, which must be readable. Error
// codes are short, or words in one case with underscores in between; codes of a consent are long and mixed.
const errorCode = /^(\d{3}|[\dA-Z]{5}|E[A-Z\d]{2,20}|[A-Z]+(_[A-Z\d]+)+|[a-z]+(_[a-z\d]+)+)$/
const redact = (value: unknown, path: string[]): unknown =>
  path.at(-1) === 'code' && errorCode.test(String(value)) ? value : '[secret]'

/** A JSON log to stdout or `destination`. Secrets are replaced, down to the third level; error codes are not. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: null,
      serializers: { err: error => withSourceLines(pino.stdSerializers.err(error as Error)) },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets.flatMap(s => [s, `*.${s}`, `*.*.${s}`]), censor: redact },
    },
    options.destination ?? bufferedOutput(),
  )
}

// What is thrown may be anything; an error may have the errors in it that caused it.
function withSourceLines<T>(error: T): T {
  const { stack } = Object(error) as { stack?: unknown }
  return typeof stack === 'string' ? { ...error, stack: inSources(stack) } : error
}

// A write for each line costs a busy server more than making the line. What is buffered is written when the process ends.
function bufferedOutput(): DestinationStream {
  const output = pino.destination({ sync: false, minLength: 4096 })
  setInterval(() => output.flush(), 250).unref()
  return output
}
