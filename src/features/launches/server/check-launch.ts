import type { Profile } from '#features/accounts/server/public.ts'
import { MAX_ASINS } from '#features/recommendations/contract.ts'
import { knownCategoryIds, suggestCategories } from '#features/recommendations/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { chosenCategories } from '../chosen-terms.ts'
import type { CreatePayload } from '../launch-schema.ts'
import type { PlanMarket, PlanProduct } from '../plan/launch-plan.ts'
import { namesOf } from '../plan/plan-structure.ts'
import { type Problem, problems } from '../problems.ts'
import { templateOf } from '../templates.ts'
import { requireFreeNames } from './launch-names.ts'
import { factsOfProducts } from './product-facts.ts'

/** What the marketplace of an advertising account allows. */
export function marketOf({ marketplaceId, currency, accountType, campaignPrefix }: Profile): PlanMarket {
  const facts = marketplaceById(marketplaceId)
  if (!facts) throw new Error(`unknown marketplace ${marketplaceId}`)
  return { ...facts, currency, accountType, campaignPrefix }
}

/** Throws an error with one detail for each problem, unless there is none. */
function rejectProblems(
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

/**
 * Holds a payload against the wizard's rules, the marketplace's limits, the inventory and the names in use, without a
 * call outside. Throws VALIDATION_FAILED, RULE_VIOLATED, PRODUCT_NOT_ELIGIBLE or CONFLICT, with one detail a problem.
 */
export async function checkLaunch(tx: Db, profile: Profile, payload: CreatePayload): Promise<PlanProduct[]> {
  const market = marketOf(profile)
  const found = Map.groupBy(problems(payload, market), ({ code }) => code === 'MARKET_LIMIT')
  // The wizard asks for complete lists; a launch needs no more than one list.
  const invalid = found.get(false)?.filter(({ code }) => code !== 'INCOMPLETE')
  rejectProblems('VALIDATION_FAILED', invalid ?? [])
  rejectProblems('RULE_VIOLATED', found.get(true) ?? [])
  const products = await factsOfProducts(tx, profile, payload)
  await requireFreeNames(tx, profile, namesOf(payload, market).names)
  return products
}

/**
 * Rejects categories that the marketplace does not have, with RULE_VIOLATED. It is called only where a category is not among the
 * recommended ones; while it cannot be reached every category passes, and the launch itself finds out.
 */
export async function checkCategories(
  services: Pick<Services, 'db' | 'clock' | 'integrations'>,
  profile: Profile,
  payload: CreatePayload,
): Promise<void> {
  const chosen = templateOf(payload.template).family === 'TARGET' ? chosenCategories(payload) : []
  if (!chosen.length) return
  const asins = payload.products.map(p => p.asin).slice(0, MAX_ASINS)
  const unknownIn = (ids: readonly string[]) => {
    const existing = new Set(ids)
    return chosen.filter(c => !existing.has(c.id))
  }
  const unknown = await suggestCategories(services, profile, asins)
    .then(async recommended =>
      unknownIn(recommended.map(c => c.id)).length ? unknownIn(await knownCategoryIds(services, profile)) : [],
    )
    .catch(() => [])
  rejectProblems(
    'RULE_VIOLATED',
    unknown.map(c => ({
      field: 'categories' as const,
      message: `The marketplace does not know the category “${c.name}” (${c.id}): remove it or choose another`,
    })),
  )
}
