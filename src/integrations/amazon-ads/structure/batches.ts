import { AmbiguousOutcome, UpstreamError, UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { type ItemOutcome, notSent, unknownOutcome } from './outcome.ts'

/** The most items that one call takes [Sponsored Products v3 specification]. */
export const MAX_BATCH = 1000

/**
 * Sends items batch by batch; outcomes in the order of the items. When a later batch fails as a whole, its items and
 * those after it are told so one by one, since the ids of the first batches must not be lost; the first batch's failure
 * is thrown.
 */
export const inBatches = async <T, E>(
  items: readonly T[],
  send: (batch: T[]) => Promise<ItemOutcome<E>[]>,
  size: number = MAX_BATCH,
): Promise<ItemOutcome<E>[]> => {
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

const outcomeOf = (error: UpstreamError): ItemOutcome<never> =>
  error instanceof AmbiguousOutcome
    ? unknownOutcome(error.message)
    : notSent(error.message, !(error instanceof UpstreamRejected))
