import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { Portfolio } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { type BatchFamily, type BatchKind, isoDates, versionThree } from '../entities/batch-kind.ts'
import type { Field } from '../entities/entity-kind.ts'
import { state, uniqueName } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { type BatchPlace, registerCreate, registerList, registerUpdate } from '../entities/register-batches.ts'
import { textStyle } from '../entities/wire-styles.ts'
import { noCap, readCap } from './portfolio-budget.ts'
import { capUsage } from './portfolio-spend.ts'

// Neither is published; both are generous.
const NAME_LENGTH = 255
const MOST_PORTFOLIOS = 500

function checkQuota({ world, profile }: AdsCaller): void {
  const own = [...world.store.portfolios.values()].filter(one => one.profileId === profile.profileId)
  if (own.length >= MOST_PORTFOLIOS)
    throw itemError('entityQuotaError', 'QUOTA_EXCEEDED', {
      message: `An account has at most ${MOST_PORTFOLIOS} portfolios`,
      more: { quota: String(MOST_PORTFOLIOS), quotaScope: 'ACCOUNT', entityType: 'PORTFOLIO' },
    })
}

function statusOf(portfolio: Portfolio, caller: AdsCaller): string {
  if (!caller.profile.validPaymentMethod) return 'ADVERTISER_PAYMENT_FAILURE'
  if (portfolio.endDate !== null && portfolio.endDate < caller.today) return 'PORTFOLIO_ENDED'
  if (portfolio.startDate !== null && portfolio.startDate > caller.today) return 'PORTFOLIO_PENDING_START_DATE'
  return capUsage(caller, portfolio) >= 1 ? 'PORTFOLIO_OUT_OF_BUDGET' : 'PORTFOLIO_STATUS_ENABLED'
}

/** Portfolios are changed and listed as Sponsored Products' entities are, but for their reasons of status. */
const portfolioFamily: BatchFamily = {
  maxItems: 100,
  maxPage: 1000,
  ...versionThree,
  extendedData: (entity, { status, details }) => ({
    ...isoDates(entity),
    servingStatus: status,
    statusReasons: details.map(name => `${name}_DETAIL`),
  }),
}

const quota: Field<Portfolio> = {
  read({ caller, before }) {
    if (!before) checkQuota(caller)
    return undefined
  },
}

const cap: Field<Portfolio> = {
  read: ({ caller, item, before }) => ({ ...readCap(caller, item.budget, before ?? noCap) }),
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

/** Portfolios: groups of campaigns, with or without a cap on what they spend together. */
const portfolios: BatchKind<Portfolio> = {
  // A portfolio has no parents; only its writable state matters.
  product: { style: textStyle(['ENABLED']), campaigns: 'campaigns', adGroups: 'adGroups' },
  path: '/portfolios',
  mediaType: 'application/vnd.spPortfolio.v3+json',
  key: 'portfolios',
  successObject: 'portfolio',
  deleteFilter: 'portfolioIdFilter',
  collection: 'portfolios',
  id: 'portfolioId',
  fields: [
    state,
    quota,
    uniqueName({
      maxLength: NAME_LENGTH,
      within: 'profileId',
      message: 'A portfolio of this name exists',
      reason: 'DUPLICATE_VALUE',
    }),
    cap,
  ],
  servingStatus(portfolio, caller) {
    const status = statusOf(portfolio, caller)
    return { status, details: [status] }
  },
  passes: (portfolio, filter) => matchesText(portfolio.name, filter.nameFilter),
}

/** `POST`, `PUT` and list of portfolios; nobody can delete one. */
export function registerPortfolios(app: FastifyInstance, world: World, region: RegionKey): void {
  const place: BatchPlace<Portfolio> = { app, world, region, family: portfolioFamily, kind: portfolios }
  registerCreate(place)
  registerUpdate(place)
  registerList(place)
}
