import { formatDay, formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { verdictThresholds } from '#features/search-terms/contract.ts'
import type { KeywordRow, NegativeImpact, UnderperformingRow } from '../../keyword-contract.ts'

export const testNames = { NO_SALE: 'No sale', TOO_DEAR: 'Too expensive', STARVED: 'Too few impressions' } as const

const clicks = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'click' : 'clicks'}`
const percent = (value: number): string => formatPercent(value, 1)

/** How sure a verdict is; never more than the counts say. */
export function confidenceText(confidence: number | null): string {
  if (confidence === null) return 'Counted, not estimated'
  return confidence > 99 ? 'More than 99% sure' : `${formatPercent(Math.floor(confidence), 0)} sure`
}

function targetText({ targetAcos, targetFrom }: KeywordRow): string {
  if (targetAcos === null) return 'no target ACOS'
  return `target ${percent(targetAcos)}${targetFrom === 'ACCOUNT' ? ', the ACOS of your account' : ''}`
}

/** Which test a keyword fails, with the numbers of it. */
export function verdictText(row: UnderperformingRow): string {
  const { verdict, currency } = row
  if (verdict.test === 'STARVED') {
    const few = `${formatNumber(row.impressions)} impressions, fewer than ${formatNumber(verdict.impressionsNeeded)}: too few to judge it.`
    if (row.act.kind !== 'NONE' || row.maxCpc === null || row.effectiveBid === null) return few
    return `${few} Its bid of ${formatMoney(row.effectiveBid, currency)} is already as much as a click may cost, ${formatMoney(row.maxCpc, currency)} (${targetText(row)}).`
  }
  if (verdict.test === 'NO_SALE') {
    const enough = `No order in ${clicks(row.clicks)}, where ${formatNumber(verdict.clicksNeeded)} are enough at ${percent(verdict.productCvr)} CVR.`
    if (verdict.price === null || row.targetAcos === null) return enough
    return `${enough} Cost ${formatMoney(row.cost, currency)}; an order may cost ${formatMoney(verdict.spendAllowed, currency)} (price ${formatMoney(verdict.price, currency)}, ${targetText(row)}).`
  }
  const limit = verdict.acosLimit ?? 0
  const isBreakEven = verdict.breakEvenAcos !== null && verdict.breakEvenAcos >= limit
  return `ACOS ${percent(row.acos ?? 0)}, above ${percent(limit)} (${isBreakEven ? 'break-even' : `${verdictThresholds.tooDear} × ${targetText(row)}`}).`
}

/** What follows from a row, as a button says it; null where nothing does. */
export function actText({ act, currency }: KeywordRow): string | null {
  if (act.kind === 'NONE') return null
  if (act.kind === 'PAUSE') return 'Pause'
  return `${act.kind === 'LOWER_BID' ? 'Lower' : 'Raise'} bid to ${formatMoney(act.bid ?? 0, currency)}`
}

/** Between which amounts a negative saved: "$12 to $40". */
export function savedText({ savedLow, savedHigh }: NegativeImpact, currency: string): string {
  return `${formatMoney(savedLow, currency)} to ${formatMoney(savedHigh, currency)}`
}

const origins = { USER: 'a person', MARKETPLACE: 'the marketplace', LAUNCH: 'a launch', RULE: 'a rule' } as const

/** When a negative was added, and by whom. */
export const addedText = ({ addedAt, addedBy, origin }: NegativeImpact): string =>
  `Added ${formatDay(addedAt.slice(0, 10))} by ${addedBy ?? origins[origin]}`

/** From what the saving was worked out. */
export function methodText(row: NegativeImpact, currency: string): string {
  const { before, trafficIndex, daysActive, forgone, isCapped, marginPercent, isMarginAssumed } = row
  if (before.clicks === 0) return 'Its search terms had no click in the 30 settled days before it.'
  const parts = [
    `${formatMoney(before.cost / before.days, currency)} a day before, on ${formatNumber(before.terms)} ${before.terms === 1 ? 'term' : 'terms'}, ${clicks(before.clicks)}`,
    `× ${formatNumber(daysActive)} ${daysActive === 1 ? 'day' : 'days'}`,
    trafficIndex !== null && `× ${formatNumber(trafficIndex, 2)} traffic`,
    before.orders > 0 &&
      `− ${formatMoney(forgone, currency)} profit of ${before.orders === 1 ? '1 order' : `${formatNumber(before.orders)} orders`} (${isMarginAssumed ? 'assumed ' : ''}${formatPercent(marginPercent, 0)} margin)`,
    isCapped && '(limited by the budget)',
  ]
  return `${parts.filter(Boolean).join(' ')}.`
}
