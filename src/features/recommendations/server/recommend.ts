import { currentProfile, type Profile } from '#features/accounts/server/public.ts'
import { productsByAsin } from '#features/catalogue/server/public.ts'
import type { Ctx } from '#server/context.ts'
import { toUpstreamProblem } from '#server/http-client/upstream-errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import {
  type CategoryRecommendation,
  chooseBid,
  type KeywordMatchType,
  type KeywordRecommendation,
  marketDefaultBid,
  presentBid,
  type ProductThemeRecommendation,
  relatedCategories,
  type Strategy,
  type SuggestedBids,
  typicalBid,
} from '../contract.ts'
import { suggestCategories, suggestKeywords, suggestProducts } from './suggestions.ts'

/** What a recommendation is wanted for. */
interface Input {
  asins: string[]
  strategy: Strategy
}

/** What the marketplace suggests, and the bid fields of a row; a row without a suggestion gets the middle of the others'. */
async function ask<T>(
  ctx: Ctx,
  strategy: Strategy,
  suggest: (profile: Profile) => Promise<T[]>,
  suggestionsOf: (row: T) => (SuggestedBids | null) | (SuggestedBids | null)[],
) {
  const profile = await currentProfile(ctx)
  const rows = await suggest(profile).catch((error: unknown) => {
    throw toUpstreamProblem(error)
  })
  const { currency, marketplaceId } = profile
  const market = marketplaceById(marketplaceId)
  if (!market) throw new Error(`unknown marketplace ${marketplaceId}`)
  const bounds = { ...market, currency, budgetMicros: null, capMicros: null }
  const defaultMicros = typicalBid(rows.flatMap(suggestionsOf)) ?? marketDefaultBid(bounds)
  const bidFields = (suggested: SuggestedBids | null) => ({
    ...presentBid(chooseBid(suggested, strategy, defaultMicros, bounds), strategy, currency, true),
    currency,
  })
  return { profile, rows, bidFields }
}

const ownProducts = ({ db }: Pick<Ctx, 'db'>, { merchantId, marketplaceId }: Profile, asins: readonly string[]) =>
  db.reading(merchantId, tx => productsByAsin(tx, merchantId, marketplaceId, asins))

/**
 * Keywords for products with the bid of a strategy, strongest first; all match types or one. Throws UPSTREAM_* when the
 * marketplace fails.
 */
export async function recommendKeywords(
  ctx: Ctx,
  { asins, strategy, matchType: only }: Input & { matchType?: KeywordMatchType | undefined },
): Promise<KeywordRecommendation[]> {
  const suggest = async (profile: Profile) =>
    (await suggestKeywords(ctx, profile, asins)).filter(row => !only || row.matchType === only)
  const { rows, bidFields } = await ask(ctx, strategy, suggest, row => row.suggested)
  return rows.map(({ text, matchType, suggested }) => ({ keyword: text, matchType, ...bidFields(suggested) }))
}

/** Categories to target for products with the bid of a strategy. Throws UPSTREAM_* when the marketplace fails. */
export async function recommendCategories(ctx: Ctx, { asins, strategy }: Input): Promise<CategoryRecommendation[]> {
  const suggest = (profile: Profile) => suggestCategories(ctx, profile, asins)
  const { profile, rows, bidFields } = await ask(ctx, strategy, suggest, row => row.suggested)
  const products = await ownProducts(ctx, profile, asins)
  const categoryOf = (asin: string) => products.find(p => p.asin === asin)?.category ?? null
  const isRelated = relatedCategories(rows, asins.map(categoryOf))
  return rows.map(row => {
    const { id: categoryId, name, path, suggested } = row
    return { categoryId, name, path, isRelated: isRelated(row), ...bidFields(suggested) }
  })
}

/** Products to target by theme with the bid of a strategy. Throws UPSTREAM_* when the marketplace fails. */
export async function recommendProducts(ctx: Ctx, { asins, strategy }: Input): Promise<ProductThemeRecommendation[]> {
  const suggest = (profile: Profile) => suggestProducts(ctx, profile, asins)
  const { profile, rows, bidFields } = await ask(ctx, strategy, suggest, t => t.products.map(p => p.suggested))
  const found = rows.flatMap(t => t.products.map(p => p.asin))
  const own = new Set((await ownProducts(ctx, profile, found)).map(p => p.asin))
  return rows.map(({ products, ...theme }) => ({
    ...theme,
    asinBids: products.map(({ asin, suggested }) => ({ asin, isOwn: own.has(asin), ...bidFields(suggested) })),
  }))
}
