import { type RawBuilder, sql } from 'kysely'
import { addDays, daysBetween } from '#shared/time.ts'

/** The lengths of blocks of days, in days; a longer one is made of whole shorter ones. */
export const blockLengths = [28, 7, 1] as const
/** A Monday: blocks of each length lie end to end from here. */
const firstBlock = '2000-01-03'

/** The first day of the block that a day is in. */
export const startOfBlock = (day: string, days: number): string => {
  const at = daysBetween(firstBlock, day) % days
  return addDays(day, -(at < 0 ? at + days : at))
}
/** The same of a column. */
export const blockStart = (date: RawBuilder<unknown>, days: number): RawBuilder<unknown> =>
  sql`(${date} - ((${date} - ${firstBlock}::date) % ${days}::int))`

export interface Block {
  start: string
  days: number
  /** -1 for one that is subtracted. */
  sign: 1 | -1
}

/** The blocks, as few as possible, whose sums added and subtracted are those of the days. */
export function blocksOf(
  days: { from: string; to: string },
  [length = 1, ...longer]: readonly number[] = blockLengths.toReversed(),
): Block[] {
  const between = (from: string, end: string, sign: Block['sign']): Block[] =>
    Array.from({ length: Math.max(0, daysBetween(from, end) / length) }, (_, n) => ({
      start: addDays(from, n * length),
      days: length,
      sign,
    }))
  const [from, end] = [days.from, addDays(days.to, 1)]
  const plain = between(from, end, 1)
  const [next] = longer
  if (next === undefined) return plain
  const rounded = (day: string) => startOfBlock(addDays(day, Math.floor(next / 2)), next)
  const [first, last] = [rounded(from), rounded(end)]
  if (first >= last) return plain
  const starts = [...between(from, first, 1), ...between(first, from, -1)]
  const ends = [...between(last, end, 1), ...between(end, last, -1)]
  const cut = [...starts, ...blocksOf({ from: first, to: addDays(last, -1) }, longer), ...ends]
  return cut.length < plain.length ? cut : plain
}
