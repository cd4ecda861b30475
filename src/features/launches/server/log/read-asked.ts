import * as v from 'valibot'
import { profileById } from '#features/accounts/server/public.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { storedPayload } from '../../launch-schema.ts'
import type { Asked } from '../../contract.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import { launchById } from '../sql/launches.ts'

/**
 * What a launch was asked for and in which marketplace, in a tenant's transaction; without a payload where it was written in
 * a way that is not understood any more. Throws NOT_FOUND when the merchant has no launch of this id.
 */
export const readAsked = async (tx: Db, key: LaunchKey): Promise<Asked> => {
  const row = await launchById(tx, key)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such launch.')
  const { marketplaceId } = await profileById(tx, key.merchantId, row.profile_id)
  const parsed = v.safeParse(storedPayload, row.payload)
  return { marketplaceId, payload: parsed.success ? parsed.output : null }
}
