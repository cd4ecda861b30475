import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { productsByAsin, unitEconomics } from '#features/catalogue/server/public.ts'
import { runningTargets } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { LaunchPreview, Margins } from '../review/preview-schema.ts'
import type { CreatePayload } from '../launch-schema.ts'
import { planLaunch } from '../plan/plan-launch.ts'
import { BREAK_EVEN_CAVEAT, breakEvenOf, lowestBreakEven } from '../review/preview-rules.ts'
import type { ReviewFacts } from '../review/notices.ts'
import { previewOf } from '../review/preview-rules.ts'
import { checkCategories, checkLaunch, marketOf } from './check-launch.ts'
import { gatherAdvice } from './gather-advice.ts'

/** What the review holds against a plan: margins, stock, warnings of the marketplace, and what runs already. */
async function reviewFactsOf(
  tx: Db,
  profile: Profile,
  { products, targetAcos }: CreatePayload,
  today: string,
): Promise<ReviewFacts> {
  const asins = products.map(p => p.asin)
  const skus = products.map(p => p.sku)
  const rows = await productsByAsin(tx, profile.merchantId, profile.marketplaceId, asins)
  const breakEvens = (await unitEconomics(tx, profile, skus, today)).map(breakEvenOf)
  return {
    targetAcos,
    breakEvenAcos: lowestBreakEven(breakEvens),
    breakEvenKnownFor: breakEvens.filter(one => one.acos !== null).length,
    running: await runningTargets(tx, profile, { asins, skus }),
    products: rows
      .filter(row => skus.includes(row.sku))
      .map(row => ({
        asin: row.asin ?? row.sku,
        available: row.available,
        isInbound: (row.inboundShipped ?? 0) + (row.inboundReceived ?? 0) > 0,
        eligibilityWarning: row.eligibilityStatus === 'ELIGIBLE_WITH_WARNING' ? (row.eligibilityMessage ?? '') : null,
      })),
  }
}

/**
 * What a launch of this payload would make, by the same plan that the launch follows. Nothing is made or accepted.
 * Throws as the launch would, and UPSTREAM_* when the marketplace cannot be asked.
 */
export async function previewLaunch(ctx: Ctx, payload: CreatePayload): Promise<LaunchPreview> {
  const profile = await currentProfile(ctx)
  const { products, facts } = await ctx.db.tenant(profile.merchantId, async tx => ({
    products: await checkLaunch(tx, profile, payload),
    facts: await reviewFactsOf(tx, profile, payload, todayOf(ctx, profile)),
  }))
  await checkCategories(ctx, profile, payload)
  const advice = await gatherAdvice(ctx, profile, payload).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  const plan = planLaunch({ payload, market: marketOf(profile), products, advice })
  return previewOf(payload, plan, products, facts)
}

const todayOf = (ctx: Ctx, { timezone }: Profile): string => dayIn(ctx.clock.now(), timezone)

/** The break-even ACOS of products of the current marketplace; those that are not listed are missing. Asks nobody outside. */
export async function getMargins(ctx: Ctx, skus: readonly string[]): Promise<Margins> {
  const profile = await currentProfile(ctx)
  const units = await ctx.db.tenant(profile.merchantId, tx => unitEconomics(tx, profile, skus, todayOf(ctx, profile)))
  const breakEvens = units.map(breakEvenOf)
  const amountOf = (micros: Micros | null) => (micros === null ? null : fromMicros(micros))
  return {
    breakEvenAcos: lowestBreakEven(breakEvens),
    caveat: BREAK_EVEN_CAVEAT,
    products: units.map(({ priceMicros, cogsMicros, feesMicros, ...unit }, i) => ({
      ...unit,
      price: amountOf(priceMicros),
      cogs: amountOf(cogsMicros),
      fees: amountOf(feesMicros),
      breakEvenAcos: breakEvens[i]?.acos ?? null,
      unknownBecause: breakEvens[i]?.unknownBecause ?? null,
    })),
  }
}
