import * as v from 'valibot'
import { type Ctx, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { AppError } from '#shared/errors.ts'
import { z } from 'zod'
import type { Launch, LaunchCall, Asked } from '../../contract.ts'
import { createdOf, presentLaunches } from './launch-view.ts'
import { createdItems } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import { launchById, launchPage } from '../sql/launches.ts'
import { currentProfile, profileById } from '#features/accounts/server/public.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import { callPage } from '../sql/calls.ts'
import { storedPayload } from '../../launch-schema.ts'

/**
 * The payload of a launch and its marketplace, in a tenant's transaction; without a payload where an older version wrote it in
 * a form that is no longer understood. Throws NOT_FOUND when the merchant has no launch of this id.
 */
export async function readAsked(tx: Db, key: LaunchKey): Promise<Asked> {
  const row = await launchById(tx, key)
  if (!row) throw new AppError('NOT_FOUND', 'There is no such launch.')
  const { marketplaceId } = await profileById(tx, key.merchantId, row.profile_id)
  const parsed = v.safeParse(storedPayload, row.payload)
  return { marketplaceId, payload: parsed.success ? parsed.output : null }
}

/** A page of the calls that a launch made to the marketplace, in their order. Throws NOT_FOUND. */
export async function listCalls(ctx: Ctx, launchId: number, { page, size }: { page: number; size: number }) {
  const merchantId = requireMerchant(ctx)
  const key = { merchantId, launchId }
  return ctx.db.tenant(merchantId, async tx => {
    if (!(await launchById(tx, key))) throw new AppError('NOT_FOUND', 'There is no such launch.')
    const { rows, total } = await callPage(tx, key, { page, size })
    const content = rows.map(
      (row, i): LaunchCall => ({
        no: page * size + i + 1,
        step: row.step,
        at: row.at.toISOString(),
        tookMs: row.took_ms,
        operation: row.operation,
        method: row.method,
        path: row.path,
        outcome: row.outcome,
        status: row.status,
        requestId: row.request_id,
        message: row.message,
        sent: row.sent,
        received: row.received,
      }),
    )
    return { content, page: pageInfo(page, size, total) }
  })
}

/** A page of the launches of the current advertising account, newest first. */
export async function listLaunches(ctx: Ctx, { page, size }: { page: number; size: number }) {
  const { merchantId, profileId } = await currentProfile(ctx)
  return ctx.db.tenant(merchantId, async tx => {
    const { rows, total } = await launchPage(tx, merchantId, profileId, { page, size })
    return { content: await presentLaunches(tx, merchantId, rows), page: pageInfo(page, size, total) }
  })
}

// A launch has up to thousands of items, and is read at every step of its progress.
const MAX_CREATED = 500

const warned = z.object({ warnings: z.array(z.string()) }).nullable()

/** A launch whole, in a tenant's transaction. Throws NOT_FOUND when the merchant has none of this id. */
export async function readLaunch(tx: Db, key: LaunchKey): Promise<Launch> {
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

/** A launch of the current merchant, its steps and what it created; on request with its payload. Throws NOT_FOUND. */
export async function getLaunch(ctx: Ctx, launchId: number, { asked: withInput = false } = {}): Promise<Launch> {
  const merchantId = requireMerchant(ctx)
  const key = { merchantId, launchId }
  return ctx.db.tenant(merchantId, async tx => ({
    ...(await readLaunch(tx, key)),
    ...(withInput && { asked: await readAsked(tx, key) }),
  }))
}
