/** Why a client needs attention; the screen says it in a sentence. */
export const attentionReasons = [
  'CONNECTION_LOST',
  'SPEND_STOPPED',
  'NO_SALES',
  'ALERTS',
  'ACOS_UP',
  'SALES_DOWN',
  'SPEND_UP',
] as const
export type AttentionReason = (typeof attentionReasons)[number]

/** Spend and sales of a range, in whatever unit both have. */
interface Range {
  cost: number
  sales: number
}

interface Situation {
  now: Range
  before: Range
  /** How far the strongest open alert is beyond its threshold (1: just so); null without one. */
  strongestAlert: number | null
  isConnectionLost: boolean
}

// A change by a tenth is what weeks differ by anyway.
const noise = 0.1
// What cannot be seen to change, because there is nothing left to compare with, counts like a change by factor e to this.
const weights = { lost: 3, stopped: 2, noSales: 2, alertAtMost: 3 }

/**
 * What a client needs attention for, and how unusual that is: the natural logarithm of the change, or what stands for it.
 * The list is sorted by it times `spend`. Null when nothing is unusual.
 */
export function attentionOf({
  now,
  before,
  strongestAlert,
  isConnectionLost,
}: Situation): { reason: AttentionReason; anomaly: number } | null {
  const candidates: [AttentionReason, number][] = [
    ['CONNECTION_LOST', isConnectionLost ? weights.lost : 0],
    ['SPEND_STOPPED', now.cost === 0 && before.cost > 0 ? weights.stopped : 0],
    ['NO_SALES', now.cost > 0 && now.sales === 0 && before.sales > 0 ? weights.noSales : 0],
    ['ALERTS', strongestAlert === null ? 0 : Math.min(weights.alertAtMost, strongestAlert)],
    ['ACOS_UP', change(ratio(now), ratio(before))],
    ['SALES_DOWN', now.cost > 0 ? change(before.sales, now.sales) : 0],
    // More spend is often meant: it counts half.
    ['SPEND_UP', change(now.cost, before.cost) / 2],
  ]
  let worst: { reason: AttentionReason; anomaly: number } | null = null
  for (const [reason, anomaly] of candidates)
    if (anomaly > noise && anomaly > (worst?.anomaly ?? 0)) worst = { reason, anomaly }
  return worst
}

const ratio = ({ cost, sales }: Range): number => (sales > 0 ? cost / sales : 0)

/** The natural logarithm of a growth; 0 where it shrank or one side is missing. */
const change = (to: number, from: number): number => (to > 0 && from > 0 ? Math.max(0, Math.log(to / from)) : 0)
