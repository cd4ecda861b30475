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

/** Structured JSON log to stdout (or `destination`); values under names of secrets are replaced at any of three depths. */
export const createLog = (options: { level: string; destination?: DestinationStream }): Log =>
  pino(
    {
      level: options.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets.flatMap(s => [s, `*.${s}`, `*.*.${s}`]), censor: '[secret]' },
    },
    options.destination ?? pino.destination({ sync: false }),
  )
