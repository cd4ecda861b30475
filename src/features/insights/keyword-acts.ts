import type { Micros } from '#shared/money.ts'
import { smallestUnitMicros } from '#shared/money.ts'
import {
  type JudgedSums,
  type KeywordStandard,
  type KeywordTest,
  maxCpcMicros,
  verdictThresholds,
} from '#features/search-terms/contract.ts'

export interface Act {
  kind: 'PAUSE' | 'LOWER_BID' | 'RAISE_BID' | 'NONE'
  bidMicros: Micros | null
}

const none: Act = { kind: 'NONE', bidMicros: null }
const pause: Act = { kind: 'PAUSE', bidMicros: null }

/**
 * What follows from how a keyword does: pause it without a sale, lower its bid to what a click may cost where it is too
 * dear, raise it a step, at most to that, where it is starved or sells below its target.
 */
export function actOf(
  test: KeywordTest | null,
  sums: JudgedSums,
  standard: KeywordStandard,
  bidMicros: Micros | null,
  currency: string,
): Act {
  if (test === 'NO_SALE') return pause
  const most = maxCpcMicros(sums, standard)
  if (bidMicros === null) return test === 'TOO_DEAR' ? pause : none
  const unit = smallestUnitMicros(currency)
  const roundedDown = (micros: number): Micros => Math.floor(micros / unit + 1e-9) * unit
  if (test === 'TOO_DEAR' || isAbove(sums, standard)) {
    // A bid that is low enough already, and still too dear: the clicks are not worth it.
    if (most === null || roundedDown(most) >= bidMicros || roundedDown(most) <= 0) return test ? pause : none
    return { kind: 'LOWER_BID', bidMicros: roundedDown(most) }
  }
  if (test === null && (sums.orders < verdictThresholds.leastOrders || most === null)) return none
  const step = Math.max(bidMicros * (1 + verdictThresholds.bidStep), bidMicros + unit)
  const raised = roundedDown(most === null ? step : Math.min(step, most))
  return raised > bidMicros ? { kind: 'RAISE_BID', bidMicros: raised } : none
}

function isAbove({ orders, costMicros, salesMicros }: JudgedSums, { targetAcos }: KeywordStandard): boolean {
  return orders >= verdictThresholds.leastOrders && targetAcos !== null && 100 * costMicros > salesMicros * targetAcos
}
