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

interface Place {
  marketplaceId?: unknown
  countryCode?: unknown
}

/** The marketplace that is named by its id or, where that is absent, by its country. Throws 400 when there is none. */
function placeOf({ marketplaceId, countryCode }: Place): MarketplaceFacts {
  const found =
    typeof marketplaceId === 'string'
      ? marketplaceByAmazonId(marketplaceId)
      : typeof countryCode === 'string'
        ? marketplaceByKey(countryCode)
        : undefined
  if (!found) throw adviceFailure(400, 'A marketplace id or country code that exists is required')
  return found
}

/** A request's list of objects, at most so many. Throws 400 otherwise. */
function requestsOf(body: Item, name: string, most: number): Item[] {
  const list = body[name]
  if (!Array.isArray(list) || list.length === 0 || list.length > most)
    throw adviceFailure(400, `${name} must have 1 to ${most} items`)
  return readObjects(list, name, most)
}

/** Marketplaces named by a list of ids or, where that is absent, of countries. */
function placesOf(ids: unknown, countries: unknown): MarketplaceFacts[] {
  if (Array.isArray(ids)) return ids.map((marketplaceId: unknown) => placeOf({ marketplaceId }))
  if (Array.isArray(countries)) return countries.map((countryCode: unknown) => placeOf({ countryCode }))
  throw adviceFailure(400, 'Target marketplaces are required')
}

/** Entries of an answer's map by marketplace id; what could not be carried over is left out. */
function byPlace<T>(
  places: readonly MarketplaceFacts[],
  carry: (place: MarketplaceFacts) => T | null,
): Record<string, T> {
  return Object.fromEntries(
    places.flatMap(place => {
      const carried = carry(place)
      return carried === null ? [] : [[place.amazonId, carried]]
    }),
  )
}

const MOST_REQUESTS = 1000
const MOST_AMOUNT = 1_000_000_000

function money(amount: number, from: MarketplaceFacts, to: MarketplaceFacts): number | null {
  const converted = convertMicros(toMicros(amount), from.currency, to.currency, shippedRates)
  return converted === null ? null : fromMicros(converted)
}

function currencies(_caller: AdsCaller, body: Item): object {
  const source = placeOf({ marketplaceId: body.sourceMarketplaceId, countryCode: body.sourceCountryCode })
  const places = placesOf(body.targetMarketplaces, body.targetCountryCodes)
  return {
    localizedCurrencyResponses: requestsOf(body, 'localizeCurrencyRequests', MOST_REQUESTS).map(({ currency }) => {
      const { amount } = (currency ?? {}) as { amount?: unknown }
      if (typeof amount !== 'number' || Math.abs(amount) > MOST_AMOUNT)
        throw adviceFailure(400, `currency.amount must be a number up to ${MOST_AMOUNT}`)
      return {
        localizedCurrencies: byPlace(places, place => {
          const converted = money(amount, source, place)
          return converted === null ? null : { amount: converted }
        }),
      }
    }),
  }
}

/** The same SKU of the same seller there, if it may be advertised. */
function products({ world, profile }: AdsCaller, body: Item): object {
  if (body.adType !== 'SPONSORED_PRODUCTS') throw adviceFailure(400, 'adType must be SPONSORED_PRODUCTS')
  const places = requestsOf(body, 'targetDetails', 25).map(target => {
    if (target.advertiserId !== profile.sellerId) throw adviceFailure(400, 'The advertiser is not the caller')
    return placeOf(target)
  })
  return {
    localizedProductResponses: requestsOf(body, 'localizeProductRequests', MOST_REQUESTS).map(({ product }) => {
      const { sku } = (product ?? {}) as { sku?: unknown }
      return {
        status: 'SUCCESS',
        localizedProducts: byPlace(places, place => {
          const found = world.store.products.get(`${profile.sellerId}|${place.amazonId}|${String(sku)}`)
          return found && found.eligibility !== 'INELIGIBLE' ? { asin: found.asin, sku: found.sku } : null
        }),
      }
    }),
  }
}

/** Between marketplaces of one language a keyword stays the same; the emulator does not translate, so elsewhere it is omitted. */
function keywords(_caller: AdsCaller, body: Item): object {
  const source = placeOf((body.sourceDetails ?? {}) as Item)
  const targets = (body.targetDetails ?? {}) as Item
  const places = placesOf(targets.marketplaceIds, targets.countryCodes)
  const spoken = ({ amazonId }: MarketplaceFacts): string => languageOf(amazonId).key
  return {
    localizedKeywordResponses: requestsOf(body, 'localizeKeywordRequests', MOST_REQUESTS).map(
      ({ localizationKeyword }) => {
        const { keyword } = (localizationKeyword ?? {}) as { keyword?: unknown }
        if (typeof keyword !== 'string') throw adviceFailure(400, 'localizationKeyword.keyword is required')
        return {
          status: 'SUCCESS',
          localizedKeywords: byPlace(places, place => (spoken(place) === spoken(source) ? { keyword } : null)),
        }
      },
    ),
  }
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
  return {
    responses: requestsOf(body, 'requests', MOST_REQUESTS).map(({ targetingExpression }) => {
      const { expression, isForNegativeTargeting = false } = (targetingExpression ?? {}) as Item
      if (!Array.isArray(expression)) throw adviceFailure(400, 'targetingExpression.expression is required')
      const conditions = readParts(expression, 'targetingExpression.expression', MOST_REQUESTS)
      return {
        localizedTargetingExpressions: byPlace(places, place => {
          const parts = conditions.map(part => carried(caller, part, source, place))
          return parts.includes(null) ? null : { expression: parts, isForNegativeTargeting }
        }),
      }
    }),
  }
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
