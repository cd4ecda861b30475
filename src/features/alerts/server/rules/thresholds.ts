/** From what on something needs a decision. Shares are from 0 to 1. */
export const thresholds = {
  /** An open alert is over below this part of its threshold, so that it does not come and go. */
  overFactor: 0.6,
  budget: {
    /** A campaign is near its budget from this share of it on; before, a pace is guesswork. */
    nearShare: 0.8,
    /** The part of the day's shoppers that is missed; by the account's own hours, and by the clock alone. */
    missedShare: 0.08,
    missedShareByClock: 0.2,
    /** Later in the day nobody could still gain anything. */
    leastMinutesLeft: 60,
  },
  spike: {
    /** How many times the usual spend of a day until then. */
    ratio: 1.5,
    /** And at least so much more, as a part of a usual day. */
    excessShare: 0.3,
    /** By how many standard deviations of the last days' spend, or price of a click, it is beyond them. */
    deviations: 2,
    /** Spend that brings at least this part of the usual sales per unit of money is a good day. */
    healthyReturn: 0.7,
    /** A day of more than so many times the median of the days is not compared with. */
    ordinaryDay: 4,
    /** Days of its own history that a campaign needs. */
    leastDays: 7,
    /** Clicks that day before the price of a click says anything. */
    leastClicks: 5,
    /** Orders that should be reported by now before fewer say anything: none of four comes by chance in one of 50 cases. */
    leastExpected: 4,
    /** Orders may be so many standard deviations more by luck: two where six are expected come in one of 16 cases. */
    luck: 1.65,
    /** Less than this many break-even costs of an order is no matter. */
    breakEvenCosts: 1,
    /** An evening is raised of until so many hours after midnight, since figures come late. */
    hoursAfter: 12,
  },
  noSales: {
    /** Of so many campaigns one may be raised in four weeks by chance alone: each order begins another time without one. */
    campaignsPerChance: 40,
    /** Spend without an order, in break-even costs of an order. */
    breakEvenCosts: 3,
    /** Settled orders from which a conversion rate may be taken. */
    leastOrders: 8,
  },
  /** The share of sales that is left for ads where no target ACOS says so. */
  usualMargin: 0.3,
  /** A dismissed cause must be stronger by so much to be raised again. */
  learnt: { factor: 1.25, days: 14 },
} as const

/** The share of the final orders that is reported so many hours after the click; between them it grows evenly. */
const shownOrders: readonly (readonly [hours: number, share: number])[] = [
  [0, 0],
  [6, 0.12],
  [12, 0.3],
  [24, 0.6],
  [36, 0.8],
  [60, 0.88],
  [84, 0.91],
  [108, 0.94],
  [168, 1],
]

/** How much of a click's orders is reported by an age: orders lag. */
export function shownShare(hours: number): number {
  const next = shownOrders.findIndex(([at]) => at >= hours)
  if (next < 0) return 1
  const [to, high] = shownOrders[next] ?? [0, 1]
  const [from, low] = shownOrders[Math.max(0, next - 1)] ?? [0, 0]
  return to === from ? high : low + ((hours - from) / (to - from)) * (high - low)
}
