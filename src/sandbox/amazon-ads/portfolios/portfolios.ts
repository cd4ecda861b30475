import { fromMicros, roundToUnit } from '#shared/money.ts'
import type { Portfolio } from '../../core/model/store.ts'
import { adProducts } from '../../market/market.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import { batchCalls } from '../entities/batch-calls.ts'
import { type BatchKind, versionThree } from '../entities/batch-kind.ts'
import type { Field } from '../entities/entity-kind.ts'
import { nameField, state } from '../entities/fields.ts'
import { itemError, throwFirst } from '../entities/item-error.ts'
import { enumAt, isAbsent, type Item, microsOf, numberAt } from '../entities/read-fields.ts'
import { textStyle } from '../entities/wire-styles.ts'

// Neither is published; both are generous.
const NAME_LENGTH = 255
const MOST_PORTFOLIOS = 500

/** What a portfolio's campaigns have spent in the days its cap is for, so far; nothing without a cap. */
function portfolioSpend({ world, profile, today, now }: AdsCaller, portfolio: Portfolio): number {
  if (portfolio.policy === 'NO_CAP') return 0
  const from = portfolio.policy === 'MONTHLY_RECURRING' ? `${today.slice(0, 7)}-01` : (portfolio.startDate ?? today)
  const to = portfolio.endDate !== null && portfolio.endDate < today ? portfolio.endDate : today
  if (from > to) return 0
  const { campaigns, brandCampaigns, displayCampaigns } = world.store
  const inside = new Set<string>()
  for (const collection of [campaigns, brandCampaigns, displayCampaigns])
    for (const { campaignId, portfolioId } of collection.values())
      if (portfolioId === portfolio.portfolioId) inside.add(campaignId)
  if (inside.size === 0) return 0
  let spent = 0
  for (const adProduct of adProducts)
    for (const fact of world.market().facts(profile.profileId, from, to, now, adProduct))
      if (inside.has(fact.campaignId)) spent += fact.costMicros
  return spent
}

/** Share of the cap that is spent; 0 without a cap, and may pass 1. */
export const capUsage = (caller: AdsCaller, portfolio: Portfolio): number =>
  portfolio.amountMicros ? portfolioSpend(caller, portfolio) / portfolio.amountMicros : 0

const quota: Field<Portfolio> = {
  once: true,
  read({ caller: { world, profile } }) {
    const own = [...world.store.portfolios.values()].filter(one => one.profileId === profile.profileId)
    if (own.length >= MOST_PORTFOLIOS)
      throw itemError('QUOTA_EXCEEDED', `An account has at most ${MOST_PORTFOLIOS} portfolios`, undefined, {
        quota: String(MOST_PORTFOLIOS),
        quotaScope: 'ACCOUNT',
        entityType: 'PORTFOLIO',
      })
    return undefined
  },
}

// No highest cap is published; a day's least budget is a portfolio's least cap.
function readAmount({ marketplace }: AdsCaller, amount: unknown): number {
  if (isAbsent(amount))
    throw itemError('MISSING_VALUE', 'A capped portfolio needs an amount', { 'budget.amount': undefined })
  const micros = numberAt(amount, 'budget.amount') > 0 ? microsOf(Number(amount)) : 0
  if (micros < marketplace.minDailyBudgetMicros)
    throw itemError(
      'BUDGET_TOO_LOW',
      'The amount is lower than the minimum allowed by the marketplace',
      { 'budget.amount': amount },
      { lowerLimit: String(fromMicros(marketplace.minDailyBudgetMicros)) },
    )
  return roundToUnit(micros, marketplace.currency)
}

type Cap = Pick<Portfolio, 'policy' | 'amountMicros' | 'startDate' | 'endDate'>
const noCap: Cap = { policy: 'NO_CAP', amountMicros: null, startDate: null, endDate: null }
const product = { style: textStyle(['ENABLED']), campaigns: 'campaigns', adGroups: 'adGroups' } as const

function readDays({ today }: AdsCaller, budget: Item, policy: Cap['policy'], before: Cap | undefined) {
  const start = product.style.readDay(budget, 'startDate') ?? ''
  const end = product.style.readDay(budget, 'endDate') ?? ''
  const isRange = policy === 'DATE_RANGE'
  const isNewPast = start !== '' && start < today && start !== before?.startDate
  const atStart = { 'budget.startDate': start || undefined }
  const atEnd = { 'budget.endDate': end || undefined }
  const bothEnds = 'A cap for a range of days needs both of its ends'
  const order = 'The range of days must have an end after its start'
  throwFirst([
    [policy === 'MONTHLY_RECURRING' && start !== '', 'START_DATE_NOT_NULL', 'A monthly cap has no start date', atStart],
    [isRange && start === '', 'MISSING_VALUE', bothEnds, atStart],
    [isRange && end === '', 'MISSING_VALUE', bothEnds, atEnd],
    [isNewPast, 'START_DATE_EARLIER_THAN_TODAY', 'The start date has passed', atStart],
    [start !== '' && end === start, 'START_DATE_EQUAL_END_DATE', order, atEnd],
    [end !== '' && end < start, 'START_DATE_AFTER_END_DATE', order, atEnd],
    [end !== '' && end < today, 'END_DATE_EARLIER_THAN_TODAY', 'The end date has passed', atEnd],
  ])
  return { startDate: start || null, endDate: end || null }
}

/** A portfolio's whole cap: a part that an item leaves out gets its default. */
const cap: Field<Portfolio> = {
  read({ caller, item, before }) {
    if (isAbsent(item.budget)) return before ? undefined : noCap
    if (typeof item.budget !== 'object') throw invalidArgument('Expected an object at budget')
    const budget = item.budget as Item
    if (budget.policy === undefined)
      throw itemError('MISSING_BUDGETING_POLICY', 'A budget needs a policy', { 'budget.policy': undefined })
    const policy = enumAt(budget.policy, 'budget.policy', ['DATE_RANGE', 'MONTHLY_RECURRING', 'NO_CAP'] as const)
    const { currencyCode } = budget
    if (currencyCode !== undefined && currencyCode !== caller.profile.currency)
      throw itemError('BUDGET_CURRENCY_DOES_NOT_MATCH_MARKETPLACE_SETTINGS', 'The currency is not the marketplace’s', {
        'budget.currencyCode': currencyCode,
      })
    if (policy === 'NO_CAP') return noCap
    return { policy, amountMicros: readAmount(caller, budget.amount), ...readDays(caller, budget, policy, before) }
  },
  write: (portfolio, { caller }) => ({
    inBudget: capUsage(caller, portfolio) < 1,
    budget: {
      policy: portfolio.policy,
      currencyCode: caller.profile.currency,
      ...(portfolio.amountMicros !== null && { amount: fromMicros(portfolio.amountMicros) }),
      ...(portfolio.startDate && { startDate: portfolio.startDate }),
      ...(portfolio.endDate && { endDate: portfolio.endDate }),
    },
  }),
}

/** Portfolios: groups of campaigns, with or without a cap on what they spend together; nobody can delete one. */
const portfolios: BatchKind<Portfolio> = {
  // A portfolio has no parents, but it is changed and listed as Sponsored Products' entities are.
  product: {
    ...product,
    maxItems: 100,
    maxPage: 1000,
    ...versionThree(reasons => ({ statusReasons: reasons.map(name => `${name}_DETAIL`) })),
  },
  path: '/portfolios',
  mediaType: 'application/vnd.spPortfolio.v3+json',
  key: 'portfolios',
  successObject: 'portfolio',
  idFilter: 'portfolioIdFilter',
  isPermanent: true,
  collection: 'portfolios',
  id: 'portfolioId',
  fields: [
    state,
    quota,
    nameField({
      maxLength: NAME_LENGTH,
      within: 'profileId',
      message: 'A portfolio of this name exists',
      reason: 'DUPLICATE_VALUE',
    }),
    cap,
  ],
  status: {
    live: 'PORTFOLIO_STATUS_ENABLED',
    ownReason(portfolio, caller) {
      const { startDate, endDate } = portfolio
      if (!caller.profile.validPaymentMethod) return 'ADVERTISER_PAYMENT_FAILURE'
      if (endDate !== null && endDate < caller.today) return 'PORTFOLIO_ENDED'
      if (startDate !== null && startDate > caller.today) return 'PORTFOLIO_PENDING_START_DATE'
      return capUsage(caller, portfolio) >= 1 ? 'PORTFOLIO_OUT_OF_BUDGET' : undefined
    },
  },
  filters: { nameFilter: portfolio => portfolio.name },
}

export const portfolioCalls = batchCalls(portfolios)
