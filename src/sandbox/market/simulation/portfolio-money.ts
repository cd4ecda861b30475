import { addDays, startOfDayIn } from '#shared/time.ts'
import { collectionsOf } from '../../core/model/ad-products.ts'
import type { Portfolio, Profile, Store } from '../../core/model/store.ts'
import { dayText, hourIndexOf, type LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import type { Ledger } from '../records/ledger.ts'
import { type BudgetState, newBudgetState } from './budget.ts'

/** What the campaigns of a capped portfolio may still spend together. */
export interface PortfolioMoney {
  /** Of these days of the portfolio, among the budget states. */
  key: string
  capMicros: number
  /** In the days that the cap is for, so far. */
  spentMicros: number
  /** The portfolio's days have not begun, or they are over. */
  isClosed: boolean
  /** When `spentMicros` was reached, the last affordable click was bought; null while there is money. */
  ranOutAt: number | null
}

/** Hours since 1970 of the days that a portfolio's cap is for, at an hour: from (included) to (excluded). */
function periodOf({ policy, startDate, endDate }: Portfolio, { timezone }: Profile, day: string) {
  const firstHour = (text: string): number => hourIndexOf(startOfDayIn(text, timezone).getTime())
  const isMonthly = policy === 'MONTHLY_RECURRING'
  const month = `${day.slice(0, 7)}-01`
  const nextMonth = `${addDays(month, 31).slice(0, 7)}-01`
  const start = isMonthly ? month : (startDate ?? day)
  const end = endDate === null ? null : addDays(endDate, 1)
  const to = isMonthly && (end === null || nextMonth < end) ? nextMonth : (end ?? nextMonth)
  return { from: firstHour(start), to: firstHour(to), hasEnded: end !== null && end <= day }
}

interface Records {
  ledgerOf: (adProduct: AdProduct) => Ledger
  localHour: (hourIndex: number) => LocalHour
  budgetStates: ReadonlyMap<string, BudgetState>
}

/** The money of each campaign in a capped portfolio at an hour, and the next hour at which a cap's days begin or end. */
export function portfolioMoney(
  store: Store,
  profile: Profile | null,
  hour: number,
  { ledgerOf, localHour, budgetStates }: Records,
): { moneyOf: ReadonlyMap<string, PortfolioMoney>; validUntil: number } {
  const moneyOf = new Map<string, PortfolioMoney>()
  let validUntil = Number.POSITIVE_INFINITY
  for (const portfolio of store.portfolios.values()) {
    const { portfolioId, profileId, amountMicros: capMicros } = portfolio
    if (!profile || profileId !== profile.profileId || capMicros === null) continue
    const { from, to, hasEnded } = periodOf(portfolio, profile, dayText(localHour(hour).day))
    const isClosed = hour < from || hasEnded
    for (const bound of [from, to]) if (bound > hour) validUntil = Math.min(validUntil, bound)
    const key = `portfolio ${portfolioId} ${from}`
    const money: PortfolioMoney = { key, capMicros, spentMicros: 0, isClosed, ranOutAt: null }
    for (const [adProduct, campaigns] of collectionsOf(store, 'campaigns')) {
      const inside = new Set<string>()
      for (const campaign of campaigns.values())
        if (campaign.portfolioId === portfolioId) inside.add(campaign.campaignId)
      if (inside.size === 0) continue
      for (const campaignId of inside) moneyOf.set(campaignId, money)
      if (!isClosed) money.spentMicros += ledgerOf(adProduct).costOf(inside, from, hour, profile.currency)
    }
    const state = budgetStates.get(key)
    // A higher cap, or a campaign that left with what it had spent, sets the rest free again.
    if (state && state.ranOutAt === capMicros && state.spent <= money.spentMicros) money.ranOutAt = money.spentMicros
  }
  return { moneyOf, validUntil }
}

/** Writes down that a portfolio's money buys no more clicks, until its cap is raised or its next days begin. */
export function stopPortfolio(money: PortfolioMoney, budgetStates: Map<string, BudgetState>, day: number): void {
  money.ranOutAt = money.spentMicros
  budgetStates.set(money.key, { ...newBudgetState(day), spent: money.spentMicros, ranOutAt: money.capMicros })
}

export const leftOfPortfolio = ({ capMicros, spentMicros, isClosed, ranOutAt }: PortfolioMoney): number =>
  isClosed || ranOutAt !== null ? 0 : Math.max(0, capMicros - spentMicros)
