import type { Insertable } from 'kysely'
import type { AdsCallNote } from '#integrations/amazon-ads/index.ts'
import type { Tables } from '#server/db/tables.ts'
import {
  AmbiguousOutcome,
  type UpstreamError,
  UpstreamThrottled,
  UpstreamUnavailable,
} from '#server/http-client/upstream-errors.ts'
import type { CallOutcome, CallStep } from '../../contract.ts'

const secret = /token|secret|password|authorization|credential|email/i
/** The most characters that are stored of one body. */
const MAX_TEXT = 50_000
const listLengths = [1000, 200, 50, 10, 2]

function shortened(value: unknown, most: number): unknown {
  if (Array.isArray(value)) {
    const first = value.slice(0, most).map(one => shortened(one, most))
    return value.length > most ? [...first, `... and ${value.length - most} more`] : first
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, secret.test(name) ? '[left out]' : shortened(one, most)]),
  )
}

/**
 * A body as a log keeps it: JSON without what names itself a secret, its lists cut as far as its length asks for; null
 * for nothing.
 */
export function asLogText(body: unknown): string | null {
  if (body === null || body === undefined) return null
  for (const most of listLengths) {
    const text = JSON.stringify(shortened(body, most))
    if (text.length <= MAX_TEXT) return text
  }
  return JSON.stringify(shortened(body, 1)).slice(0, MAX_TEXT)
}

/** The calls of a run that the journal does not have yet, and the step that makes them. */
export interface CallLog {
  step: CallStep | null
  waiting: Omit<Insertable<Tables['launch_call']>, 'merchant_id' | 'launch_id'>[]
}

function outcomeOf(failure: UpstreamError | null): CallOutcome {
  if (!failure) return 'ANSWERED'
  if (failure instanceof AmbiguousOutcome) return 'UNKNOWN'
  return failure instanceof UpstreamThrottled || failure instanceof UpstreamUnavailable ? 'UNREACHED' : 'REFUSED'
}

/** Notes a call at its end. */
export function noteCall(log: CallLog, { failure, sent, received, tookMs, ...call }: AdsCallNote, end: Date): void {
  log.waiting.push({
    ...call,
    step: log.step,
    at: new Date(end.getTime() - tookMs),
    took_ms: tookMs,
    outcome: outcomeOf(failure),
    status: failure?.status ?? null,
    request_id: failure?.requestId ?? null,
    message: failure?.message ?? null,
    sent: asLogText(sent),
    received: asLogText(received),
  })
}
