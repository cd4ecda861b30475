import { formatFigure, formatHour, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { type MetricName, metrics } from '#shared/metrics.ts'
import { type HourCell, type HourFinding, weekdayNames } from '../../hourly-contract.ts'

export const weekdayName = (weekday: number): string => weekdayNames[weekday - 1] ?? ''

/** An hour of the day: 6–7 PM. */
export const hourSpan = (hour: number): string => `${formatHour(hour)} to ${formatHour((hour + 1) % 24)}`

/** Days of the week as the subject of a sentence. */
function daysOf(weekdays: readonly number[]): string {
  if (weekdays.length === 7) return 'Every day'
  if (weekdays.length === 5) return 'Monday to Friday'
  if (weekdays.length === 2) return 'Weekends'
  return `${weekdayName(weekdays[0] ?? 1)}s`
}

const whole = (percent: number): string => formatPercent(percent, 0)

/** An ACOS against the usual one: "half of the usual", "2.1 times the usual". */
function against(acos: number, usual: number): string {
  const ratio = acos / usual
  if (ratio >= 1.05) return `${formatNumber(ratio, 1)} times the usual ${whole(usual)}`
  if (Math.abs(ratio - 0.5) <= 0.04) return `half of the usual ${whole(usual)}`
  return `${whole(100 * (1 - ratio))} below the usual ${whole(usual)}`
}

/** What a finding says: "Mondays from 6 PM to 10 PM bring orders at an ACOS of 21%, half of the usual 42%." */
export function findingText({ kind, weekdays, from, to, acos, usualAcos, costShare, salesShare }: HourFinding): string {
  const when = `${daysOf(weekdays)} from ${formatHour(from)} to ${formatHour(to)}`
  if (kind === 'SELLS')
    return `${when}, orders come at an ACOS of ${whole(acos ?? 0)}, ${against(acos ?? 0, usualAcos)}.`
  const shares = `${when}, you spend ${whole(costShare)} of your money and make ${whole(salesShare)} of your ad sales`
  return acos === null ? `${shares}.` : `${shares}: an ACOS of ${whole(acos)}, ${against(acos, usualAcos)}.`
}

/** The counts that a finding rests on. */
export const findingCounts = ({ clicks, orders, expectedOrders }: HourFinding): string =>
  `${formatNumber(orders)} orders from ${formatNumber(clicks)} clicks. This spend usually brings ${formatNumber(expectedOrders)}.`

/** What a cell counts: "12 clicks on 4 days". */
export function countsText({ clicks, days }: HourCell): string {
  if (days === 0) return 'no day counted yet'
  return `${formatNumber(clicks)} ${clicks === 1 ? 'click' : 'clicks'} on ${days === 1 ? '1 day' : `${formatNumber(days)} days`}`
}

/** What is drawn in a cell: a mean per hour for what adds up, else the value. */
export const shownValue = (cell: HourCell): number | null => cell.perHour ?? cell.value

/** A value in as few characters as fit a cell: 1.2k, 34%, 0.8. */
export function cellText(value: number | null, metric: MetricName): string {
  if (value === null) return '–'
  const { unit } = metrics[metric]
  if (value >= 9950) return `${formatNumber(value / 1000, 0)}k`
  if (value >= 995) return `${formatNumber(value / 1000, 1)}k`
  if (unit === 'percent') return formatNumber(value, value < 10 ? 1 : 0)
  return formatNumber(value, value >= 99.5 ? 0 : value >= 9.95 ? 0 : value >= 1 ? 1 : 2)
}

/** A value in full, and of what it is a mean. */
export function fullValue(cell: HourCell, metric: MetricName, currency: string): string {
  const value = shownValue(cell)
  if (value === null) return metric === 'acos' && cell.cost > 0 ? 'No sales' : 'Not known'
  const { unit } = metrics[metric]
  // A mean of counts has a fraction.
  const text = unit === 'count' ? formatNumber(value, 1) : formatFigure(value, unit, currency)
  return cell.perHour === null ? text : `${text} an hour`
}
