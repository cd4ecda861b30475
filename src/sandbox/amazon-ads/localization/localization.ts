import { convertMicros, shippedRates } from '#shared/exchange-rates.ts'
import { type MarketplaceFacts, marketplaceByAmazonId, marketplaceByKey } from '#shared/marketplaces.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import type { Expression } from '../../core/model/store.ts'
import { languageOf } from '../../market/vocabulary.ts'
import { adviceFailure, readObjects, readParts } from '../advice/advice-subject.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Call } from '../calls.ts'
import type { Item } from '../entities/read-fields.ts'
import { vendorType } from '../media-types.ts'

/** The marketplace that is named by its id or, where that is absent, by its country. Throws 400 when there is none. */
function placeOf({ marketplaceId, countryCode }: Item): MarketplaceFacts {
  const byCountry = () => (typeof countryCode === 'string' ? marketplaceByKey(countryCode) : undefined)
  const found = typeof marketplaceId === 'string' ? marketplaceByAmazonId(marketplaceId) : byCountry()
  if (!found) throw adviceFailure(400, 'A marketplace id or country code that exists is required')
  return found
}

/** Marketplaces named by a list of ids or, where that is absent, of countries. */
function placesOf(ids: unknown, countries: unknown): MarketplaceFacts[] {
  if (Array.isArray(ids)) return ids.map((marketplaceId: unknown) => placeOf({ marketplaceId }))
  if (Array.isArray(countries)) return countries.map((countryCode: unknown) => placeOf({ countryCode }))
  throw adviceFailure(400, 'Target marketplaces are required')
}

/** A request's list of objects, at most so many. Throws 400 otherwise. */
function requestsOf(body: Item, name: string, most = 1000): Item[] {
  const list = body[name]
  if (!Array.isArray(list) || list.length === 0 || list.length > most)
    throw adviceFailure(400, `${name} must have 1 to ${most} items`)
  return readObjects(list, name, most)
}

/** An answer's map by marketplace id; what could not be carried over is undefined, which JSON leaves out. */
const byPlace = (places: readonly MarketplaceFacts[], carry: (place: MarketplaceFacts) => object | undefined) =>
  Object.fromEntries(places.map(place => [place.amazonId, carry(place)]))

const MOST_AMOUNT = 1_000_000_000

function money(amount: number, from: MarketplaceFacts, to: MarketplaceFacts): number | null {
  const converted = convertMicros(toMicros(amount), from.currency, to.currency, shippedRates)
  return converted === null ? null : fromMicros(converted)
}

function currencies(_caller: AdsCaller, body: Item): object {
  const source = placeOf({ marketplaceId: body.sourceMarketplaceId, countryCode: body.sourceCountryCode })
  const places = placesOf(body.targetMarketplaces, body.targetCountryCodes)
  const localizedCurrencyResponses = requestsOf(body, 'localizeCurrencyRequests').map(({ currency }) => {
    const { amount } = (currency ?? {}) as Item
    if (typeof amount !== 'number' || Math.abs(amount) > MOST_AMOUNT)
      throw adviceFailure(400, `currency.amount must be a number up to ${MOST_AMOUNT}`)
    const localizedCurrencies = byPlace(places, place => {
      const converted = money(amount, source, place)
      return converted === null ? undefined : { amount: converted }
    })
    return { localizedCurrencies }
  })
  return { localizedCurrencyResponses }
}

/** The same SKU of the same seller there, if it may be advertised. */
function products({ world, profile }: AdsCaller, body: Item): object {
  if (body.adType !== 'SPONSORED_PRODUCTS') throw adviceFailure(400, 'adType must be SPONSORED_PRODUCTS')
  const places = requestsOf(body, 'targetDetails', 25).map(target => {
    if (target.advertiserId !== profile.sellerId) throw adviceFailure(400, 'The advertiser is not the caller')
    return placeOf(target)
  })
  const localizedProductResponses = requestsOf(body, 'localizeProductRequests').map(({ product }) => {
    const { sku } = (product ?? {}) as Item
    const localizedProducts = byPlace(places, place => {
      const found = world.store.products.get(`${profile.sellerId}|${place.amazonId}|${String(sku)}`)
      return found && found.eligibility !== 'INELIGIBLE' ? { asin: found.asin, sku: found.sku } : undefined
    })
    return { status: 'SUCCESS', localizedProducts }
  })
  return { localizedProductResponses }
}

/** Between marketplaces of one language a keyword stays the same; the emulator does not translate, so elsewhere it is omitted. */
function keywords(_caller: AdsCaller, body: Item): object {
  const source = placeOf((body.sourceDetails ?? {}) as Item)
  const targets = (body.targetDetails ?? {}) as Item
  const places = placesOf(targets.marketplaceIds, targets.countryCodes)
  const languageIn = ({ amazonId }: MarketplaceFacts): string => languageOf(amazonId).key
  const localizedKeywordResponses = requestsOf(body, 'localizeKeywordRequests').map(({ localizationKeyword }) => {
    const { keyword } = (localizationKeyword ?? {}) as Item
    if (typeof keyword !== 'string') throw adviceFailure(400, 'localizationKeyword.keyword is required')
    const localizedKeywords = byPlace(places, place =>
      languageIn(place) === languageIn(source) ? { keyword } : undefined,
    )
    return { status: 'SUCCESS', localizedKeywords }
  })
  return { localizedKeywordResponses }
}

/** One condition as it reads in another marketplace; null when there is nothing like it. */
function carried(
  { world }: AdsCaller,
  { type, value = '' }: Expression,
  source: MarketplaceFacts,
  place: MarketplaceFacts,
): Expression | null {
  if (type === 'asinSameAs')
    return [...world.store.products.values()].some(one => one.asin === value && one.marketplaceId === place.amazonId)
      ? { type, value }
      : null
  if (type === 'asinCategorySameAs')
    return languageOf(place.amazonId).categories.some(category => category.id === value) ? { type, value } : null
  if (!type.startsWith('asinPrice')) return { type, value }
  const range = value.split('-').map(Number)
  if (range.some(amount => !(Math.abs(amount) <= MOST_AMOUNT)))
    throw adviceFailure(400, `The value does not fit ${type}`)
  const amounts = range.map(amount => money(amount, source, place))
  return amounts.includes(null) ? null : { type, value: amounts.join('-') }
}

function expressions(caller: AdsCaller, body: Item): object {
  const source = placeOf((body.sourceDetails ?? {}) as Item)
  const places = requestsOf(body, 'targetDetailsList', 25).map(placeOf)
  const responses = requestsOf(body, 'requests').map(({ targetingExpression }) => {
    const { expression, isForNegativeTargeting = false } = (targetingExpression ?? {}) as Item
    if (!Array.isArray(expression)) throw adviceFailure(400, 'targetingExpression.expression is required')
    const conditions = readParts(expression, 'targetingExpression.expression', 1000)
    const localizedTargetingExpressions = byPlace(places, place => {
      const parts = conditions.map(part => carried(caller, part, source, place))
      return parts.includes(null) ? undefined : { expression: parts, isForNegativeTargeting }
    })
    return { localizedTargetingExpressions }
  })
  return { responses }
}

const localizeCall = (path: string, name: string, answer: Call['answer']): Call => {
  const type = vendorType(name, 'v1')
  return { path, media: { takes: [type], plain: 'always' }, type, answer }
}

/** What a campaign's parts are in other marketplaces, in version 1: amounts, products, keywords, conditions. */
export const localizationCalls: readonly Call[] = [
  localizeCall('/currencies/localize', 'currencylocalization', currencies),
  localizeCall('/products/localize', 'productlocalization', products),
  localizeCall('/keywords/localize', 'keywordlocalization', keywords),
  localizeCall('/targetingExpression/localize', 'targetingexpressionlocalization', expressions),
]
