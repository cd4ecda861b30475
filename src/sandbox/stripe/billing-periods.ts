import type { Interval, Price } from './model.ts'

const DAY = 86_400
const days: Partial<Record<Interval, number>> = { day: 1, week: 7 }

/** `count` intervals after the anchor (seconds); a month without such a day has its last day instead. */
function addIntervals(anchor: number, interval: Interval, count: number): number {
  const fixed = days[interval]
  if (fixed !== undefined) return anchor + count * fixed * DAY
  const from = new Date(anchor * 1000)
  const months = from.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const lastDay = new Date(Date.UTC(from.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const date = new Date(from)
  date.setUTCFullYear(from.getUTCFullYear(), months, Math.min(from.getUTCDate(), lastDay))
  return Math.floor(date.getTime() / 1000)
}

/** The end of the period that contains this moment, counted from the anchor. */
export function periodEnd(anchor: number, { recurring }: Price, moment: number): number {
  const { interval = 'month', interval_count: step = 1 } = recurring ?? {}
  if (moment < anchor) return anchor
  let count = 1
  while (addIntervals(anchor, interval, count * step) <= moment) count++
  return addIntervals(anchor, interval, count * step)
}
