import { hourlyConfig } from '../../hourly-config.ts'

/** What an hour of the week needs for the reading; money in micros or decimals, but all alike. */
export interface ReadHour {
  clicks: number
  orders: number
  cost: number
  sales: number
}

/** Hours of the week that sell better or worse than the others, by counts that chance does not explain. */
export interface Finding {
  kind: 'SELLS' | 'WASTES'
  /** The days of the week, 0 for Monday. */
  weekdays: number[]
  /** The first hour, and the one after the last: 22 to 2 goes past midnight. */
  from: number
  to: number
  clicks: number
  orders: number
  /** The orders that this spend brings in the other hours. */
  expectedOrders: number
  /** Percent of all. */
  costShare: number
  salesShare: number
  /** In percent; null without sales. */
  acos: number | null
  /** That of all other hours. */
  usualAcos: number
}

const single = [0, 1, 2, 3, 4, 5, 6].map(day => [day])
const everyDay = [0, 1, 2, 3, 4, 5, 6]
const dayGroups = [everyDay, [0, 1, 2, 3, 4], [5, 6], ...single]

/** At most two findings, the best hours and the worst, each the surest of its kind. `hours` begin on Monday at 0 h. */
export function readWeek(hours: readonly ReadHour[], collectedDays: number): Finding[] {
  const { reading } = hourlyConfig
  const all = totalOf(hours)
  if (collectedDays < reading.minDays || all.sales <= 0 || all.cost <= 0) return []
  const best: { SELLS?: Found; WASTES?: Found } = {}
  for (const weekdays of dayGroups) {
    const byHour = Array.from({ length: 24 }, (_, hour) =>
      totalOf(weekdays.map(day => hours[day * 24 + hour] as ReadHour)),
    )
    for (let from = 0; from < 24; from++) {
      const window = noHours()
      for (let length = 1; length <= reading.maxHours; length++) {
        // Past midnight only where the next day is among them anyway.
        if (from + length > 24 && weekdays.length < 7) break
        add(window, byHour[(from + length - 1) % 24] as ReadHour)
        if (length < reading.minHours) continue
        const found = judge(window, all, { weekdays, from, to: (from + length) % 24 })
        if (found && found.strength > (best[found.finding.kind]?.strength ?? 0)) best[found.finding.kind] = found
      }
    }
  }
  return [best.SELLS, best.WASTES].flatMap(found => (found ? [found.finding] : []))
}

interface Found {
  finding: Finding
  /** How far beyond chance, in standard deviations: an ordinary hour more or less in the window makes it weaker. */
  strength: number
}

function judge(window: ReadHour, all: ReadHour, where: Pick<Finding, 'weekdays' | 'from' | 'to'>): Found | null {
  const { reading } = hourlyConfig
  const { clicks, orders, cost, sales } = window
  const rest = { cost: all.cost - cost, orders: all.orders - orders, sales: all.sales - sales }
  if (clicks < reading.minClicks || rest.cost <= 0 || rest.sales <= 0) return null
  const expectedOrders = (rest.orders * cost) / rest.cost
  if (expectedOrders < reading.minExpectedOrders) return null
  const sigma = (orders - expectedOrders) / Math.sqrt(expectedOrders)
  const usual = rest.cost / rest.sales
  const ratio = sales > 0 ? cost / sales / usual : Infinity
  const isGood = sigma >= reading.minSigma && ratio <= reading.goodRatio
  const isBad = sigma <= -reading.minSigma && ratio >= reading.badRatio
  if (!isGood && !isBad) return null
  return {
    strength: Math.abs(sigma),
    finding: {
      kind: isGood ? 'SELLS' : 'WASTES',
      ...where,
      clicks,
      orders,
      expectedOrders,
      costShare: (100 * cost) / all.cost,
      salesShare: (100 * sales) / all.sales,
      acos: sales > 0 ? (100 * cost) / sales : null,
      usualAcos: 100 * usual,
    },
  }
}

const noHours = (): ReadHour => ({ clicks: 0, orders: 0, cost: 0, sales: 0 })

function add(total: ReadHour, { clicks, orders, cost, sales }: ReadHour): void {
  total.clicks += clicks
  total.orders += orders
  total.cost += cost
  total.sales += sales
}

function totalOf(hours: readonly ReadHour[]): ReadHour {
  const total = noHours()
  for (const hour of hours) add(total, hour)
  return total
}
