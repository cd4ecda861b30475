// How much of a day's final orders reports show at which age: learnt from the versions of days that were pulled again and again.

/** What a day was reported as at some time. Ages are hours after its end. */
export interface DayVersion {
  date: string
  /** When this version was first and last reported. */
  fromAge: number
  toAge: number
  sums: { orders: number }
}

/** What is assumed of the first days before anything is learnt, for orders that count within a week of the click. */
const assumed = [0.32, 0.83, 0.88, 0.91, 0.94, 0.96, 0.985]
/** Within two weeks some 7 of 100 orders come after the first. */
const assumedOfFirstWeek = 0.93
/** What is assumed weighs as much as these orders. */
const assumedOrders = 60
/** After the window of attribution, days are corrected for some days more. */
const correctionDays = 3

/** After how many days the orders of a day are final: three after the last click can lead to one. */
export const settledAfter = (windowDays: number): number => windowDays + correctionDays

/** The share of the final orders that a profile without any history is assumed to show at an age, in days from 1. */
function assumedAt(age: number, windowDays: number): number {
  const ofWeek = assumed[age - 1] ?? 1
  if (windowDays <= 7) return ofWeek
  if (age <= assumed.length) return ofWeek * assumedOfFirstWeek
  const late = Math.min(1, (age - assumed.length) / (windowDays - assumed.length + 1))
  return assumedOfFirstWeek + (1 - assumedOfFirstWeek) * late
}

/**
 * The share of final orders that reports show of days 0, 1, 2 … days ago, as `Facts.shown` has it: 0 today, never falling, 1 at
 * the end. Learnt from all versions of the days of one profile and ad type (`versionsOf` reads them), and the more of them
 * there are, the less is assumed. `readAtHour` is how many hours after midnight decisions read the reports; `windowDays` is 7
 * or 14. Days that have not settled, or were first seen when they had, teach nothing.
 */
export function learnShown(
  versions: readonly DayVersion[],
  { windowDays, readAtHour = 10 }: { windowDays: number; readAtHour?: number },
): number[] {
  const settledHours = settledAfter(windowDays) * 24
  const days = [...Map.groupBy(versions, one => one.date).values()]
    .map(all => all.toSorted((a, b) => a.fromAge - b.fromAge))
    .filter(all => (all[0]?.fromAge ?? settledHours) < settledHours && (all.at(-1)?.toAge ?? 0) >= settledHours)
  const shares = Array.from({ length: settledAfter(windowDays) }, (_, i) => {
    const age = i + 1
    const hours = (age - 1) * 24 + readAtHour
    let [seen, final] = [0, 0]
    for (const all of days) {
      // What a decision would have read: the newest version of before that hour, had there been a pull by then.
      const version = all.findLast(one => one.fromAge <= hours)
      if (!version) continue
      seen += version.sums.orders
      final += all.at(-1)?.sums.orders ?? 0
    }
    return {
      share: (seen + assumedOrders * assumedAt(age, windowDays)) / (final + assumedOrders),
      weight: final + assumedOrders,
    }
  })
  // Cancelled orders let more be shown at first than at the end.
  return [0, ...rising(shares).map(share => Math.min(1, share)), 1]
}

/** The rising curve that is nearest to these points by their weights: neighbours that fall are joined at their mean. */
function rising(points: readonly { share: number; weight: number }[]): number[] {
  const blocks: { share: number; weight: number; count: number }[] = []
  for (const point of points) {
    let block = { ...point, count: 1 }
    for (let last = blocks.at(-1); last && last.share > block.share; last = blocks.at(-1)) {
      blocks.pop()
      const weight = last.weight + block.weight
      block = {
        share: (last.share * last.weight + block.share * block.weight) / weight,
        weight,
        count: last.count + block.count,
      }
    }
    blocks.push(block)
  }
  return blocks.flatMap(({ share, count }) => Array.from({ length: count }, () => share))
}
