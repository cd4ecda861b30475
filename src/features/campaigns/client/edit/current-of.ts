import * as v from 'valibot'
import { ApiError } from '#client/api/api-error.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { campaign } from '#features/structure/contract.ts'

/** The row as it is now, when a change was refused because it is no longer what the user saw. */
export const currentOf = (error: unknown): Campaign | null => {
  if (!(error instanceof ApiError) || error.code !== 'VERSION_CONFLICT') return null
  const parsed = v.safeParse(campaign, error.extra.current)
  return parsed.success ? parsed.output : null
}
