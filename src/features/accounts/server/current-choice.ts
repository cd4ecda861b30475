import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import { marketplaceByKey } from '#shared/marketplaces.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import type { AmazonProfile, Marketplace, Merchant } from '../contract.ts'
import { requireMember, requireOwner } from './merchants.ts'
import { marketplaceAnswer, merchantAnswer, profileAnswer } from './present.ts'
import { amazonProfilesOf } from './profiles.ts'
import { profilesConnected } from './signals.ts'
import { merchantById } from './sql/merchants.ts'
import { managedProfiles, profileRows } from './sql/profiles.ts'
import { tenancyOf } from './sql/tenancy.ts'

/** The current merchant. Throws NOT_FOUND when none is chosen or the user left it. */
export async function getCurrentMerchant(ctx: Ctx): Promise<Merchant> {
  return merchantOf(ctx, chosenMerchant(ctx))
}

/**
 * Makes a merchant the current one. The marketplace stays where the merchant is in it too; else its first managed
 * advertising account, or its first marketplace, decides. Throws NOT_FOUND when the merchant is not the user's.
 */
export async function chooseMerchant(ctx: Ctx, merchantId: number): Promise<Merchant> {
  await requireMember(ctx, merchantId)
  const ids = await workedIn(ctx, merchantId)
  const { marketplaceId } = await currentChoice(ctx.db.system, ctx.actor.accountId)
  const stays = marketplaceId !== null && ids.includes(marketplaceId)
  await setCurrentChoice(ctx, ctx.db.system, merchantId, stays ? marketplaceId : (ids[0] ?? null))
  return merchantOf(ctx, merchantId)
}

/** Where a merchant has managed advertising accounts; without any, where it is at all. */
async function workedIn(services: Pick<Services, 'db'>, merchantId: number): Promise<number[]> {
  const managed = await services.db.tenant(merchantId, tx => managedProfiles(tx, [merchantId]).execute())
  return managed.length ? managed.map(row => row.marketplaceId) : marketplaceIdsOf(services, merchantId)
}

/** Makes a merchant the current one of a new member who has none. */
export async function chooseIfNone(
  services: Pick<Services, 'db'>,
  accountId: number,
  merchantId: number,
): Promise<void> {
  const { system } = services.db
  const { merchantId: current } = await tenancyOf(system, accountId)
  if (current !== null) return
  const [marketplaceId = null] = await workedIn(services, merchantId)
  await setCurrentChoice({ actor: { accountId } }, system, merchantId, marketplaceId)
}

async function merchantOf(ctx: Ctx, merchantId: number): Promise<Merchant> {
  const row = await ctx.db.tenant(merchantId, tx => merchantById(tx, merchantId))
  if (!row) throw new AppError('NOT_FOUND', 'There is no such merchant.')
  return merchantAnswer(row)
}

function chosenMerchant({ actor }: Ctx): number {
  if (actor.merchantId === null) throw new AppError('NOT_FOUND', 'No merchant is chosen.')
  return actor.merchantId
}

/** Makes merchant and marketplace of an advertising account the current ones. Throws NOT_FOUND when it is not the user's. */
export async function selectProfile(ctx: Ctx, amazonProfileId: string): Promise<AmazonProfile> {
  const { merchantIds } = ctx.actor
  const rows = await ctx.db.tenant(merchantIds, tx =>
    profileRows(tx, merchantIds).where('p.amazon_profile_id', '=', amazonProfileId).execute(),
  )
  const row = rows.find(r => r.isManaged) ?? rows[0]
  if (!row) throw new AppError('NOT_FOUND', 'There is no such advertising account.')
  await setCurrentChoice(ctx, ctx.db.system, row.merchantId, row.marketplaceId)
  return profileAnswer(row)
}

/** The current marketplace. Throws NOT_FOUND when none is chosen or the current merchant is not in it. */
export async function getCurrentMarketplace(ctx: Ctx): Promise<Marketplace> {
  const { merchantId } = ctx.actor
  const { marketplaceId } = await currentChoice(ctx.db.system, ctx.actor.accountId)
  const isIn = merchantId !== null && marketplaceId !== null
  if (!isIn || !(await marketplaceIdsOf(ctx, merchantId)).includes(marketplaceId))
    throw new AppError('NOT_FOUND', 'No marketplace is chosen.')
  return marketplaceAnswer(marketplaceId)
}

/** Makes a marketplace the current one. Throws NOT_FOUND without a current merchant or when it is not in it. */
export async function chooseMarketplace(ctx: Ctx, marketplaceId: number): Promise<Marketplace> {
  const merchantId = chosenMerchant(ctx)
  if (!(await marketplaceIdsOf(ctx, merchantId)).includes(marketplaceId))
    throw new AppError('NOT_FOUND', 'The merchant is not in this marketplace.')
  await setCurrentChoice(ctx, ctx.db.system, merchantId, marketplaceId)
  return marketplaceAnswer(marketplaceId)
}

/** The marketplaces of the current merchant. Throws NOT_FOUND when none is chosen. */
export async function listMarketplaces(ctx: Ctx): Promise<Marketplace[]> {
  return listMarketplacesOf(ctx, chosenMerchant(ctx))
}

/** The marketplaces of a merchant: where it sells and where it advertises. Throws NOT_FOUND when it is not the user's. */
export async function listMarketplacesOf(ctx: Ctx, merchantId: number): Promise<Marketplace[]> {
  await requireMember(ctx, merchantId)
  return (await marketplaceIdsOf(ctx, merchantId)).map(marketplaceAnswer)
}

// Where most of a region's trade is; a seller who takes in several starts there, not at the first letter.
const principal = ['US', 'UK', 'DE', 'JP'].map(key => marketplaceByKey(key)?.id)

/**
 * Takes advertising accounts of a merchant into management and announces it in the same transaction, which starts their
 * import; those managed already stay so. Where none is chosen yet, the merchant and its principal marketplace become the
 * current ones. Answers all of the user's accounts. Throws NOT_FOUND when the merchant is not the user's or has no such
 * account, FORBIDDEN to viewers.
 */
export async function connectProfiles(
  ctx: Ctx,
  { merchantId, amazonProfileIds }: { merchantId: number; amazonProfileIds: readonly string[] },
): Promise<AmazonProfile[]> {
  await requireOwner(ctx, merchantId)
  const { accountId } = ctx.actor
  const requested = [...new Set(amazonProfileIds)]
  await ctx.db.transaction(async tx => {
    const managed = await tx
      .updateTable('ads_profile')
      .set(eb => ({ is_managed: true, managed_at: eb.fn.coalesce('managed_at', eb.val(ctx.clock.now())) }))
      .where('merchant_id', '=', merchantId)
      .where('amazon_profile_id', '=', sql<string>`any(${requested}::text[])`)
      .returning(['id', 'amazon_profile_id as amazonProfileId', 'marketplace_id as marketplaceId'])
      .execute()
    if (managed.length !== requested.length)
      throw new AppError('NOT_FOUND', 'There is no such advertising account at this merchant.')
    await raiseVersion(tx, merchantId)
    const choice = await currentChoice(tx, accountId)
    const first =
      principal.flatMap(id => managed.find(profile => profile.marketplaceId === id) ?? [])[0] ??
      managed.find(profile => profile.amazonProfileId === requested[0])
    const isUnchosen = choice.merchantId === null || (choice.merchantId === merchantId && choice.marketplaceId === null)
    if (isUnchosen && first) await setCurrentChoice(ctx, tx, merchantId, first.marketplaceId)
    const entity = { merchantId, entity: 'merchant', entityId: merchantId, after: { amazonProfileIds: requested } }
    await recordAudit(tx, { ...entity, accountId, action: 'profiles.connect', requestId: ctx.requestId })
    await ctx.jobs.announce(tx, profilesConnected, { merchantId, profileIds: managed.map(profile => profile.id) })
    await ctx.events.publish(tx, [accountId], 'connections', { merchantId })
  })
  return amazonProfilesOf(ctx.db, accountId)
}

/** Our numbers of all the merchant's marketplaces: where it sells and where it has an advertising account. */
async function marketplaceIdsOf({ db }: Pick<Services, 'db'>, merchantId: number): Promise<number[]> {
  const query = sql<{ id: number }>`
    select marketplace_id as id from merchant_marketplace where merchant_id = ${merchantId} and is_participating
    union
    select marketplace_id from ads_profile where merchant_id = ${merchantId}
    order by id`
  const { rows } = await db.tenant(merchantId, tx => query.execute(tx))
  return rows.map(row => row.id)
}

/** What the account works with now; nulls where nothing is chosen. */
async function currentChoice(db: Db, accountId: number) {
  const row = await db
    .selectFrom('account')
    .select(['current_merchant_id as merchantId', 'current_marketplace_id as marketplaceId'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  return row ?? { merchantId: null, marketplaceId: null }
}

async function setCurrentChoice(
  { actor }: { actor: { accountId: number } },
  db: Db,
  merchantId: number,
  marketplaceId: number | null,
) {
  const choice = { current_merchant_id: merchantId, current_marketplace_id: marketplaceId }
  await db.updateTable('account').set(choice).where('id', '=', actor.accountId).execute()
}
