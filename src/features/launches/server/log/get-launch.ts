import { type Ctx, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { z } from 'zod'
import type { Launch } from '../../contract.ts'
import { createdOf, presentLaunches } from './launch-view.ts'
import { readAsked } from './read-asked.ts'
import { createdItems } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import { launchById } from '../sql/launches.ts'

// A launch has up to thousands of items, and is read at every step of its progress.
const MAX_CREATED = 500

const warned = z.object({ warnings: z.array(z.string()) }).nullable()

/** A launch whole, in a tenant's transaction. Throws NOT_FOUND when the merchant has none of this id. */
export const readLaunch = async (tx: Db, key: LaunchKey): Promise<Launch> => {
  const row = await launchById(tx, key)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such launch.')
  const [shown] = await presentLaunches(tx, key.merchantId, [row])
  if (!shown) throw new AppError('NOT_FOUND', 'There is no such launch.')
  return {
    ...shown,
    created: createdOf(await createdItems(tx, key, MAX_CREATED)),
    warnings: warned.parse(row.plan)?.warnings ?? [],
  }
}

/** A launch of the current merchant, its steps and what it made; if wished, with what it was asked for. Throws NOT_FOUND. */
export const getLaunch = async (ctx: Ctx, launchId: number, { asked = false } = {}): Promise<Launch> => {
  const merchantId = requireMerchant(ctx)
  const key = { merchantId, launchId }
  return ctx.db.tenant(merchantId, async tx => ({
    ...(await readLaunch(tx, key)),
    ...(asked && { asked: await readAsked(tx, key) }),
  }))
}
