import { fromMicros } from '#shared/money.ts'
import type { Portfolio } from '../../core/model/store.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { EntityFamily, EntityKind } from '../entities/entity-kind.ts'
import { datedIso, versionThree } from '../entities/version-three.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { checkName, optionalEnum, optionalText, requiredEnum, requiredText } from '../entities/read-fields.ts'
import { noCap, readCap } from './portfolio-budget.ts'
import { capUsage } from './portfolio-spend.ts'

// Neither is published; both are generous.
const NAME_LENGTH = 255
const MOST_PORTFOLIOS = 500

const uniqueName = ({ world, profile }: AdsCaller, name: string, except?: string): string => {
  checkName(name, NAME_LENGTH)
  for (const other of world.store.portfolios.values())
    if (
      other.profileId === profile.profileId &&
      other.portfolioId !== except &&
      other.name.toLowerCase() === name.toLowerCase()
    )
      throw itemError('duplicateValueError', 'DUPLICATE_VALUE', {
        message: 'A portfolio of this name exists',
        field: 'name',
        trigger: name,
      })
  return name
}

const checkQuota = ({ world, profile }: AdsCaller): void => {
  const own = [...world.store.portfolios.values()].filter(one => one.profileId === profile.profileId)
  if (own.length >= MOST_PORTFOLIOS)
    throw itemError('entityQuotaError', 'QUOTA_EXCEEDED', {
      message: `An account has at most ${MOST_PORTFOLIOS} portfolios`,
      more: { quota: String(MOST_PORTFOLIOS), quotaScope: 'ACCOUNT', entityType: 'PORTFOLIO' },
    })
}

const statusOf = (portfolio: Portfolio, caller: AdsCaller): string => {
  if (!caller.profile.validPaymentMethod) return 'ADVERTISER_PAYMENT_FAILURE'
  if (portfolio.endDate !== null && portfolio.endDate < caller.today) return 'PORTFOLIO_ENDED'
  if (portfolio.startDate !== null && portfolio.startDate > caller.today) return 'PORTFOLIO_PENDING_START_DATE'
  return capUsage(caller, portfolio) >= 1 ? 'PORTFOLIO_OUT_OF_BUDGET' : 'PORTFOLIO_STATUS_ENABLED'
}

/** Portfolios are changed and listed as Sponsored Products' entities are, but for their reasons of status. */
export const portfolioFamily: EntityFamily = {
  mostItems: 100,
  largestPage: 1000,
  ...versionThree,
  extendedData: (entity, { status, details }) => ({
    ...datedIso(entity),
    servingStatus: status,
    statusReasons: details.map(name => `${name}_DETAIL`),
  }),
  parentsOf: () => [],
}

/** Baskets of campaigns, with or without a cap on what they spend together. */
export const portfolios: EntityKind<Portfolio> = {
  path: '/portfolios',
  mediaType: 'application/vnd.spPortfolio.v3+json',
  key: 'portfolios',
  successId: 'portfolioId',
  itemId: 'portfolioId',
  successObject: 'portfolio',
  deleteFilter: 'portfolioIdFilter',
  all: store => store.portfolios.values(),
  find: (store, id) => store.portfolios.get(id),
  idOf: portfolio => portfolio.portfolioId,
  put: (store, portfolio) => store.portfolios.set(portfolio.portfolioId, portfolio),

  create(caller, item) {
    requiredEnum(item, 'state', ['ENABLED'] as const)
    checkQuota(caller)
    return {
      portfolioId: newEntityId(),
      profileId: caller.profile.profileId,
      name: uniqueName(caller, requiredText(item, 'name')),
      state: 'ENABLED',
      ...readCap(caller, item.budget, noCap),
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },

  update(caller, portfolio, item) {
    optionalEnum(item, 'state', ['ENABLED'] as const)
    const name = optionalText(item, 'name')
    return {
      ...portfolio,
      name: name === undefined ? portfolio.name : uniqueName(caller, name, portfolio.portfolioId),
      ...readCap(caller, item.budget, portfolio),
    }
  },

  toWire: (portfolio, caller) => ({
    portfolioId: portfolio.portfolioId,
    name: portfolio.name,
    state: portfolio.state,
    inBudget: capUsage(caller, portfolio) < 1,
    budget: {
      policy: portfolio.policy,
      currencyCode: caller.profile.currency,
      ...(portfolio.amountMicros !== null && { amount: fromMicros(portfolio.amountMicros) }),
      ...(portfolio.startDate && { startDate: portfolio.startDate }),
      ...(portfolio.endDate && { endDate: portfolio.endDate }),
    },
  }),
  servingStatus(portfolio, caller) {
    const status = statusOf(portfolio, caller)
    return { status, details: [status] }
  },
  passes: (portfolio, filter) => matchesText(portfolio.name, filter.nameFilter),
}
