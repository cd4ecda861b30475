import type { Scenarios } from '../core/world.ts'
import { hostile } from './hostile.ts'
import { large } from './large.ts'
import { eventful, watched } from './watched.ts'
import { profileFor, type Profile, type Store } from '../core/model/store.ts'
import { type CategoryWords, languageOf } from '../market/vocabulary.ts'
import { CampaignWriter } from './campaigns.ts'
import { addLogin, addProfile, finish, openDraft, productsOf, type ScenarioDraft } from './scenario-draft.ts'
import { sellers } from './scenario-draft.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import { newListing } from '../selling-partner/operations/product-fields.ts'
import { PUBLISHED_SELLER_ID, publishedExamples } from '../selling-partner/published/published-examples.ts'

// The model of these examples defines the shapes.
interface ListedItem {
  sku: string
  summaries?: { marketplaceId: string; asin?: string; itemName?: string; mainImage?: { link: string } }[]
  fulfillmentAvailability?: { quantity?: number }[]
  offers?: { marketplaceId: string; price: { amount: string } }[]
}
interface Responses {
  getMarketplaceParticipations: { payload?: { marketplace: { id: string }; storeName: string }[] }
  searchListingsItems: { items?: ListedItem[] }
}

/** Lists what the examples list, so that it can be advertised; what they leave open stays empty. */
function listItem(store: Store, item: ListedItem): void {
  for (const { marketplaceId, asin, itemName, mainImage } of item.summaries ?? []) {
    const price = item.offers?.find(offer => offer.marketplaceId === marketplaceId)?.price.amount
    if (!asin || !marketplaceByAmazonId(marketplaceId)) continue
    store.products.set(`${PUBLISHED_SELLER_ID}|${marketplaceId}|${item.sku}`, {
      sellerId: PUBLISHED_SELLER_ID,
      marketplaceId,
      asin,
      sku: item.sku,
      fnsku: '',
      title: itemName ?? '',
      brand: '',
      categoryId: '15743161',
      categoryName: 'Luggage',
      priceMicros: toMicros(price ?? '0'),
      imageUrl: mainImage?.link ?? '',
      condition: 'NewItem',
      bestSellerRank: null,
      ...newListing,
      fulfillable: item.fulfillmentAvailability?.[0]?.quantity ?? 0,
    })
  }
}

/** Adds the account of the published examples with one profile in the country they speak of; nothing without them. */
function addPublishedAccount(draft: ScenarioDraft): void {
  const examples = publishedExamples()
  if (!examples) return
  const responseOf = <Id extends keyof Responses>(id: Id): Responses[Id] | undefined =>
    examples.find(({ operationId, status }) => operationId === id && status === 200)?.response as Responses[Id]
  const payload = responseOf('getMarketplaceParticipations')?.payload ?? []
  const name = payload[0]?.storeName ?? 'Published examples'
  const marketplaceIds = payload.map(({ marketplace }) => marketplace.id)
  const seller = { sellerId: PUBLISHED_SELLER_ID, name, region: 'NA', type: 'seller', marketplaceIds } as const
  addLogin(draft, 'published@sandbox.test', 'Paula Published', [seller])
  const first = marketplaceByAmazonId(marketplaceIds[0] ?? '')
  if (first) draft.store.profiles.set(5100000000000011, profileFor(seller, first.key, 5100000000000011))
  for (const item of responseOf('searchListingsItems')?.items ?? []) listItem(draft.store, item)
}

const brands = ['Driftwood', 'Saltbox', 'Fernway']

/** A seller in two countries who is about to begin; with a history there are three campaigns. */
function addNewSeller(draft: ScenarioDraft, withHistory: boolean): void {
  const seller = sellers.driftwood
  addLogin(draft, 'seller@sandbox.test', 'Dana Driftwood', [seller])
  const us = addProfile(draft, seller, 'US', 4100000000000011, { brands, categories: 10, perCategory: 6 })
  addProfile(draft, seller, 'MX', 4100000000000012, { brands, categories: 4, perCategory: 5 })
  if (!withHistory) return
  const writer = new CampaignWriter(draft, us)
  const [, , , bottles, , , , , harnesses] = languageOf(us.marketplaceId).categories
  for (const [category, kind] of [
    [bottles, 'Auto'],
    [bottles, 'Exact'],
    [harnesses, 'Broad'],
  ] as const)
    if (category) writer.add(category, productsOf(draft, us, category.id).slice(0, 3), kind)
}

/** One seller with a catalogue and not a single campaign. */
const newSeller: Scenarios[string] = ({ now, seed }) => {
  const draft = openDraft(now, seed)
  addNewSeller(draft, false)
  return finish(draft)
}

const categoriesOf = (profile: Profile, count: number): CategoryWords[] =>
  languageOf(profile.marketplaceId).categories.slice(0, count)

/**
 * Three campaigns a category (automatic, exact, broad), some of them paused, archived or young; with `withSingles` one for
 * each single product as well, and one on rivals' pages for each category. Banners and displays for the first two categories.
 */
function addCampaigns(draft: ScenarioDraft, profile: Profile, categories: number, withSingles: boolean): void {
  const writer = new CampaignWriter(draft, profile)
  categoriesOf(profile, categories).forEach((category, i) => {
    const products = productsOf(draft, profile, category.id)
    // In the demonstration some negatives are young enough for their terms to have a before.
    const negated = withSingles && i % 3 !== 2 ? { negatedDaysAgo: 18 + 3 * i } : {}
    writer.add(category, products, 'Auto', { ...negated, ...(i === 4 && { state: 'PAUSED', changedDaysAgo: 20 }) })
    writer.add(category, products.slice(0, 2), 'Exact', i === 2 ? { madeDaysAgo: 40 } : {})
    writer.add(category, products, 'Broad', {
      ...negated,
      ...(i === 5 && { state: 'ARCHIVED', changedDaysAgo: 45 }),
    })
    if (i === 1) writer.add(category, products.slice(0, 1), 'Products', { state: 'PAUSED', changedDaysAgo: 6 })
  })
  if (withSingles)
    categoriesOf(profile, categories).forEach((category, i) => {
      const products = productsOf(draft, profile, category.id)
      if (i !== 1) writer.add(category, products.slice(0, 2), 'Products', { madeDaysAgo: 60 + i })
      products.forEach((product, n) =>
        writer.add(category, [product], 'Exact', {
          suffix: product.sku,
          madeDaysAgo: 30 + i * 9 + n,
          ...(n === 3 && { state: 'PAUSED' as const, changedDaysAgo: 12 }),
        }),
      )
    })
  for (const category of categoriesOf(profile, 2)) {
    const products = productsOf(draft, profile, category.id).filter(product => product.eligibility === 'ELIGIBLE')
    writer.addBrand(category, products)
    writer.addDisplay(category, products)
  }
}

function agency(withSingles: boolean): Scenarios[string] {
  return ({ now, seed }) => {
    const draft = openDraft(now, seed)
    const { harborlane, nordhafen, minato, idle } = sellers
    addLogin(draft, 'agency@sandbox.test', 'Alex Agency', [harborlane, nordhafen, minato])
    const sizes = { categories: 8, perCategory: 4 }
    const home = { brands: ['Harborlane', 'Pinecrest'], ...sizes }
    const german = { brands: ['Nordhafen', 'Lindholz'], ...sizes }
    const japanese = { brands: ['ミナト', '波音'], ...sizes }
    const small = { ...home, perCategory: 2 }
    addCampaigns(draft, addProfile(draft, harborlane, 'US', 1100000000000011, home), 7, withSingles)
    addCampaigns(draft, addProfile(draft, harborlane, 'CA', 1100000000000012, small), 2, withSingles)
    addCampaigns(draft, addProfile(draft, nordhafen, 'DE', 2100000000000011, german), 7, withSingles)
    addCampaigns(draft, addProfile(draft, minato, 'JP', 3100000000000011, japanese), 7, withSingles)
    addNewSeller(draft, true)
    addLogin(draft, 'empty@sandbox.test', 'Emil Empty', [idle])
    addPublishedAccount(draft)
    return finish(draft)
  }
}

/** An agency with three sellers on three continents, a seller about to begin, and one without any profile: 200 campaigns. */
const demo = agency(true)
/** The same accounts and products with funnels only, for tests that must not wait for a long import. */
const small = agency(false)

/** The worlds that the emulator can be reset to, by name. Each call makes a new store. */
export const scenarios: Scenarios = { demo, small, 'new-seller': newSeller, large, hostile, watched, eventful }
