import { profileFor, type Product, type Profile, type Seller, type Store } from '../core/model/store.ts'
import { type EventKindName, marketEvent } from '../core/market-events.ts'
import { emptyStore } from '../core/store/collections.ts'
import type { Scenario } from '../core/world.ts'
import { marketplaceByAmazonId, marketplaceByKey, type RegionKey } from '#shared/marketplaces.ts'
import { roundToUnit } from '#shared/money.ts'
import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import { codeOf, createRandom, type Random, hashText, mix } from '../market/random.ts'
import { type CategoryWords, type Language, languageOf } from '../market/vocabulary.ts'

const capital = (text: string): string =>
  text.replace(/(^|\s)(\p{L})/gu, (_, gap: string, letter: string) => gap + letter.toUpperCase())

function titleOf(brand: string, head: string, features: readonly string[], language: Language): string {
  const [first, ...rest] = features
  if (language.key === 'ja') return `${brand} ${head} ${features.join(' ')}`
  if (language.key === 'en')
    return `${brand} ${capital(`${first} ${head}`)}${rest.length > 0 ? `, ${capital(rest.join(', '))}` : ''}`
  return `${brand} ${capital(head)} ${features.join(', ')}`
}

/** A few of a list, each once, in the list's order. */
function some(list: readonly string[], count: number, dice: Random): string[] {
  const ranks = new Map(list.map(word => [word, dice()]))
  const chosen = list.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)).slice(0, count)
  return list.filter(word => chosen.includes(word))
}

/** Things that are not plainly fit to advertise; one product in a dozen has one of them. */
const troubles: Pick<Product, 'eligibility' | 'eligibilityMessage'>[] = [
  {
    eligibility: 'INELIGIBLE',
    eligibilityMessage: 'This product is not eligible for advertising because its category is restricted.',
  },
  {
    eligibility: 'ELIGIBLE_WITH_WARNING',
    eligibilityMessage: 'This product may not show: it is not the Featured Offer at present.',
  },
]

function stockOf(dice: Random) {
  const out = dice() < 0.06
  return {
    fulfillable: out ? 0 : 60 + Math.floor(dice() * 900),
    reserved: Math.floor(dice() * 25),
    unfulfillable: Math.floor(dice() * 6),
    inboundWorking: dice() < 0.3 ? Math.floor(dice() * 200) : 0,
    inboundShipped: !out && dice() < 0.4 ? Math.floor(dice() * 300) : 0,
    inboundReceiving: 0,
  }
}

/** Sellers number their goods in Latin letters, whatever the brand is written in. */
const skuPrefix = (brand: string): string => (/^[A-Za-z]{2}/.test(brand) ? brand.slice(0, 2).toUpperCase() : 'JP')

interface CatalogueOptions {
  brands: readonly string[]
  /** How many categories, by their place in the language's vocabulary, and how many of the first are left out. */
  categories: number
  without?: number
  perCategory: number
}

/** Lists products of a seller in one marketplace; titles, prices and stock follow from the seller's id alone. */
function addCatalogue(store: Store, seller: Seller, marketplaceId: string, options: CatalogueOptions): void {
  const { categories, perCategory, brands, without = 0 } = options
  const language = languageOf(marketplaceId)
  language.categories.slice(without, without + categories).forEach((category, c) => {
    for (let n = c * perCategory; n < (c + 1) * perCategory; n++) {
      const product = makeProduct(seller, marketplaceId, language, category, brands[n % brands.length] as string, n)
      store.products.set(`${product.sellerId}|${product.marketplaceId}|${product.sku}`, product)
    }
  })
}

function makeProduct(
  seller: Seller,
  marketplaceId: string,
  language: Language,
  category: CategoryWords,
  brand: string,
  index: number,
): Product {
  // Listings of one language share the id, so the same thing is sold under one ASIN in several countries.
  const seed = hashText(`${seller.sellerId}|${language.key}|${category.id}|${index}`, 7)
  const dice = createRandom(seed)
  const head = category.heads[index % category.heads.length] as string
  const features = some(category.features, 1 + Math.floor(dice() * 3), dice)
  const currency = marketplaceByAmazonId(marketplaceId)?.currency ?? 'USD'
  const price = roundToUnit(category.price * (0.65 + 0.8 * dice()) * 1e6, currency)
  const asin = `B0${codeOf(seed, 8)}`
  const trouble = index % 12 === 7 ? troubles[Math.floor(index / 12) % troubles.length] : undefined
  return {
    sellerId: seller.sellerId,
    marketplaceId,
    asin,
    sku: `${skuPrefix(brand)}-${category.id.slice(-4)}-${String(index + 1).padStart(3, '0')}`,
    fnsku: `X00${codeOf(mix(seed, 99), 7)}`,
    title: titleOf(brand, head, features, language),
    brand,
    categoryId: category.id,
    categoryName: category.name,
    // Prices end as prices do: a cent below the round figure, or a round ten of yen.
    priceMicros:
      currency === 'JPY' ? Math.round(price / 1e7) * 1e7 : Math.max(1, Math.round(price / 1e6)) * 1e6 - 10_000,
    imageUrl: `/images/${asin}.svg`,
    condition: 'NewItem',
    bestSellerRank: dice() < 0.1 ? null : 40 + Math.floor(dice() ** 2 * 60_000),
    ...stockOf(dice),
    eligibility: 'ELIGIBLE',
    eligibilityMessage: null,
    ...trouble,
  }
}

const WORLD_SEED = 20_240_229
const HISTORY_DAYS = 98
const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export interface ScenarioDraft {
  store: Store
  now: Date
  nextId: () => string
  seed: number
}

/** An empty scenario draft. Ids of entities are 15 digits, counting up, so that two worlds of one scenario agree. */
export function openDraft(now: Date, seed = WORLD_SEED): ScenarioDraft {
  let last = 310_000_000_000_000
  // Odd steps look less like a counter and still never collide.
  return { store: emptyStore(), now, nextId: () => String((last += 7_919)), seed }
}

/** The scenario of a draft; the market has traded for `historyDays`. */
export function finish({ store, seed, now }: ScenarioDraft, historyDays = HISTORY_DAYS): Scenario {
  return { store, seed, startsAt: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - historyDays * DAY_MS) }
}

/** Adds sellers, and a person who acts for them. */
export function addLogin({ store }: ScenarioDraft, email: string, name: string, sellers: readonly Seller[]): void {
  for (const seller of sellers) store.sellers.set(seller.sellerId, { ...seller })
  store.logins.push({ email, name, sellerIds: sellers.map(({ sellerId }) => sellerId) })
}

/** Gives a seller an advertising profile in a country, and something to sell there. */
export function addProfile(
  draft: ScenarioDraft,
  seller: Seller,
  country: string,
  profileId: number,
  catalogue: CatalogueOptions,
): Profile {
  const profile = profileFor(seller, country, profileId)
  draft.store.profiles.set(profileId, profile)
  addCatalogue(draft.store, seller, profile.marketplaceId, catalogue)
  return profile
}

/** Something that happens to an account so many days after now, or before it. */
export interface ScenarioEvent {
  kind: EventKindName
  day: number
  /** Days. */
  lasts?: number
  size?: number
  /** Of the account's, the how many-th category or product it is about; all without either. */
  category?: number
  product?: number
}

/** Makes the events of a list happen to an account. Days begin at its midnight. */
export function addEvents({ store, now }: ScenarioDraft, profile: Profile, events: readonly ScenarioEvent[]): void {
  const products = [...store.products.values()].filter(
    one => one.sellerId === profile.sellerId && one.marketplaceId === profile.marketplaceId,
  )
  const categoryIds = [...new Set(products.map(product => product.categoryId))]
  const { profileId, timezone } = profile
  events.forEach(({ kind, day, lasts, size, category, product }, i) => {
    const eventId = `${profileId}-${i}`
    const asin = product === undefined ? undefined : products[product]?.asin
    const from = startOfDayIn(addDays(dayIn(now, timezone), day), timezone).getTime()
    const lastsMs = lasts === undefined ? undefined : lasts * DAY_MS
    const categoryId = category === undefined ? null : (categoryIds[category] ?? null)
    const about = { profileId, categoryId, ...(asin !== undefined && { asin }) }
    store.marketEvents.set(eventId, marketEvent({ eventId, kind, size, lastsMs, from, ...about }))
  })
}

export function productsOf({ store }: ScenarioDraft, profile: Profile, categoryId?: string): Product[] {
  return [...store.products.values()].filter(
    product =>
      product.sellerId === profile.sellerId &&
      product.marketplaceId === profile.marketplaceId &&
      (categoryId ?? product.categoryId) === product.categoryId,
  )
}

/** A seller's account; ids look like the marketplace's own: an A and 13 letters or digits. */
function seller(sellerId: string, name: string, region: RegionKey, ...countries: string[]): Seller {
  const marketplaceIds = countries.map(country => marketplaceByKey(country)?.amazonId ?? '')
  return { sellerId, name, region, type: 'seller', marketplaceIds }
}

export const sellers = {
  harborlane: seller('A1HARBORLANEUS', 'Harborlane Goods', 'NA', 'US', 'CA'),
  nordhafen: seller('A2NORDHAFENDE1', 'Nordhafen Handel GmbH', 'EU', 'DE'),
  minato: seller('A3MINATOSHOJI1', '港商事株式会社', 'FE', 'JP'),
  driftwood: seller('A4DRIFTWOODUSX', 'Driftwood & Daughters', 'NA', 'US', 'MX'),
  idle: seller('A5IDLEHARBORUS', 'Idle Harbor', 'NA', 'US'),
  grandbank: seller('A6GRANDBANKUSX', 'Grandbank Trading', 'NA', 'US', 'CA'),
  doggerbank: seller('A7DOGGERBANKDE', 'Doggerbank Versand GmbH', 'EU', 'DE'),
  oddfellow: seller('A8ODDFELLOWUKX', '<Oddfellow> & "Söhne" 🎩', 'EU', 'UK'),
}
