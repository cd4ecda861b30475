import { pino, type DestinationStream, type Logger } from 'pino'

export type Log = Logger

// What must never be written, wherever it stands in a logged object.
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

// `code` names two things: what a consent came back with, which is a secret, and what went wrong, which is why one reads a
// log. Codes of errors are short or have underscores between words in one case; those of a consent are long and mixed.
const errorCode = /^(\d{3}|[\dA-Z]{5}|E[A-Z\d]{2,20}|[A-Z]+(_[A-Z\d]+)+|[a-z]+(_[a-z\d]+)+)$/
const redact = (value: unknown, path: string[]): unknown =>
  path.at(-1) === 'code' && errorCode.test(String(value)) ? value : '[secret]'

/** Structured JSON log to stdout (or `destination`); values under names of secrets are replaced at any of three depths, save the codes of errors. */
export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets.flatMap(s => [s, `*.${s}`, `*.*.${s}`]), censor: redact },
    },
    options.destination ?? pino.destination({ sync: false }),
  )
}
