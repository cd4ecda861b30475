import { normal } from './distributions.ts'
import { addDays } from '#shared/time.ts'
import type { Decision } from './decisions.ts'
import { dayParts, type Facts, type HourBlock, type HourFacts } from './facts.ts'
import type { Memory } from './settings.ts'
import { mayChange } from './stays.ts'
import { isRested } from './days.ts'

// Bids by the hour. Off until there is enough to see, then a proposal that is tested in alternating weeks: what it can earn is
// about 2 % of the spend, and chance looks like more.

const least = { days: 28, orders: 300 }
/** A block is believed the mean of all until it has so many orders. */
const priorOrders = 20
/** Orders of one product differ in value by about this part. */
const orderSpread = 0.5
/** A block moves only where all of its band of 90 of 100 cases is outside, and then within these bounds. */
const usual = { low: 0.85, high: 1.15 }
const bounds = { low: 0.7, high: 1.2 }
/** Steps of 5 %. */
const steps = 20
const proposeDays = 56

export const hourBlocks: readonly HourBlock[] = dayParts.flatMap(dayPart =>
  Array.from({ length: 6 }, (_, i) => ({ dayPart, from: i * 4, to: i * 4 + 4 })),
)
/** `WEEKDAY 8-12`. */
const blockId = ({ dayPart, from, to }: HourBlock): string => `${dayPart} ${from}-${to}`
/** The block that an hour of the week belongs to; weekday 1 for Monday. */
export const blockOf = (weekday: number, hour: number): HourBlock =>
  hourBlocks[(weekday > 5 ? 6 : 0) + Math.floor(hour / 4)] as HourBlock

export interface BlockWorth {
  block: HourBlock
  clicks: number
  orders: number
  salesMicros: number
  /** Sales of a click against those of all hours, believed as far as the block has orders; and its band. */
  factor: number
  low: number
  high: number
  /** What bids of the block are to be multiplied by; 1 where chance may explain the difference. */
  bidFactor: number
}

/** What clicks of each of the twelve blocks are worth; empty while there are too few days or orders to say. */
export function worthOfHours({ days, cells }: HourFacts): BlockWorth[] {
  const sums = new Map(hourBlocks.map(block => [blockId(block), { clicks: 0, orders: 0, salesMicros: 0 }]))
  const all = { clicks: 0, orders: 0, salesMicros: 0 }
  for (const { weekday, hour, clicks, orders, salesMicros } of cells)
    for (const sum of [all, sums.get(blockId(blockOf(weekday, hour)))]) {
      if (!sum) continue
      sum.clicks += clicks
      sum.orders += orders
      sum.salesMicros += salesMicros
    }
  if (days < least.days || all.orders < least.orders || all.clicks === 0) return []
  return hourBlocks.map(block => {
    const sum = sums.get(blockId(block)) ?? { clicks: 0, orders: 0, salesMicros: 0 }
    return {
      block,
      ...sum,
      ...factorOf(sum, { rate: all.orders / all.clicks, orderMicros: all.salesMicros / all.orders }),
    }
  })
}

/** Sales of a click of a block against those of all hours, with its band, and what follows for bids. */
export function factorOf(
  { clicks, orders, salesMicros }: { clicks: number; orders: number; salesMicros: number },
  all: { rate: number; orderMicros: number },
) {
  const believed = orders + priorOrders
  const rate = believed / (clicks + priorOrders / all.rate)
  const orderMicros = (salesMicros + priorOrders * all.orderMicros) / believed
  const factor = (rate * orderMicros) / (all.rate * all.orderMicros)
  const spread = Math.sqrt((1 + orderSpread ** 2) / believed)
  const [low, high] = [0.05, 0.95].map(share => factor * Math.exp(normal.inv(share, 0, 1) * spread)) as [number, number]
  const isMoved = high < usual.low || low > usual.high
  const bounded = Math.min(bounds.high, Math.max(bounds.low, factor))
  return { factor, low, high, bidFactor: isMoved ? Math.round(bounded * steps) / steps : 1 }
}

/**
 * Proposes bids by the hour where blocks differ beyond chance: a row for each block of the group, all of one decision group, which always
 * asks. `after` is what is added to bids, as a fraction. To be sent in the weeks that `proof/switchback.ts` draws.
 */
export function decideHours({ hours, campaigns }: Facts, memory: Memory, today: string): Decision[] {
  if (!hours || !isRested(memory.hoursOn, today, proposeDays) || !campaigns.some(one => mayChange(one, 'hours')))
    return []
  const worths = worthOfHours(hours)
  const all = worths.reduce(
    (sum, { clicks, orders, salesMicros }) => ({
      clicks: sum.clicks + clicks,
      orders: sum.orders + orders,
      salesMicros: sum.salesMicros + salesMicros,
    }),
    { clicks: 0, orders: 0, salesMicros: 0 },
  )
  return worths
    .filter(({ bidFactor }) => bidFactor !== 1)
    .map(({ block, clicks, orders, salesMicros, factor, low, high, bidFactor }) => ({
      kind: 'hours',
      groupId: `hours ${today}`,
      entity: 'group',
      entityId: '',
      before: 0,
      after: Math.round((bidFactor - 1) * 100) / 100,
      cause: 'HOURS_DIFFER',
      asks: true,
      evidence: {
        clicks,
        orders,
        salesMicros,
        rate: orders / Math.max(1, clicks),
        parentRate: all.orders / all.clicks,
        basis: {
          hours: { block, orderMicros: all.salesMicros / all.orders, factor, low, high, from: addDays(today, 1) },
        },
      },
      forecast: null,
    }))
}
