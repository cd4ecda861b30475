import * as v from 'valibot'
import { z } from 'zod'
import { currentProfile, profileById } from '#features/accounts/server/public.ts'
import { type Ctx, requireMerchant } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { pageInfo } from '#shared/query-schemas.ts'
import type { LaunchInput, CallStep, Launch } from '../../contract.ts'
import { storedPayload } from '../../launch-schema.ts'
import type { Template } from '../../templates.ts'
import { journal } from '../sql/items.ts'
import { type LaunchKey, ofLaunch, requireLaunch } from '../sql/launches.ts'
import { factsOf, presentLaunches } from './launch-view.ts'

type Page = { page: number; size: number }

/**
 * The payload of a launch and its marketplace, in a tenant's transaction; without a payload where an older version wrote it in
 * a form that is no longer understood. Throws NOT_FOUND when the merchant has no launch of this id.
 */
export async function readInput(tx: Db, key: LaunchKey): Promise<LaunchInput> {
  const row = await requireLaunch(tx, key)
  const { marketplaceId } = await profileById(tx, key.merchantId, row.profile_id)
  const parsed = v.safeParse(storedPayload, row.payload)
  return { marketplaceId, payload: parsed.success ? parsed.output : null }
}

/** A page of the calls that a launch made to the marketplace, in their order. Throws NOT_FOUND. */
export async function listCalls(ctx: Ctx, launchId: number, { page, size }: Page) {
  const key = { merchantId: requireMerchant(ctx), launchId }
  return ctx.db.tenant(key.merchantId, async tx => {
    await requireLaunch(tx, key)
    const all = tx.selectFrom('launch_call').where(eb => eb.and(ofLaunch(key)))
    const rows = await all
      .select(['step', 'at', 'took_ms as tookMs', 'operation', 'method', 'path', 'outcome', 'status'])
      .select(['request_id as requestId', 'message', 'sent', 'received'])
      .orderBy('call_no')
      .limit(size)
      .offset(page * size)
      .$narrowType<{ step: CallStep | null }>()
      .execute()
    const { total } = await all.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const content = rows.map((row, i) => ({ ...row, no: page * size + i + 1, at: row.at.toISOString() }))
    return { content, page: pageInfo(page, size, total) }
  })
}

/** A page of the launches of the current advertising account, newest first. */
export async function listLaunches(ctx: Ctx, { page, size }: Page) {
  const { merchantId, profileId } = await currentProfile(ctx)
  return ctx.db.tenant(merchantId, async tx => {
    const all = tx.selectFrom('launch').where(eb => eb.and({ merchant_id: merchantId, profile_id: profileId }))
    const rows = await all
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset(page * size)
      .$narrowType<{ template: Template }>()
      .execute()
    const { total } = await all.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return { content: await presentLaunches(tx, merchantId, rows), page: pageInfo(page, size, total) }
  })
}

// A launch has up to thousands of items, and is read at every step of its progress.
const MAX_CREATED = 500

/** What exists by a launch; changes of existing entities are left out. */
async function createdOf(tx: Db, key: LaunchKey): Promise<Launch['created']> {
  const items = await journal(tx, key)
    .where('state', '=', 'CREATED')
    .where('step', 'not in', ['AUTO_TARGETS', 'ENABLE'])
    .limit(MAX_CREATED)
    .execute()
  return items.flatMap(({ content, amazonId, label }) => {
    if (!amazonId || content.kind === 'AUTO_TARGET' || content.kind === 'ENABLE') return []
    return [{ entity: content.kind, id: amazonId, name: label, ...factsOf(content) }]
  })
}

const warned = z.object({ warnings: z.array(z.string()) }).nullable()

/** A launch whole, in a tenant's transaction. Throws NOT_FOUND when the merchant has none of this id. */
export async function readLaunch(tx: Db, key: LaunchKey): Promise<Launch> {
  const row = await requireLaunch(tx, key)
  const [shown] = await presentLaunches(tx, key.merchantId, [row])
  if (!shown) throw new Error('no launch was presented')
  return { ...shown, created: await createdOf(tx, key), warnings: warned.parse(row.plan)?.warnings ?? [] }
}

/** A launch of the current merchant, its steps and what it created; on request with its payload. Throws NOT_FOUND. */
export async function getLaunch(ctx: Ctx, launchId: number, { withInput = false } = {}): Promise<Launch> {
  const key = { merchantId: requireMerchant(ctx), launchId }
  return ctx.db.tenant(key.merchantId, async tx => ({
    ...(await readLaunch(tx, key)),
    ...(withInput && { input: await readInput(tx, key) }),
  }))
}
