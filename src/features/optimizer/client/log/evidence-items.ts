import { formatDay, formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import type { Evidence, LogRow } from '../../contract.ts'

interface Item {
  label: string
  value: string
}

/** A rate as orders from a hundred clicks. */
export const per100 = (rate: number): string => formatNumber(rate * 100, 1)

const caps: Record<NonNullable<Evidence['cap']>, string> = {
  HIGHEST_BID: 'Your highest bid',
  WORTH: 'What a click earns you',
  SUGGESTED: 'Three times the marketplace’s suggestion',
  STEP: 'The largest step at a time',
  STOCK: 'Your stock',
  LEAST_BID: 'The marketplace’s lowest bid',
}

/** The figures that a decision was made from; what is not on record is left out. */
export function evidenceItems({ evidence, currency }: LogRow): Item[] {
  const { clicks, orders, cost, sales, order, worth, margin, cap, forecastAcos, targetAcos, brokeOn } = evidence
  const money = (amount: number): string => formatMoney(amount, currency)
  const list: (Item | false | undefined)[] = [
    clicks !== undefined && { label: 'Clicks', value: formatNumber(clicks) },
    orders !== undefined && { label: 'Orders', value: formatNumber(orders) },
    cost !== undefined && { label: 'Ad spend', value: money(cost) },
    sales !== undefined && { label: 'Ad sales', value: money(sales) },
    cost !== undefined && !!sales && { label: 'ACOS', value: formatPercent((cost / sales) * 100, 1) },
    order !== undefined && { label: 'Value of an order', value: money(order) },
    worth !== undefined && { label: 'Sales expected of a click', value: money(worth) },
    typeof margin === 'number' && { label: 'Margin', value: formatPercent(margin, 0) },
    worth !== undefined &&
      typeof margin === 'number' && { label: 'What a click earns', value: money((worth * margin) / 100) },
    targetAcos !== undefined && { label: 'Target ACOS of the group', value: formatPercent(targetAcos, 1) },
    typeof forecastAcos === 'number' && {
      label: 'Forecast ACOS of the group',
      value: formatPercent(forecastAcos, 1),
    },
    evidence.moneyFactor !== undefined &&
      evidence.moneyFactor < 1 && {
        label: 'Lowered so that the budgets last',
        value: formatPercent((1 - evidence.moneyFactor) * 100, 0),
      },
    evidence.worstClick !== undefined && {
      label: 'Most that one click may cost',
      value: money(evidence.worstClick),
    },
    !!cap && { label: 'Limited by', value: caps[cap] },
    typeof evidence.coverDays === 'number' && {
      label: 'Stock lasts',
      value: `${formatNumber(Math.floor(evidence.coverDays))} days`,
    },
    evidence.certainty !== undefined && {
      label: 'Certainty',
      value: formatPercent(Math.min(evidence.certainty, 99), 0),
    },
    !!brokeOn && { label: 'Sells differently since', value: formatDay(brokeOn) },
  ]
  return list.filter(one => !!one)
}

/** What a day is expected to bring with the change. */
export function forecastItems({ forecast, currency }: LogRow): Item[] {
  if (!forecast) return []
  return [
    { label: 'Clicks a day', value: formatNumber(forecast.clicks, 1) },
    { label: 'Ad spend a day', value: formatMoney(forecast.cost, currency) },
    { label: 'Orders a day', value: formatNumber(forecast.orders, 2) },
    { label: 'ACOS', value: forecast.acos === null ? 'Not known' : formatPercent(forecast.acos, 1) },
  ]
}
