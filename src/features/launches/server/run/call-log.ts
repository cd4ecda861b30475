import type { AdsCallNote } from '#integrations/amazon-ads/index.ts'
import {
  AmbiguousOutcome,
  type UpstreamError,
  UpstreamThrottled,
  UpstreamUnavailable,
} from '#server/http-client/upstream-errors.ts'
import type { CallOutcome, CallStep } from '../../contract.ts'
import { asLogText } from './log-text.ts'

/** A call as the journal takes it. */
export interface LoggedCall {
  step: CallStep | null
  at: Date
  tookMs: number
  operation: string
  method: string
  path: string
  outcome: CallOutcome
  status: number | null
  requestId: string | null
  message: string | null
  sent: string | null
  received: string | null
}

/** The calls of a run that the journal does not have yet, and the step that makes them. */
export interface CallLog {
  step: CallStep | null
  waiting: LoggedCall[]
}

const outcomeOf = (failure: UpstreamError | null): CallOutcome => {
  if (!failure) return 'ANSWERED'
  if (failure instanceof AmbiguousOutcome) return 'UNKNOWN'
  return failure instanceof UpstreamThrottled || failure instanceof UpstreamUnavailable ? 'UNREACHED' : 'REFUSED'
}

/** Notes a call at its end. */
export const noteCall = (log: CallLog, note: AdsCallNote, at: Date): void => {
  const { operation, method, path, failure, tookMs } = note
  log.waiting.push({
    step: log.step,
    at: new Date(at.getTime() - tookMs),
    tookMs,
    operation,
    method,
    path,
    outcome: outcomeOf(failure),
    status: failure?.status ?? null,
    requestId: failure?.requestId ?? null,
    message: failure?.message ?? null,
    sent: asLogText(note.sent),
    received: asLogText(note.received),
  })
}
