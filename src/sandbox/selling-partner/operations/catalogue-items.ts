import type { Product } from '../../core/model/store.ts'
import { hashText } from '../../market/random.ts'
import { check, notFound, ok, type Operation, operation, type SpAnswer, type SpRequest } from './operation.ts'
import { imageOf, productTypeOf } from './product-fields.ts'
import { includedIn, listOf, offsetOf, oneOf, pageSizeOf, paginationOf } from './read-request.ts'

const dataSets: Record<string, (request: SpRequest, product: Product) => Record<string, unknown>> = {
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
/** Data sets that are not lists by marketplace, or not for sellers. */
const otherDataSets = new Set(['attributes', 'vendorDetails'])

/** A made-up article number for each product, with a valid check digit. */
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

const isDataSet = (name: string): boolean => name in dataSets || otherDataSets.has(name)

function itemOf(request: SpRequest, product: Product, included: readonly string[]): Record<string, unknown> {
  const localized = (value: string): object[] => [{ value, marketplace_id: product.marketplaceId }]
  return {
    asin: product.asin,
    ...(included.includes('attributes') && {
      attributes: { item_name: localized(product.title), brand: localized(product.brand) },
    }),
    ...Object.fromEntries(
      included.flatMap(name =>
        dataSets[name] ? [[name, [{ marketplaceId: product.marketplaceId, ...dataSets[name](request, product) }]]] : [],
      ),
    ),
  }
}

/** The catalogue belongs to everybody: products of all sellers in the marketplace, by ASIN. */
function catalogueOf({ query, seller, store }: SpRequest): Map<string, Product> {
  const [marketplaceId = ''] = listOf(query.marketplaceIds)
  check(seller.marketplaceIds.includes(marketplaceId), 'marketplaceIds are missing or not yours')
  return new Map(
    [...store.products.values()]
      .filter(product => product.marketplaceId === marketplaceId)
      .map(product => [product.asin, product]),
  )
}

const MAX_TERMS = 20
const otherIdentifiers = new Set(['GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'])

/** Which products a search matches; null when its terms are incomplete or contradict each other. */
function filterOf({ query, seller }: SpRequest): ((product: Product) => boolean) | null {
  const identifiers = listOf(query.identifiers)
  const words = listOf(query.keywords).map(word => word.toLowerCase())
  const [brands, categories] = [listOf(query.brandNames), listOf(query.classificationIds)]
  if (identifiers.length > MAX_TERMS || words.length > MAX_TERMS) return null
  if (identifiers.length > 0) {
    if (words.length + brands.length + categories.length > 0) return null
    const type = oneOf(query.identifiersType)
    if (type === 'ASIN') return product => identifiers.includes(product.asin)
    if (type === 'EAN') return product => identifiers.includes(eanOf(product))
    if (type === 'SKU' && oneOf(query.sellerId) === seller.sellerId)
      return product => product.sellerId === seller.sellerId && identifiers.includes(product.sku)
    return otherIdentifiers.has(type ?? '') ? () => false : null
  }
  if (words.length === 0) return null
  return product =>
    words.every(word => `${product.title} ${product.brand}`.toLowerCase().includes(word)) &&
    (brands.length === 0 || brands.includes(product.brand)) &&
    (categories.length === 0 || categories.includes(product.categoryId))
}

function search(request: SpRequest): SpAnswer {
  const { query } = request
  const catalogue = catalogueOf(request)
  const filter = filterOf(request)
  check(filter, 'either keywords, or identifiers with their identifiersType (and sellerId for SKU), are needed')
  const included = includedIn(request, isDataSet)
  const size = pageSizeOf(query.pageSize, 10, 20, 'pageSize or pageToken is not valid')
  const offset = offsetOf(oneOf(query.pageToken), 'pageSize or pageToken is not valid')
  const found = [...catalogue.values()].filter(filter)
  return ok({
    numberOfResults: found.length,
    pagination: paginationOf(offset, size, found.length),
    refinements: {
      brands: [...Map.groupBy(found, product => product.brand)].map(([brandName, products]) => ({
        numberOfResults: products.length,
        brandName,
      })),
      classifications: [...Map.groupBy(found, product => product.categoryId)].map(([classificationId, products]) => ({
        numberOfResults: products.length,
        displayName: products[0]?.categoryName ?? '',
        classificationId,
      })),
    },
    items: found.slice(offset, offset + size).map(product => itemOf(request, product, included)),
  })
}

function get(request: SpRequest): SpAnswer {
  const catalogue = catalogueOf(request)
  const included = includedIn(request, isDataSet)
  const product = catalogue.get(request.path.asin ?? '')
  if (!product) throw notFound(`ASIN '${request.path.asin}'`)
  return ok(itemOf(request, product, included))
}

/** The catalogue: product data independent of the seller. */
export const catalogueOperations: Operation[] = [
  operation('searchCatalogItems', 'GET /catalog/2022-04-01/items', 2, 2, search),
  operation('getCatalogItem', 'GET /catalog/2022-04-01/items/:asin', 2, 2, get),
]
