import type { Product } from '../../core/model/store.ts'
import { hashText } from '../../market/random.ts'
import {
  imageOf,
  invalid,
  listOf,
  notFound,
  offsetOf,
  ok,
  oneOf,
  type Operation,
  pageToken,
  productTypeOf,
  type SpRequest,
} from './operation.ts'

const parts: Record<string, (request: SpRequest, product: Product) => Record<string, unknown>> = {
  summaries: (_request, product) => ({
    brand: product.brand,
    browseClassification: { displayName: product.categoryName, classificationId: product.categoryId },
    itemClassification: 'BASE_PRODUCT',
    itemName: product.title,
    manufacturer: product.brand,
    packageQuantity: 1,
  }),
  images: (request, product) => ({
    images: [{ variant: 'MAIN', link: imageOf(request, product), height: 500, width: 500 }],
  }),
  classifications: (_request, product) => ({
    classifications: [{ displayName: product.categoryName, classificationId: product.categoryId }],
  }),
  salesRanks: (_request, product) => ({
    classificationRanks:
      product.bestSellerRank === null
        ? []
        : [{ classificationId: product.categoryId, title: product.categoryName, rank: product.bestSellerRank }],
  }),
  identifiers: (_request, product) => ({
    identifiers: [
      { identifierType: 'EAN', identifier: eanOf(product) },
      { identifierType: 'SKU', identifier: product.sku },
    ],
  }),
  relationships: () => ({ relationships: [] }),
  productTypes: (_request, product) => ({ productType: productTypeOf(product) }),
  dimensions: (_request, product) => ({ item: sizeOf(product, 0), package: sizeOf(product, 2) }),
}
/** Parts that exist and are not lists by marketplace, or not for sellers. */
const otherParts = new Set(['attributes', 'vendorDetails'])

/** A made-up article number of its own for each product, with the check digit that such numbers have. */
function eanOf({ asin }: Product): string {
  const digits = `200${String(hashText(asin, 31) % 1_000_000_000).padStart(9, '0')}`
  const sum = digits.split('').reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

function sizeOf({ asin }: Product, margin: number): Record<string, object> {
  const side = (salt: number): object => ({ unit: 'centimeters', value: 4 + (hashText(asin, salt) % 30) + margin })
  const weight = { unit: 'grams', value: 80 + (hashText(asin, 44) % 900) + 20 * margin }
  return { height: side(41), length: side(42), width: side(43), weight }
}

/** The parts that a request asks for; null when it names one that does not exist. */
function includedIn(request: SpRequest): string[] | null {
  const named = listOf(request.query.includedData)
  if (!named.every(part => part in parts || otherParts.has(part))) return null
  return named.length > 0 ? named : ['summaries']
}

function itemOf(request: SpRequest, product: Product, included: readonly string[]): Record<string, unknown> {
  const localized = (value: string): object[] => [{ value, marketplace_id: product.marketplaceId }]
  return {
    asin: product.asin,
    ...(included.includes('attributes') && {
      attributes: { item_name: localized(product.title), brand: localized(product.brand) },
    }),
    ...Object.fromEntries(
      included.flatMap(part =>
        parts[part] ? [[part, [{ marketplaceId: product.marketplaceId, ...parts[part](request, product) }]]] : [],
      ),
    ),
  }
}

/** The catalogue is everybody's: products of all sellers in the marketplace, one an ASIN. */
function shelfOf(request: SpRequest): Map<string, Product> | null {
  const [marketplaceId] = listOf(request.query.marketplaceIds)
  if (!marketplaceId || !request.seller.marketplaceIds.includes(marketplaceId)) return null
  return new Map(
    [...request.store.products.values()]
      .filter(product => product.marketplaceId === marketplaceId)
      .map(product => [product.asin, product]),
  )
}

const MOST_TERMS = 20
const otherIdentifiers = new Set(['GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'])

/** What a search keeps; null when it asks for nothing that can be searched for. */
function finds(request: SpRequest): ((product: Product) => boolean) | null {
  const { query } = request
  const identifiers = listOf(query.identifiers)
  const words = listOf(query.keywords).map(word => word.toLowerCase())
  const [brands, classes] = [listOf(query.brandNames), listOf(query.classificationIds)]
  if (identifiers.length > MOST_TERMS || words.length > MOST_TERMS) return null
  if (identifiers.length > 0) {
    if (words.length + brands.length + classes.length > 0) return null
    const type = oneOf(query.identifiersType)
    if (type === 'ASIN') return product => identifiers.includes(product.asin)
    if (type === 'EAN') return product => identifiers.includes(eanOf(product))
    if (type === 'SKU' && oneOf(query.sellerId) === request.seller.sellerId)
      return product => product.sellerId === request.seller.sellerId && identifiers.includes(product.sku)
    return otherIdentifiers.has(type ?? '') ? () => false : null
  }
  if (words.length === 0) return null
  return product =>
    words.every(word => `${product.title} ${product.brand}`.toLowerCase().includes(word)) &&
    (brands.length === 0 || brands.includes(product.brand)) &&
    (classes.length === 0 || classes.includes(product.categoryId))
}

function answerSearch(request: SpRequest): ReturnType<Operation['answer']> {
  const shelf = shelfOf(request)
  const match = finds(request)
  const size = Number(oneOf(request.query.pageSize) ?? 10)
  const offset = offsetOf(oneOf(request.query.pageToken))
  if (!shelf) return invalid('marketplaceIds are missing or not yours')
  const included = includedIn(request)
  if (!match)
    return invalid('either keywords, or identifiers with their identifiersType (and sellerId for SKU), are needed')
  if (!included) return invalid('includedData is not valid')
  if (!Number.isInteger(size) || size < 1 || size > 20 || offset === null)
    return invalid('pageSize or pageToken is not valid')
  const found = [...shelf.values()].filter(match)
  const count = <T>(key: (product: Product) => T): [T, number][] =>
    [...Map.groupBy(found, key)].map(([value, products]) => [value, products.length])
  return ok({
    numberOfResults: found.length,
    pagination: {
      ...(offset + size < found.length ? { nextToken: pageToken(offset + size) } : {}),
      ...(offset > 0 ? { previousToken: pageToken(Math.max(0, offset - size)) } : {}),
    },
    refinements: {
      brands: count(product => product.brand).map(([brandName, numberOfResults]) => ({ numberOfResults, brandName })),
      classifications: [...Map.groupBy(found, product => product.categoryId)].map(([classificationId, products]) => ({
        numberOfResults: products.length,
        displayName: products[0]?.categoryName ?? '',
        classificationId,
      })),
    },
    items: found.slice(offset, offset + size).map(product => itemOf(request, product, included)),
  })
}

/** The catalogue: what things are, whoever sells them. */
export const catalogueOperations: Operation[] = [
  {
    id: 'searchCatalogItems',
    method: 'GET',
    url: '/catalog/2022-04-01/items',
    rate: 2,
    burst: 2,
    answer: answerSearch,
  },
  {
    id: 'getCatalogItem',
    method: 'GET',
    url: '/catalog/2022-04-01/items/:asin',
    rate: 2,
    burst: 2,
    answer(request) {
      const shelf = shelfOf(request)
      if (!shelf) return invalid('marketplaceIds are missing or not yours')
      const included = includedIn(request)
      if (!included) return invalid('includedData is not valid')
      const product = shelf.get(request.path.asin ?? '')
      return product ? ok(itemOf(request, product, included)) : notFound(`ASIN '${request.path.asin}'`)
    },
  },
]
