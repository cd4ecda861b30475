import type { Profile } from '#features/accounts/server/public.ts'
import { nameTaken } from '#features/structure/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import type { PlanProduct } from '../plan/launch-plan.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { type Problem, problems } from '../problems.ts'
import { campaignNamesOf } from '../plan/plan-launch.ts'
import { marketOf } from './market-of.ts'
import { factsOfProducts } from './product-facts.ts'
import { heldNames } from './sql/launches.ts'

/** Throws an error with one detail for each problem, unless there is none. */
export function rejectProblems(
  code: 'VALIDATION_FAILED' | 'RULE_VIOLATED',
  found: readonly Pick<Problem, 'field' | 'message'>[],
): void {
  const [first] = found
  if (!first) return
  throw new AppError(code, first.message, {
    details: found.map(p => p.message),
    extra: { field: first.field, fields: Object.fromEntries(found.map(p => [p.field, p.message]).reverse()) },
  })
}

/** Says that names are taken. */
export const namesTaken = (names: readonly string[]): AppError =>
  new AppError('CONFLICT', 'A campaign of this name exists already. Choose another name.', {
    details: names.map(name => `The name “${name}” is taken.`),
    extra: { field: 'campaignName' },
  })

/**
 * Holds a payload against the wizard's rules, the marketplace's limits, the inventory and the names in use, without a
 * call outside. Throws VALIDATION_FAILED, RULE_VIOLATED, PRODUCT_NOT_ELIGIBLE or CONFLICT, with one detail a problem.
 */
export async function checkLaunch(tx: Db, profile: Profile, payload: CreatePayload): Promise<PlanProduct[]> {
  const market = marketOf(profile)
  const { merchantId, profileId } = profile
  const found = Map.groupBy(problems(payload, market), ({ code }) => code === 'MARKET_LIMIT')
  // The wizard asks for complete lists; a launch needs no more than one list.
  const invalid = found.get(false)?.filter(({ code }) => code !== 'INCOMPLETE')
  rejectProblems('VALIDATION_FAILED', invalid ?? [])
  rejectProblems('RULE_VIOLATED', found.get(true) ?? [])
  const products = await factsOfProducts(tx, profile, payload)
  const names = campaignNamesOf(payload, market)
  const taken = [
    ...(await nameTaken(tx, merchantId, profileId, names)),
    ...(await heldNames(tx, merchantId, profileId, names)),
  ]
  if (taken.length) throw namesTaken([...new Set(taken)])
  return products
}
