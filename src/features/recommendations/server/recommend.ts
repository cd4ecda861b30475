import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { productsByAsin } from '#features/catalogue/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type Micros, fromMicros } from '#shared/money.ts'
import {
  type CategoryRecommendation,
  chooseBid,
  explainBid,
  type KeywordMatchType,
  type KeywordRecommendation,
  marketDefaultBid,
  relatedCategories,
  type ProductThemeRecommendation,
  type Strategy,
  type SuggestedBids,
  typicalBid,
} from '../contract.ts'
import { suggestCategories, suggestKeywords, suggestProducts } from './suggestions.ts'
import { toUpstreamProblem } from '#server/http-client/failures/upstream-problem.ts'

const amountOf = (micros: Micros | undefined): number | null => (micros === undefined ? null : fromMicros(micros))

/** The bid fields of a row; a row without a suggestion gets the middle of the other rows' suggestions. */
function bidFieldsOf(profile: Profile, strategy: Strategy, all: readonly (SuggestedBids | null)[]) {
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`unknown marketplace ${profile.marketplaceId}`)
  const bounds = { ...market, currency: profile.currency, budgetMicros: null, capMicros: null }
  const defaultMicros = typicalBid(all) ?? marketDefaultBid(bounds)
  return (suggested: SuggestedBids | null) => {
    const bid = chooseBid(suggested, strategy, defaultMicros, bounds)
    return {
      bid: fromMicros(bid.micros),
      lowBid: amountOf(suggested?.lowMicros),
      medianBid: amountOf(suggested?.medianMicros),
      highBid: amountOf(suggested?.highMicros),
      currency: profile.currency,
      why: explainBid(bid, strategy, profile.currency, true),
    }
  }
}

async function ask<T>(ctx: Ctx, question: (profile: Profile) => Promise<T[]>): Promise<[Profile, T[]]> {
  const profile = await currentProfile(ctx)
  try {
    return [profile, await question(profile)]
  } catch (error) {
    throw toUpstreamProblem(error)
  }
}

const ownProducts = ({ db }: Pick<Ctx, 'db'>, { merchantId, marketplaceId }: Profile, asins: readonly string[]) =>
  db.reading(merchantId, tx => productsByAsin(tx, merchantId, marketplaceId, asins))

/**
 * Keywords for products with the bid of a strategy, strongest first; all match types or one. Throws UPSTREAM_* when the
 * marketplace fails.
 */
export async function recommendKeywords(
  ctx: Ctx,
  input: { asins: string[]; strategy: Strategy; matchType?: KeywordMatchType | undefined },
): Promise<KeywordRecommendation[]> {
  const [profile, rows] = await ask(ctx, p => suggestKeywords(ctx, p, input.asins))
  const matching = rows.filter(row => !input.matchType || row.matchType === input.matchType)
  const bidFields = bidFieldsOf(
    profile,
    input.strategy,
    matching.map(r => r.suggested),
  )
  return matching.map(({ text, matchType, suggested }) => ({ keyword: text, matchType, ...bidFields(suggested) }))
}

/** Categories to target for products with the bid of a strategy. Throws UPSTREAM_* when the marketplace fails. */
export async function recommendCategories(
  ctx: Ctx,
  input: { asins: string[]; strategy: Strategy },
): Promise<CategoryRecommendation[]> {
  const [profile, rows] = await ask(ctx, p => suggestCategories(ctx, p, input.asins))
  const bidFields = bidFieldsOf(
    profile,
    input.strategy,
    rows.map(r => r.suggested),
  )
  const products = await ownProducts(ctx, profile, input.asins)
  const categoryOf = (asin: string) => products.find(p => p.asin === asin)?.category ?? null
  const isRelated = relatedCategories(rows, input.asins.map(categoryOf))
  return rows.map(row => ({
    categoryId: row.id,
    name: row.name,
    path: row.path,
    isRelated: isRelated(row),
    ...bidFields(row.suggested),
  }))
}

/** Products to target by theme with the bid of a strategy. Throws UPSTREAM_* when the marketplace fails. */
export async function recommendProducts(
  ctx: Ctx,
  input: { asins: string[]; strategy: Strategy },
): Promise<ProductThemeRecommendation[]> {
  const [profile, themes] = await ask(ctx, p => suggestProducts(ctx, p, input.asins))
  const bidFields = bidFieldsOf(
    profile,
    input.strategy,
    themes.flatMap(t => t.products.map(p => p.suggested)),
  )
  const found = themes.flatMap(t => t.products.map(p => p.asin))
  const own = new Set((await ownProducts(ctx, profile, found)).map(p => p.asin))
  return themes.map(({ theme, description, products }) => ({
    theme,
    description,
    asinBids: products.map(({ asin, suggested }) => ({ asin, isOwn: own.has(asin), ...bidFields(suggested) })),
  }))
}
