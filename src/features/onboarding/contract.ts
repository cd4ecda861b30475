import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { day, id, queryId } from '#shared/query-schemas.ts'

/** One part of bringing in a connected account's data. */
const seedingItem = v.object({
  id,
  kind: v.picklist(['STRUCTURE', 'INVENTORY', 'DAILY_FIGURES', 'HOURLY_FIGURES']),
  status: v.picklist(['PENDING', 'IN_PROGRESS', 'COMPLETED', 'FAILED']),
  /** What is brought in and of which marketplace. */
  displayName: v.string(),
  /** How far it is, or why it failed, in words. */
  description: v.string(),
  /** The days that are imported now; the description names them as well. Null while it imports something else. */
  days: v.nullable(v.object({ from: day, to: day })),
  /** 0 to 1. */
  progress: v.number(),
})
export type SeedingItem = v.InferOutput<typeof seedingItem>

export const onboardingEndpoints = {
  activeSeeding: defineEndpoint({
    method: 'GET',
    path: '/seeding-status/active',
    access: 'account',
    summary: 'The imports under way, failed, or finished within the last minute, of all merchants of the user',
    response: v.array(seedingItem),
  }),
  retrySeeding: defineEndpoint({
    method: 'POST',
    path: '/seeding-status/:id/retry',
    access: 'connecting',
    summary: 'Tries a failed import again',
    params: v.strictObject({ id: queryId }),
    response: seedingItem,
    errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  }),
}
