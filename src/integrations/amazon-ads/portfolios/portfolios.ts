import { z } from 'zod'
import { type Micros, fromMicros, toMicros } from '#shared/money.ts'
import type { AdsCall } from '../client.ts'
import { type Collection, createCollection } from '../structure/collection.ts'
import type { EntityState } from '../structure/entities.ts'
import { defineResource } from '../structure/collection.ts'

/** A group of campaigns that may share a cap on what they spend. Amounts in micro-units, days yyyy-MM-dd. */
export interface Portfolio {
  portfolioId: string
  name: string
  state: EntityState
  /** False when its cap is spent, which stops its campaigns. */
  inBudget: boolean
  budget: PortfolioBudget
}

export type PortfolioBudget =
  | { policy: 'NO_CAP' }
  | { policy: 'MONTHLY_RECURRING'; amountMicros: Micros; endDate: string | null }
  | { policy: 'DATE_RANGE'; amountMicros: Micros; startDate: string | null; endDate: string | null }

export interface NewPortfolio {
  name: string
  budget?: PortfolioBudget | undefined
}
export interface PortfolioChange {
  portfolioId: string
  name?: string | undefined
  budget?: PortfolioBudget | undefined
}

/** Portfolios are never archived: the marketplace keeps them. */
export type Portfolios = Omit<Collection<Portfolio, NewPortfolio, PortfolioChange>, 'archive'>

const portfolioWire = z.object({
  portfolioId: z.union([z.string(), z.number()]).transform(String),
  name: z.string(),
  state: z.string().nullish(),
  inBudget: z.boolean().nullish(),
  budget: z
    .object({
      policy: z.string().nullish(),
      amount: z.number().nullish(),
      startDate: z.string().nullish(),
      endDate: z.string().nullish(),
    })
    .nullish(),
})

function budgetOf(wire: z.output<typeof portfolioWire>['budget']): PortfolioBudget {
  const [amountMicros, endDate] = [toMicros(wire?.amount ?? 0), wire?.endDate ?? null]
  if (wire?.policy === 'MONTHLY_RECURRING') return { policy: wire.policy, amountMicros, endDate }
  if (wire?.policy === 'DATE_RANGE')
    return { policy: wire.policy, amountMicros, startDate: wire.startDate ?? null, endDate }
  return { policy: 'NO_CAP' }
}

function toBudget(budget: PortfolioBudget) {
  if (budget.policy === 'NO_CAP') return budget
  const { amountMicros, ...rest } = budget
  const dates = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null))
  return { ...dates, amount: fromMicros(amountMicros) }
}

const portfolios = defineResource({
  path: '/portfolios',
  mediaType: 'application/vnd.spPortfolio.v3+json',
  listKey: 'portfolios',
  successId: 'portfolioId',
  successEntity: 'portfolio',
  idFilter: 'portfolioIdFilter',
  batch: 100,
  page: 200,
  schema: portfolioWire,
  fromWire: (wire): Portfolio => ({
    portfolioId: wire.portfolioId,
    name: wire.name,
    state: wire.state?.toUpperCase() === 'ENABLED' ? 'ENABLED' : 'PAUSED',
    inBudget: wire.inBudget ?? true,
    budget: budgetOf(wire.budget),
  }),
  toNew: ({ name, budget }: NewPortfolio) => ({ name, state: 'ENABLED', ...(budget && { budget: toBudget(budget) }) }),
  toChange: ({ budget, ...rest }: PortfolioChange) => ({ ...rest, ...(budget && { budget: toBudget(budget) }) }),
})

export const createPortfolios = (call: AdsCall): Portfolios => createCollection(call, portfolios)
