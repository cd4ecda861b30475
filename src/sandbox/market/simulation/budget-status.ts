import { findEntity } from '../../core/model/ad-products.ts'
import type { Profile, Store } from '../../core/model/store.ts'
import { getOrMake } from '../get-or-make.ts'
import { hourIndexOf, type LocalHour } from '../local-hours.ts'
import type { AdProduct } from '../market.ts'
import { Ledger } from '../records/ledger.ts'
import { accountKey, type BudgetState, isUsedUp } from './budget.ts'
import { leftOfPortfolio, type PortfolioMoney, portfolioMoney } from './portfolio-money.ts'
import { raisedBudget } from './rules.ts'

/** What is known of spending when somebody asks. */
interface SpendingRecords {
  store: Store
  budgetStates: () => ReadonlyMap<string, BudgetState>
  /** Absent where an ad product was never shown. */
  ledgerOf: (profileId: number, adProduct: AdProduct) => Ledger | undefined
  localHours: (timezone: string) => (hourIndex: number) => LocalHour
}

export interface BudgetUsage {
  spentMicros: number
  /** Of today, with what budget rules add. */
  budgetMicros: number
  /** 0 to 1, can exceed 1. */
  share: number
}

/** What campaigns of any ad product have spent and may still spend. */
export class BudgetStatus {
  private readonly records: SpendingRecords
  /** By profile and hour: lists of campaigns ask for each of them. */
  private readonly portfolios = new Map<string, ReadonlyMap<string, PortfolioMoney>>()

  constructor(records: SpendingRecords) {
    this.records = records
  }

  /** Time has passed, or something has changed. */
  forget(): void {
    this.portfolios.clear()
  }

  /** What a campaign has spent today, and its share of the budget. */
  usage(campaignId: string, at: Date): BudgetUsage {
    const found = this.find(campaignId, at)
    if (!found) return { spentMicros: 0, budgetMicros: 0, share: 0 }
    const { adProduct, profile, hour, budgetMicros } = found
    const { ledgerOf, localHours } = this.records
    const ledger = ledgerOf(profile.profileId, adProduct)
    const spentMicros = ledger?.spentOn(campaignId, localHours(profile.timezone), hour, profile.currency) ?? 0
    return { spentMicros, budgetMicros, share: budgetMicros > 0 ? spentMicros / budgetMicros : 0 }
  }

  /** A campaign's budget today, with what budget rules add, and the rules that were found to hold when the day began. */
  inForce(campaignId: string, at: Date): { budgetMicros: number; rules: readonly string[] } {
    return this.find(campaignId, at) ?? { budgetMicros: 0, rules: [] }
  }

  /**
   * Whose budget leaves a campaign nothing for today; null while there is money. A day may cost up to twice a campaign's budget
   * while the month has unspent budget, so a campaign with a share of 1 can still have money.
   */
  outOf(campaignId: string, at: Date): 'ACCOUNT' | 'PORTFOLIO' | 'CAMPAIGN' | null {
    const found = this.find(campaignId, at)
    if (!found) return null
    const { adProduct, profile, hour, day, state, isLifetime, budgetMicros } = found
    const limit = adProduct === 'SPONSORED_PRODUCTS' ? profile.dailyBudgetMicros : null
    const account = this.records.budgetStates().get(accountKey(profile.profileId))
    if (limit !== null && isUsedUp(account, day, limit, false)) return 'ACCOUNT'
    const portfolio = found.portfolioId === null ? undefined : this.portfoliosOf(profile, hour).get(campaignId)
    if (portfolio && !portfolio.isClosed && leftOfPortfolio(portfolio) <= 0) return 'PORTFOLIO'
    return isUsedUp(state, day, budgetMicros, isLifetime) ? 'CAMPAIGN' : null
  }

  private find(campaignId: string, at: Date) {
    const { store, budgetStates, localHours } = this.records
    const found = findEntity(store, 'campaigns', campaignId)
    const profile = found && store.profiles.get(found.entity.profileId)
    if (!found || !profile) return null
    const { adProduct, entity } = found
    const hour = hourIndexOf(at.getTime())
    const { day } = localHours(profile.timezone)(hour)
    const state = budgetStates().get(campaignId)
    const rules = (state?.day === day && state.rules) || []
    const own = rules
      .flatMap(id => store.budgetRules.get(id) ?? [])
      .filter(rule => rule.campaignIds.includes(campaignId))
    const budgetMicros = raisedBudget(entity.budgetMicros, own, rules, profile.currency)
    const isLifetime = entity.budgetType === 'LIFETIME'
    return { adProduct, profile, hour, day, state, isLifetime, budgetMicros, rules, portfolioId: entity.portfolioId }
  }

  private portfoliosOf(profile: Profile, hour: number): ReadonlyMap<string, PortfolioMoney> {
    const { store, budgetStates, ledgerOf, localHours } = this.records
    return getOrMake(this.portfolios, `${profile.profileId}|${hour}`, () => {
      const ofProduct = (adProduct: AdProduct): Ledger => ledgerOf(profile.profileId, adProduct) ?? new Ledger()
      const records = { ledgerOf: ofProduct, localHour: localHours(profile.timezone), budgetStates: budgetStates() }
      return portfolioMoney(store, profile, hour, records).moneyOf
    })
  }
}
