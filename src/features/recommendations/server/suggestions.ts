import { sql } from 'kysely'
import { z } from 'zod'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { BidAdvice, BidSubject, ProfileAds } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { SuggestedBids } from '../contract.ts'

type Needs = Pick<Services, 'db' | 'clock' | 'integrations'>
type AnswerKind = 'KEYWORDS' | 'AUTO' | 'CATEGORIES' | 'PRODUCTS' | 'CATEGORY_TREE' | 'CATEGORY_BRANDS' | 'BUDGET'

// A launch must use what the seller confirmed at review; the marketplace renews its answers about once a day.
const MAX_AGE_MS = 24 * 3_600_000

/** A cached answer of at most a day, or a new one from `ask`, which is then cached. Throws what `ask` throws. */
async function cachedAnswer<S extends z.ZodType>(
  { db, clock, integrations }: Needs,
  profile: Profile,
  kind: AnswerKind,
  about: readonly string[],
  schema: S,
  ask: (advice: ProfileAds['advice']) => Promise<z.output<S>>,
): Promise<z.output<S>> {
  const { merchantId, profileId } = profile
  const account = { merchant_id: merchantId, profile_id: profileId }
  const key = { ...account, kind, subject: [...new Set(about)].toSorted().join(',') }
  const since = new Date(clock.now().getTime() - MAX_AGE_MS)
  const row = await db.tenant(merchantId, tx =>
    tx
      .selectFrom('recommendation_answer')
      .select('answer')
      .where(eb => eb.and(key))
      .where('fetched_at', '>', since)
      .executeTakeFirst(),
  )
  const cached = schema.safeParse(row?.answer)
  if (cached.success) return cached.data
  const answer = await ask(adsOf(integrations, profile).advice)
  await db.tenant(merchantId, async tx => {
    await tx
      .deleteFrom('recommendation_answer')
      .where(eb => eb.and(account))
      .where('fetched_at', '<', since)
      .execute()
    const latest = { answer: sql`${JSON.stringify(answer)}::jsonb`, fetched_at: clock.now() }
    await tx
      .insertInto('recommendation_answer')
      .values({ ...key, ...latest })
      .onConflict(conflict => conflict.columns(['merchant_id', 'profile_id', 'kind', 'subject']).doUpdateSet(latest))
      .execute()
  })
  return answer
}

const suggested = z.object({ lowMicros: z.number(), medianMicros: z.number(), highMicros: z.number() }).nullable()
const keywordRows = z.array(z.object({ text: z.string(), matchType: z.enum(['EXACT', 'PHRASE', 'BROAD']), suggested }))
const autoGroup = z.enum(['CLOSE_MATCH', 'LOOSE_MATCH', 'SUBSTITUTES', 'COMPLEMENTS'])
const autoRows = z.array(z.object({ group: autoGroup, suggested: suggested.unwrap() }))
const categoryRows = z.array(z.object({ id: z.string(), name: z.string(), path: z.string().nullable(), suggested }))
const themeRows = z.array(
  z.object({
    theme: z.string(),
    description: z.string().nullable(),
    products: z.array(z.object({ asin: z.string(), suggested })),
  }),
)

const amountMicros = z.number()
const budgetAnswer = z.object({
  suggestedMicros: amountMicros.nullable(),
  /** What a budget that did not last missed in sales, from day to day. */
  missed: z.object({ lowMicros: amountMicros, highMicros: amountMicros, from: z.string(), to: z.string() }).nullable(),
})

const MAX_KEYWORDS = 100
const MAX_CATEGORIES = 20
const MAX_PRODUCTS = 100

// The answer may also contain bids for a season (a sales event); a launch starts with the everyday ones.
async function bidsFor(advice: ProfileAds['advice'], asins: readonly string[], bids: BidSubject[]) {
  const bidding = { strategy: 'SALES_DOWN_ONLY' as const, placements: [] }
  return bids.length ? everydayBids(await advice.bids({ subject: { asins }, bidding, bids })) : []
}
function everydayBids(all: BidAdvice[]): BidAdvice[] {
  const everyday = all.filter(a => a.theme === 'CONVERSION_OPPORTUNITIES')
  return everyday.length ? everyday : all
}

/**
 * What the marketplace suggests at this moment for keywords or targets of an ad group it has, in their order; null where it
 * suggests nothing.
 */
export async function suggestBids(
  { integrations }: Pick<Needs, 'integrations'>,
  profile: Profile,
  adGroup: { campaignId: string; adGroupId: string },
  subjects: readonly BidSubject[],
): Promise<(SuggestedBids | null)[]> {
  const { advice } = adsOf(integrations, profile)
  const { campaignId, adGroupId } = adGroup
  const bids = everydayBids(await advice.bids({ subject: { campaignId, adGroupId }, bids: subjects }))
  return subjects.map(subject => rangeFor(bids, one => keyOf(one) === keyOf(subject)))
}
/** What a bid is asked for by, of a keyword or target of ours; null where the marketplace suggests none for its kind. */
export function bidSubjectOf({
  kind,
  text,
  matchType,
  expression,
}: {
  kind: string
  text: string
  matchType: string | null
  expression: unknown
}): BidSubject | null {
  if (kind === 'KEYWORD')
    return matchType === 'EXACT' || matchType === 'PHRASE' || matchType === 'BROAD'
      ? { type: 'KEYWORD', matchType, text }
      : null
  if (kind === 'AUTO') {
    const group = autoGroup.safeParse(text)
    return group.success ? { type: 'AUTO', group: group.data } : null
  }
  const parts = Array.isArray(expression) ? (expression as { type: string; value: string | null }[]) : []
  const [part] = parts
  if (kind !== 'PRODUCT' || parts.length !== 1 || !part?.value) return null
  if (part.type === 'ASIN_SAME_AS') return { type: 'PRODUCT', asin: part.value }
  return part.type === 'ASIN_CATEGORY_SAME_AS' ? { type: 'CATEGORY', categoryId: part.value } : null
}

// The marketplace may answer in other letters than it was asked.
const keyOf = (subject: BidSubject): string => Object.values(subject).join(' ').toLowerCase()

const rangeOf = ({ lowMicros, medianMicros, highMicros }: BidAdvice): SuggestedBids => ({
  lowMicros,
  medianMicros,
  highMicros,
})
const rangeFor = (bids: readonly BidAdvice[], isMeant: (subject: BidSubject) => boolean): SuggestedBids | null => {
  const bid = bids.find(({ subject }) => isMeant(subject))
  return bid ? rangeOf(bid) : null
}

/** Keywords the marketplace recommends for products, strongest first, a row a match type. One call, or none. */
export function suggestKeywords(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'KEYWORDS', asins, keywordRows, async advice => {
    const rows = await advice.keywords({ subject: { asins }, currency: profile.currency, max: MAX_KEYWORDS })
    return rows.map(({ keyword, matchType, bidMicros: medianMicros, lowMicros, highMicros }) => ({
      text: keyword,
      matchType,
      suggested:
        medianMicros === null
          ? null
          : { lowMicros: lowMicros ?? medianMicros, medianMicros, highMicros: highMicros ?? medianMicros },
    }))
  })
}

/** Bids for the four groups of automatic targeting; those without a suggestion are missing. One call, or none. */
export function suggestAutoTargets(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'AUTO', asins, autoRows, async advice => {
    const subjects = autoGroup.options.map(group => ({ type: 'AUTO' as const, group }))
    const bids = await bidsFor(advice, asins, subjects)
    return bids.flatMap(bid =>
      bid.subject.type === 'AUTO' ? [{ group: bid.subject.group, suggested: rangeOf(bid) }] : [],
    )
  })
}

/** Categories worth targeting, with their bids. Two calls, or none. */
export function suggestCategories(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'CATEGORIES', asins, categoryRows, async advice => {
    const found = (await advice.categories(asins)).slice(0, MAX_CATEGORIES)
    const subjects = found.map(({ categoryId }) => ({ type: 'CATEGORY' as const, categoryId }))
    const bids = await bidsFor(advice, asins, subjects)
    return found.map(({ categoryId: id, name, path }) => {
      const suggested = rangeFor(bids, one => one.type === 'CATEGORY' && one.categoryId === id)
      return { id, name, path, suggested }
    })
  })
}

/** The ids of all categories of the marketplace that can be targeted. One call, or none. */
export function knownCategoryIds(services: Needs, profile: Profile) {
  return cachedAnswer(services, profile, 'CATEGORY_TREE', [], z.array(z.string()), advice => advice.categoryIds())
}

/** The names of the brands in a category; empty where the marketplace names none. One call, or none. */
export function suggestBrands(services: Needs, profile: Profile, categoryId: string) {
  return cachedAnswer(services, profile, 'CATEGORY_BRANDS', [categoryId], z.array(z.string()), advice =>
    advice.categoryBrands(categoryId),
  )
}

/** Products worth targeting, by theme, with their bids; none of `asins` themselves. Two calls, or none. */
export function suggestProducts(services: Needs, profile: Profile, asins: readonly string[]) {
  return cachedAnswer(services, profile, 'PRODUCTS', asins, themeRows, async advice => {
    const themes = await advice.productThemes(asins)
    const others = new Set(themes.flatMap(t => t.asins))
    for (const asin of asins) others.delete(asin)
    const included = [...others].slice(0, MAX_PRODUCTS)
    const subjects = included.map(asin => ({ type: 'PRODUCT' as const, asin }))
    const bids = await bidsFor(advice, asins, subjects)
    return themes.map(({ asins: found, ...theme }) => ({
      ...theme,
      products: found
        .filter(asin => included.includes(asin))
        .map(asin => ({ asin, suggested: rangeFor(bids, one => one.type === 'PRODUCT' && one.asin === asin) })),
    }))
  })
}

// yyyyMMdd.
const dashed = (text: string): string => text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

/** The daily budget that the marketplace recommends for a campaign of Sponsored Products; null where it has none to recommend. One call, or none. */
export function suggestBudget(services: Needs, profile: Profile, campaignAmazonId: string) {
  return cachedAnswer(services, profile, 'BUDGET', [campaignAmazonId], budgetAnswer.nullable(), async advice => {
    const [own] = await advice.budgets([campaignAmazonId])
    if (!own) return null
    const { lowSalesMicros: lowMicros = null, highSalesMicros: highMicros = null, from, to } = own.missed ?? {}
    const isWhole = lowMicros !== null && highMicros !== null && from && to
    return {
      suggestedMicros: own.suggestedMicros,
      missed: isWhole ? { lowMicros, highMicros, from: dashed(from), to: dashed(to) } : null,
    }
  })
}
