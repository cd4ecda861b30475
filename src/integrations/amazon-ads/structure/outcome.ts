import type { z } from 'zod'
import type { batchResultWire, ItemErrorWire } from './wire.ts'
import { AmbiguousOutcome, UpstreamError, UpstreamRejected } from '#server/http-client/upstream-errors.ts'

/**
 * What became of one item. A refused item certainly did not happen, except where the reason is OUTCOME_UNKNOWN: then
 * look by name or text before sending it again. NOT_SENT follows a batch that failed as a whole.
 */
export type ItemOutcome<E> =
  | { ok: true; id: string; entity: E | null }
  | {
      ok: false
      /** The marketplace's word, for instance TOO_LOW, or our own OUTCOME_UNKNOWN and NOT_SENT. */
      reason: string
      /** The group of the reason, for instance rangeError; `transport` for our own. */
      selector: string
      /** The field, as a path into the request. */
      location: string | null
      message: string
      /** True when the same item may succeed unchanged a little later. */
      retryable: boolean
    }

const passing = new Set(['throttledError', 'internalServerError'])

export function refusedBy(errors: readonly ItemErrorWire[]): ItemOutcome<never> {
  const [selector, value] = Object.entries(errors[0]?.errorValue ?? {})[0] ?? []
  const name = selector ?? errors[0]?.errorType ?? 'otherError'
  return {
    ok: false,
    reason: value?.reason ?? 'OTHER_ERROR',
    selector: name,
    location: value?.cause?.location ?? null,
    message: value?.message ?? value?.reason ?? name,
    retryable: passing.has(name),
  }
}

/** A refusal by a call that tells only a code and words. */
export function refusedAs(reason: string, message: string): ItemOutcome<never> {
  return {
    ok: false,
    reason,
    selector: 'otherError',
    location: null,
    message,
    retryable: reason === 'THROTTLED' || reason === 'INTERNAL_ERROR',
  }
}

export function unknownOutcome(message: string): ItemOutcome<never> {
  return {
    ok: false,
    reason: 'OUTCOME_UNKNOWN',
    selector: 'transport',
    location: null,
    message,
    retryable: false,
  }
}

export function notSent(message: string, retryable: boolean): ItemOutcome<never> {
  return {
    ok: false,
    reason: 'NOT_SENT',
    selector: 'transport',
    location: null,
    message,
    retryable,
  }
}

/** Puts the two lists of a 207 back into the order of the request; an item in neither list is of unknown outcome. */
export function toOutcomes<E>(
  count: number,
  wire: z.output<typeof batchResultWire>,
  readSuccess: (item: Record<string, unknown>) => { id: string; entity: E | null } | null,
): ItemOutcome<E>[] {
  const outcomes: ItemOutcome<E>[] = Array.from({ length: count }, () =>
    unknownOutcome('the answer does not mention it'),
  )
  for (const { index, errors } of wire.error ?? []) if (index < count) outcomes[index] = refusedBy(errors ?? [])
  for (const item of wire.success ?? []) {
    const read = item.index < count ? readSuccess(item) : null
    if (read) outcomes[item.index] = { ok: true, ...read }
  }
  return outcomes
}

/** The most items that one call takes [Sponsored Products v3 specification]. */
export const MAX_BATCH = 1000

/**
 * Sends items batch by batch; outcomes in the order of the items. When a later batch fails as a whole, its items and
 * those after it are reported one by one, because the ids of the first batches must not be lost; the first batch's failure
 * is thrown.
 */
export async function inBatches<T, E>(
  items: readonly T[],
  send: (batch: T[]) => Promise<ItemOutcome<E>[]>,
  size: number = MAX_BATCH,
): Promise<ItemOutcome<E>[]> {
  const outcomes: ItemOutcome<E>[] = []
  for (let at = 0; at < items.length; at += size) {
    const batch = items.slice(at, at + size)
    try {
      outcomes.push(...(await send(batch)))
    } catch (error) {
      if (at === 0 || !(error instanceof UpstreamError)) throw error
      outcomes.push(...batch.map(() => outcomeOf(error)))
      outcomes.push(...items.slice(at + size).map(() => notSent(error.message, true)))
      break
    }
  }
  return outcomes
}

function outcomeOf(error: UpstreamError): ItemOutcome<never> {
  return error instanceof AmbiguousOutcome
    ? unknownOutcome(error.message)
    : notSent(error.message, !(error instanceof UpstreamRejected))
}
