import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { smallestUnitMicros } from '#shared/money.ts'
import { dayIn } from '#shared/time.ts'
import type { EntityState, Keyword, Product, Profile } from '../core/model/store.ts'
import type { Scenarios } from '../core/world.ts'
import { createRandom, hashText, type Random } from '../market/random.ts'
import { type CategoryWords, languageOf } from '../market/vocabulary.ts'
import { addLogin, addProfile, DAY_MS, finish, openDraft, productsOf, type ScenarioDraft } from './scenario-draft.ts'
import { sellers } from './scenario-draft.ts'

const KEYWORDS_EACH = 25
const ADS_EACH = 3
/** The market has traded for a fortnight only: the size is in the store. */
const HISTORY_DAYS = 14

interface Wording {
  category: CategoryWords
  products: readonly Product[]
  /** Keywords to take turns from, each with its match type; most are exact, few are broad. */
  words: readonly Pick<Keyword, 'keywordText' | 'matchType'>[]
}

function wordingsOf(draft: ScenarioDraft, profile: Profile): Wording[] {
  const language = languageOf(profile.marketplaceId)
  return language.categories.map(category => {
    const texts = category.heads.flatMap(head => [
      head,
      ...category.features.flatMap((one, i) => [
        language.feature(one, head),
        ...category.features.slice(i + 1).map(two => language.feature(one, language.feature(two, head))),
      ]),
      ...category.uses.map(one => language.use(head, one)),
    ])
    const words = texts.flatMap((keywordText, i) => [
      { keywordText, matchType: 'EXACT' as const },
      ...(i % 3 === 0 ? [{ keywordText, matchType: 'PHRASE' as const }] : []),
      ...(i % 17 === 0 ? [{ keywordText, matchType: 'BROAD' as const }] : []),
    ])
    return { category, products: productsOf(draft, profile, category.id), words }
  })
}

/** As in an account that has grown for years: nearly half runs, much rests, some is archived. */
const stateOf = (n: number): EntityState => (n % 20 < 9 ? 'ENABLED' : n % 20 < 16 ? 'PAUSED' : 'ARCHIVED')

function addCampaign(draft: ScenarioDraft, profile: Profile, n: number, wording: Wording, dice: Random): void {
  const { store, nextId } = draft
  const { profileId, currency, marketplaceId } = profile
  const { minBidMicros = 20_000, minDailyBudgetMicros = 1e6 } = marketplaceByAmazonId(marketplaceId) ?? {}
  const unit = smallestUnitMicros(currency)
  const price = wording.category.price * 1e6
  const money = (amount: number, least: number): number => Math.max(least, Math.round(amount / unit) * unit)
  const state = stateOf(n)
  const createdAt = draft.now.getTime() - Math.floor((40 + 700 * dice()) * DAY_MS)
  const restsSince = draft.now.getTime() - Math.floor((20 + 15 * dice()) * DAY_MS)
  const common = { profileId, state: 'ENABLED' as const, createdAt, updatedAt: createdAt }
  const [campaignId, adGroupId] = [nextId(), nextId()]
  store.campaigns.set(campaignId, {
    campaignId,
    profileId,
    name: `${wording.category.name} – ${String(n + 1).padStart(5, '0')}`,
    state,
    targetingType: 'MANUAL',
    budgetMicros: money(price * (0.5 + dice()), minDailyBudgetMicros),
    strategy: n % 3 === 0 ? 'AUTO_FOR_SALES' : 'LEGACY_FOR_SALES',
    placements: [],
    startDate: dayIn(new Date(createdAt), profile.timezone),
    endDate: null,
    portfolioId: null,
    tags: {},
    createdAt,
    updatedAt: state === 'ENABLED' ? createdAt : restsSince,
  })
  const defaultBidMicros = money(price * 0.03, minBidMicros)
  store.adGroups.set(adGroupId, { adGroupId, campaignId, ...common, name: 'All', defaultBidMicros })
  for (let i = 0; i < ADS_EACH; i++) {
    const product = wording.products[(n + i) % wording.products.length] as Product
    const adId = nextId()
    store.productAds.set(adId, { adId, adGroupId, campaignId, ...common, asin: product.asin, sku: product.sku })
  }
  const start = Math.floor(dice() * wording.words.length)
  for (let i = 0; i < KEYWORDS_EACH; i++) {
    const word = wording.words[(start + i) % wording.words.length] as Wording['words'][number]
    const bidMicros = i % 20 === 7 ? null : money(price * 0.036 * (0.6 + 0.9 * dice()), minBidMicros)
    const keywordId = nextId()
    // Written out, not spread: there are half a million of them.
    store.keywords.set(keywordId, {
      keywordId,
      adGroupId,
      campaignId,
      profileId,
      state: 'ENABLED',
      createdAt,
      updatedAt: createdAt,
      keywordText: word.keywordText,
      matchType: word.matchType,
      bidMicros,
    })
  }
  const keywordText = wording.category.irrelevant[n % wording.category.irrelevant.length] ?? 'free'
  const keywordId = nextId()
  const negative = { keywordId, adGroupId: null, campaignId, ...common, keywordText }
  store.negativeKeywords.set(keywordId, { ...negative, matchType: 'NEGATIVE_PHRASE' })
}

function addCampaigns(draft: ScenarioDraft, profile: Profile, count: number): void {
  const wordings = wordingsOf(draft, profile)
  const dice = createRandom(hashText(`large|${profile.profileId}`, draft.seed))
  for (let n = 0; n < count; n++) addCampaign(draft, profile, n, wordings[n % wordings.length] as Wording, dice)
}

/** An agency with two big sellers: 20,000 campaigns with 500,000 keywords, half of them in one profile. */
export const large: Scenarios[string] = ({ now, seed }) => {
  const draft = openDraft(now, seed)
  const { grandbank, doggerbank } = sellers
  addLogin(draft, 'agency@sandbox.test', 'Lee Large', [grandbank, doggerbank])
  const catalogue = { brands: ['Grandbank', 'Shoalwater'], categories: 10, perCategory: 20 }
  addCampaigns(draft, addProfile(draft, grandbank, 'US', 1200000000000011, catalogue), 10_000)
  addCampaigns(draft, addProfile(draft, grandbank, 'CA', 1200000000000012, { ...catalogue, perCategory: 8 }), 4000)
  const brands = ['Doggerbank', 'Wattwerk']
  addCampaigns(draft, addProfile(draft, doggerbank, 'DE', 2200000000000011, { ...catalogue, brands }), 6000)
  return finish(draft, HISTORY_DAYS)
}
