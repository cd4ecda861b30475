import { formatFullDay, formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { strategyLabel } from '../form/strategy-words.ts'

const states: Record<string, string> = { ENABLED: 'Enable', PAUSED: 'Pause', ARCHIVED: 'Archive' }

const words: Record<string, (value: unknown, currency: string) => string> = {
  state: value => states[String(value)] ?? String(value),
  name: value => `Name “${String(value)}”`,
  budget: (value, currency) => `Daily budget ${formatMoney(Number(value), currency)}`,
  targetAcos: value => (typeof value === 'number' ? `Target ACOS ${formatPercent(value, 1)}` : 'No target ACOS'),
  bid: (value, currency) => `Bid ${formatMoney(Number(value), currency)}`,
  defaultBid: (value, currency) => `Default bid ${formatMoney(Number(value), currency)}`,
  biddingStrategy: value => strategyLabel(String(value)),
  placements: () => 'Placements',
  endDate: value => (typeof value === 'string' ? `Last day ${formatFullDay(value)}` : 'No last day'),
}

/** What a change does, for people: "Pause, daily budget $30.00". */
export const editWords = (set: object, currency: string): string => {
  const all = Object.entries(set).map(([field, value]) => words[field]?.(value, currency) ?? field)
  const [first = '', ...rest] = all
  return [first, ...rest.map(one => one.charAt(0).toLowerCase() + one.slice(1))].join(', ')
}
