import { z } from 'zod'
import { type Micros, fromMicros } from '#shared/money.ts'
import type { BatchEntity } from './collection.ts'
import * as as from './wire-fields.ts'

/** A cap on what the campaigns of a portfolio may spend together. */
export type PortfolioBudget =
  | { policy: 'NO_CAP' }
  | { policy: 'MONTHLY_RECURRING'; amountMicros: Micros; endDate: string | null }
  | { policy: 'DATE_RANGE'; amountMicros: Micros; startDate: string | null; endDate: string | null }

const budget = {
  from: z
    .object({
      policy: z.string().nullish(),
      amount: as.amount.from.nullish(),
      startDate: as.maybeText.from,
      endDate: as.maybeText.from,
    })
    .nullish()
    .transform((wire): PortfolioBudget => {
      const { policy, amount: amountMicros = 0, startDate = null, endDate = null } = wire ?? {}
      const cap = { amountMicros: amountMicros ?? 0, endDate }
      if (policy === 'MONTHLY_RECURRING') return { policy, ...cap }
      return policy === 'DATE_RANGE' ? { policy, ...cap, startDate } : { policy: 'NO_CAP' }
    }),
  to: (budget: PortfolioBudget) => {
    if (budget.policy === 'NO_CAP') return budget
    const { amountMicros, ...rest } = budget
    const dates = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
    return { ...dates, amount: fromMicros(amountMicros) }
  },
}

/** Groups of campaigns that may share a cap on what they spend. They are never archived: the marketplace keeps them. */
export const portfolios = {
  path: '/portfolios',
  mediaType: 'application/vnd.spPortfolio.v3+json',
  listKey: 'portfolios',
  successId: 'portfolioId',
  successEntity: 'portfolio',
  idFilter: 'portfolioIdFilter',
  batch: 100,
  page: 200,
  fields: {
    portfolioId: as.id,
    name: as.text,
    state: { from: as.oneOf('PAUSED', 'ENABLED') },
    /** False when its cap is spent, which stops its campaigns. */
    inBudget: {
      from: z
        .boolean()
        .nullish()
        .transform(inBudget => inBudget ?? true),
    },
    budget,
  },
  key: ['portfolioId'],
  change: ['name', 'budget'],
  create: ['name'],
  createOptional: ['budget'],
  createWith: { state: 'ENABLED' },
} as const satisfies BatchEntity
