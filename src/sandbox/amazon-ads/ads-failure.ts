import { randomUUID } from 'node:crypto'
import { plainText } from './plain-text.ts'

/** An error that fails a whole request. `body` is the vendor's wording, which differs by API family. */
export class AdsFailure extends Error {
  readonly status: number
  readonly body: Record<string, unknown>

  constructor(status: number, body: Record<string, unknown>) {
    super(plainText(body.message ?? body.details ?? body.detail ?? status))
    this.status = status
    this.body = body
  }
}

/** An error of the gateway in front of all families. */
export const gatewayFailure = (status: number, code: string, details: string): AdsFailure =>
  new AdsFailure(status, { code, details, requestId: randomUUID() })

/** An error of Sponsored Products v3 for a whole request. */
export const invalidArgument = (message: string): AdsFailure =>
  new AdsFailure(400, { code: 'INVALID_ARGUMENT', message })

/** A value outside its list, in the wording that real callers have seen; case counts. */
export function badEnum(value: unknown, at: string, allowed: readonly string[]): AdsFailure {
  return invalidArgument(
    `1 validation error detected: Value '${shown(value)}' at '${at}' failed to satisfy constraint: Member must satisfy enum value set: [${allowed.join(', ')}]`,
  )
}

const shown = (value: unknown): string => (Array.isArray(value) ? `[${value.join(', ')}]` : String(value))

/** An error of reporting. */
export const reportingFailure = (status: number, detail: string): AdsFailure =>
  new AdsFailure(status, { code: String(status), detail })
