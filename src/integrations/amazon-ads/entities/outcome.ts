import { z } from 'zod'
import { AmbiguousOutcome, UpstreamError, UpstreamRejected } from '#server/http-client/upstream-errors.ts'

interface Refusal {
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
/**
 * What became of one item. A refused item certainly did not happen, except where the reason is OUTCOME_UNKNOWN: then
 * look by name or text before sending it again. NOT_SENT follows a batch that failed as a whole.
 */
export type ItemOutcome<E> = { ok: true; id: string; entity: E | null } | Refusal

// `rangeError: {reason, message, cause}`: the one member's name is the selector.
const itemError = z.object({
  errorType: z.string().nullish(),
  errorValue: z
    .record(
      z.string(),
      z
        .object({
          reason: z.string().nullish(),
          message: z.string().nullish(),
          cause: z.object({ location: z.string().nullish() }).nullish(),
        })
        .nullish(),
    )
    .nullish(),
})

/** The two lists of a 207; the items of `success` carry an id and an entity under names that differ by resource. */
export const batchResultWire = z.object({
  success: z.array(z.looseObject({ index: z.number() })).nullish(),
  error: z.array(z.object({ index: z.number(), errors: z.array(itemError).nullish() })).nullish(),
})

const passing = new Set(['throttledError', 'internalServerError'])

export function refusedBy(errors: readonly z.output<typeof itemError>[]): Refusal {
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
export function refusedAs(reason: string, message: string): Refusal {
  const retryable = reason === 'THROTTLED' || reason === 'INTERNAL_ERROR'
  return { ok: false, reason, selector: 'otherError', location: null, message, retryable }
}

const inTransport = { ok: false, selector: 'transport', location: null } as const
const unknownOutcome = (message: string): Refusal => ({
  ...inTransport,
  reason: 'OUTCOME_UNKNOWN',
  message,
  retryable: false,
})
const notSent = (message: string, retryable: boolean): Refusal => ({
  ...inTransport,
  reason: 'NOT_SENT',
  message,
  retryable,
})
/** An item that the answer to its batch leaves out. */
export const unmentioned = unknownOutcome('the answer does not mention it')

/** Puts the two lists of a 207 back into the order of the request. */
export function toOutcomes<E>(
  count: number,
  wire: z.output<typeof batchResultWire>,
  readSuccess: (item: Record<string, unknown>) => { id: string; entity: E | null } | null,
): ItemOutcome<E>[] {
  const outcomes = Array.from({ length: count }, (): ItemOutcome<E> => unmentioned)
  for (const { index, errors } of wire.error ?? []) if (index < count) outcomes[index] = refusedBy(errors ?? [])
  for (const item of wire.success ?? []) {
    const read = item.index < count ? readSuccess(item) : null
    if (read) outcomes[item.index] = { ok: true, ...read }
  }
  return outcomes
}

/** The most items that one call takes [Sponsored Products v3 specification]. */
export const MAX_BATCH = 1000

/** Cuts a list into pieces of at most `size`; none of an empty list. */
export const chunks = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

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
  for (const batch of chunks(items, size)) {
    try {
      outcomes.push(...(await send(batch)))
    } catch (error) {
      if (!outcomes.length || !(error instanceof UpstreamError)) throw error
      const failed =
        error instanceof AmbiguousOutcome
          ? unknownOutcome(error.message)
          : notSent(error.message, !(error instanceof UpstreamRejected))
      outcomes.push(...batch.map(() => failed))
      outcomes.push(...items.slice(outcomes.length).map(() => notSent(error.message, true)))
      break
    }
  }
  return outcomes
}
