import { AppError } from '#shared/errors.ts'
import { fromMicros, hasUnitPrecision, toMicros } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { beginning, type ProductCosts } from '../../contract.ts'
import { deleteCosts, readCosts, saveCosts, type Shop } from './cost-rows.ts'

interface CostedProduct extends Shop {
  sku: string
  currency: string
}

/**
 * The costs of a product of the current merchant, the newest first. Throws NOT_FOUND when it has no such product.
 */
export async function listCosts(ctx: Ctx, productId: number): Promise<ProductCosts> {
  const profile = await currentProfile(ctx)
  return ctx.db.reading(profile.merchantId, async tx => {
    const product = await productOf(tx, profile, productId)
    const costs = await readCosts(tx, product, [product.sku])
    return {
      currency: product.currency,
      costs: costs.map(({ validFrom, cogsMicros, changedAt, importId }) => ({
        validFrom,
        cogs: fromMicros(cogsMicros),
        changedAt: changedAt.toISOString(),
        importId,
      })),
    }
  })
}

/**
 * Sets what one unit of a product costs the seller from a day on, until the day of its next cost; another cost of that
 * day is replaced. Without a day: from today, and the first cost of all from the beginning, since it falsifies none.
 * Throws NOT_FOUND, and VALIDATION_FAILED when the amount is finer than the currency.
 */
export async function setCost(
  ctx: Ctx,
  { productId, cogs, validFrom }: { productId: number; cogs: number; validFrom?: string | undefined },
): Promise<void> {
  return changeCosts(ctx, productId, async (tx, product, profile) => {
    const cogsMicros = toMicros(cogs)
    if (!hasUnitPrecision(cogsMicros, product.currency))
      throw new AppError('VALIDATION_FAILED', 'The cost is not valid.', {
        details: [`cogs: ${product.currency} has no such small amounts`],
      })
    const costs = await readCosts(tx, product, [product.sku])
    const day = validFrom ?? (costs.length ? dayIn(ctx.clock.now(), profile.timezone) : beginning)
    const before = costs.find(cost => cost.validFrom === day)
    await saveCosts(tx, product, [{ sku: product.sku, validFrom: day, cogsMicros }], { at: ctx.clock.now() })
    return {
      action: 'product.set-cogs',
      before: { validFrom: day, cogsMicros: before?.cogsMicros ?? null },
      after: { validFrom: day, cogsMicros },
    }
  })
}

/** Removes the cost that a product has from a day on; the one before it then holds. Throws as `setCost` does. */
export async function removeCost(
  ctx: Ctx,
  { productId, validFrom }: { productId: number; validFrom: string },
): Promise<void> {
  return changeCosts(ctx, productId, async (tx, product) => {
    const costs = await readCosts(tx, product, [product.sku])
    const before = costs.find(cost => cost.validFrom === validFrom)
    if (!before) throw new AppError('NOT_FOUND', 'No cost begins on that day.')
    await deleteCosts(tx, product, [{ sku: product.sku, validFrom }])
    return {
      action: 'product.remove-cogs',
      before: { validFrom, cogsMicros: before.cogsMicros },
      after: { validFrom, cogsMicros: null },
    }
  })
}

interface Change {
  action: string
  before: unknown
  after: unknown
}

async function changeCosts(
  ctx: Ctx,
  productId: number,
  change: (tx: Db, product: CostedProduct, profile: Profile) => Promise<Change>,
): Promise<void> {
  const profile = await currentProfile(ctx)
  const { merchantId } = profile
  const { actor, requestId } = ctx
  await ctx.db.tenant(merchantId, async tx => {
    const { action, before, after } = await change(tx, await productOf(tx, profile, productId), profile)
    const by = { merchantId, accountId: actor.accountId, requestId }
    await recordAudit(tx, { ...by, entity: 'product', entityId: productId, action, before, after })
  })
}

async function productOf(tx: Db, { merchantId, currency }: Profile, productId: number): Promise<CostedProduct> {
  const row = await tx
    .selectFrom('product')
    .select(['marketplace_id as marketplaceId', 'sku', 'currency'])
    .where('merchant_id', '=', merchantId)
    .where('id', '=', productId)
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', 'There is no such product.')
  return { ...row, merchantId, currency: row.currency ?? currency }
}
