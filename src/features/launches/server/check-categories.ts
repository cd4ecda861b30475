import { templateOf } from '../templates.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { MAX_ASINS } from '#features/recommendations/contract.ts'
import { knownCategoryIds, suggestCategories } from '#features/recommendations/server/public.ts'
import type { Services } from '#server/context.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { chosenCategories } from '../chosen-terms.ts'
import { rejectProblems } from './check-launch.ts'

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
      message: `The marketplace does not know the category “${c.name}” (${c.id}): take it out or choose another`,
    })),
  )
}
