import { z } from 'zod'
import type { Profile } from '#features/accounts/server/public.ts'
import type { BidAdvice, BidSubject, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { SuggestedBids } from '../contract.ts'
import { type AnswerKind, deleteAnswers, saveRecommendations, findAnswer } from './sql.ts'

// A launch must use what the seller confirmed at review; the marketplace renews its answers about once a day.
const MAX_AGE_MS = 24 * 3_600_000

/** A cached answer of at most a day, or a new one from `ask`, which is then cached. Throws what `ask` throws. */
async function cachedAnswer<S extends z.ZodType>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  profile: Profile,
  kind: AnswerKind,
  asins: readonly string[],
  schema: S,
  ask: () => Promise<z.output<S>>,
): Promise<z.output<S>> {
  const { merchantId, profileId } = profile
  const key = { merchantId, profileId, kind, subject: [...new Set(asins)].toSorted().join(',') }
  const since = new Date(clock.now().getTime() - MAX_AGE_MS)
  const cached = schema.safeParse(await db.tenant(merchantId, tx => findAnswer(tx, key, since)))
  if (cached.success) return cached.data
  const answer = await ask()
  await db.tenant(merchantId, async tx => {
    await deleteAnswers(tx, merchantId, profileId, since)
    await saveRecommendations(tx, key, answer, clock.now())
  })
  return answer
}

type Needs = Pick<Services, 'db' | 'clock' | 'integrations'>

const suggested = z.object({ lowMicros: z.number(), medianMicros: z.number(), highMicros: z.number() }).nullable()
const keywordRows = z.array(z.object({ text: z.string(), matchType: z.enum(['EXACT', 'PHRASE', 'BROAD']), suggested }))
const autoRows = z.array(
  z.object({
    group: z.enum(['CLOSE_MATCH', 'LOOSE_MATCH', 'SUBSTITUTES', 'COMPLEMENTS']),
    suggested: suggested.unwrap(),
  }),
)
const categoryRows = z.array(z.object({ id: z.string(), name: z.string(), path: z.string().nullable(), suggested }))
const themeRows = z.array(
  z.object({
    theme: z.string(),
    description: z.string().nullable(),
    products: z.array(z.object({ asin: z.string(), suggested })),
  }),
)

const MAX_KEYWORDS = 100
const MAX_CATEGORIES = 20
const MAX_PRODUCTS = 100
const autoGroups = ['CLOSE_MATCH', 'LOOSE_MATCH', 'SUBSTITUTES', 'COMPLEMENTS'] as const

function adsOf({ integrations }: Needs, profile: Profile): ProfileAds {
  return integrations.amazonAds.forProfile({
    connectionId: profile.connectionId,
    region: profile.region,
    profileId: profile.amazonProfileId,
  })
}

// The answer may also contain bids for a season (a sales event); a launch starts with the everyday ones.
async function bidsFor(ads: ProfileAds, asins: readonly string[], bids: BidSubject[]): Promise<BidAdvice[]> {
  if (!bids.length) return []
  const advice = await ads.advice.bids({
    subject: { asins },
    bidding: { strategy: 'SALES_DOWN_ONLY', placements: [] },
    bids,
  })
  const everyday = advice.filter(a => a.theme === 'CONVERSION_OPPORTUNITIES')
  return everyday.length ? everyday : advice
}

const rangeOf = (advice: BidAdvice | undefined): SuggestedBids | null =>
  advice ? { lowMicros: advice.lowMicros, medianMicros: advice.medianMicros, highMicros: advice.highMicros } : null

/** Keywords the marketplace recommends for products, strongest first, a row a match type. One call, or none. */
export function suggestKeywords(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'KEYWORDS', asins, keywordRows, async () => {
    const rows = await adsOf(services, profile).advice.keywords({
      subject: { asins },
      currency: profile.currency,
      max: MAX_KEYWORDS,
    })
    return rows.map(row => ({
      text: row.keyword,
      matchType: row.matchType,
      suggested:
        row.bidMicros === null
          ? null
          : {
              lowMicros: row.lowMicros ?? row.bidMicros,
              medianMicros: row.bidMicros,
              highMicros: row.highMicros ?? row.bidMicros,
            },
    }))
  })
}

/** Bids for the four groups of automatic targeting; those without a suggestion are missing. One call, or none. */
export function suggestAutoTargets(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'AUTO', asins, autoRows, async () => {
    const subjects = autoGroups.map(group => ({ type: 'AUTO' as const, group }))
    const advice = await bidsFor(adsOf(services, profile), asins, subjects)
    return advice.flatMap(one => {
      const range = rangeOf(one)
      return one.subject.type === 'AUTO' && range ? [{ group: one.subject.group, suggested: range }] : []
    })
  })
}

/** Categories worth targeting, with their bids. Two calls, or none. */
export function suggestCategories(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'CATEGORIES', asins, categoryRows, async () => {
    const ads = adsOf(services, profile)
    const found = (await ads.advice.categories(asins)).slice(0, MAX_CATEGORIES)
    const advice = await bidsFor(
      ads,
      asins,
      found.map(c => ({ type: 'CATEGORY', categoryId: c.categoryId })),
    )
    return found.map(({ categoryId, name, path }) => ({
      id: categoryId,
      name,
      path,
      suggested: rangeOf(advice.find(a => a.subject.type === 'CATEGORY' && a.subject.categoryId === categoryId)),
    }))
  })
}

/** The ids of all categories of the marketplace that can be targeted. One call, or none. */
export function knownCategoryIds(services: Needs, profile: Profile) {
  return cachedAnswer(services, profile, 'CATEGORY_TREE', [], z.array(z.string()), () =>
    adsOf(services, profile).advice.categoryIds(),
  )
}

/** The names of the brands in a category; empty where the marketplace names none. One call, or none. */
export function suggestBrands(services: Needs, profile: Profile, categoryId: string) {
  return cachedAnswer(services, profile, 'CATEGORY_BRANDS', [categoryId], z.array(z.string()), () =>
    adsOf(services, profile).advice.categoryBrands(categoryId),
  )
}

/** Products worth targeting, by theme, with their bids; none of `asins` themselves. Two calls, or none. */
export function suggestProducts(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'PRODUCTS', asins, themeRows, async () => {
    const ads = adsOf(services, profile)
    const themes = await ads.advice.productThemes(asins)
    const own = new Set(asins)
    const others = [...new Set(themes.flatMap(t => t.asins))].filter(asin => !own.has(asin)).slice(0, MAX_PRODUCTS)
    const advice = await bidsFor(
      ads,
      asins,
      others.map(asin => ({ type: 'PRODUCT', asin })),
    )
    const included = new Set(others)
    return themes.map(({ theme, description, asins: found }) => ({
      theme,
      description,
      products: found
        .filter(asin => included.has(asin))
        .map(asin => ({
          asin,
          suggested: rangeOf(advice.find(a => a.subject.type === 'PRODUCT' && a.subject.asin === asin)),
        })),
    }))
  })
}
