import type { Product } from '../../core/model/store.ts'
import { hashText } from '../../market/random.ts'
import { check, notFound, offsetIn, ok, operation, paginationOf, type SpRequest } from './operation.ts'
import { imageOf, productsIn, productTypeOf } from './product-fields.ts'

const dataSets: Record<string, (request: SpRequest, product: Product) => Record<string, unknown>> = {
  summaries: (_request, product) => ({
    brand: product.brand,
    browseClassification: classificationOf(product),
    itemClassification: 'BASE_PRODUCT',
    itemName: product.title,
    manufacturer: product.brand,
    packageQuantity: 1,
  }),
  images: (request, product) => ({ images: [{ variant: 'MAIN', ...imageOf(request, product) }] }),
  classifications: (_request, product) => ({ classifications: [classificationOf(product)] }),
  salesRanks: (_request, { bestSellerRank: rank, categoryId, categoryName }) => ({
    classificationRanks: rank === null ? [] : [{ classificationId: categoryId, title: categoryName, rank }],
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
// The last two are not lists by marketplace, or not for sellers.
const dataSetNames = new Set([...Object.keys(dataSets), 'attributes', 'vendorDetails'])

function classificationOf({ categoryName, categoryId }: Product) {
  return { displayName: categoryName, classificationId: categoryId }
}

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

function itemOf(request: SpRequest, product: Product, included: readonly string[]): Record<string, unknown> {
  const { asin, title, brand, marketplaceId } = product
  const localized = (value: string): object[] => [{ value, marketplace_id: marketplaceId }]
  const parts = included.flatMap(name => {
    const part = dataSets[name]?.(request, product)
    return part ? [[name, [{ marketplaceId, ...part }]]] : []
  })
  return {
    asin,
    ...(included.includes('attributes') && { attributes: { item_name: localized(title), brand: localized(brand) } }),
    ...Object.fromEntries(parts),
  }
}

/** The catalogue belongs to everybody: products of all sellers in the marketplace, by ASIN. */
function catalogueOf({ query, seller, store }: SpRequest): Map<string, Product> {
  const [marketplaceId = ''] = query.list('marketplaceIds')
  check(seller.marketplaceIds.includes(marketplaceId), 'marketplaceIds are missing or not yours')
  return new Map(productsIn(store, marketplaceId).map(product => [product.asin, product]))
}

const MAX_TERMS = 20
const otherIdentifiers = new Set(['GTIN', 'ISBN', 'JAN', 'MINSAN', 'UPC'])

/** Which products a search matches; null when its terms are incomplete or contradict each other. */
function filterOf({ query, seller }: SpRequest): ((product: Product) => boolean) | null {
  const identifiers = query.list('identifiers')
  const words = query.list('keywords').map(word => word.toLowerCase())
  const [brands, categories] = [query.list('brandNames'), query.list('classificationIds')]
  if (identifiers.length > MAX_TERMS || words.length > MAX_TERMS) return null
  if (identifiers.length > 0) {
    if (words.length + brands.length + categories.length > 0) return null
    const type = query.one('identifiersType')
    if (type === 'ASIN') return product => identifiers.includes(product.asin)
    if (type === 'EAN') return product => identifiers.includes(eanOf(product))
    if (type === 'SKU' && query.one('sellerId') === seller.sellerId)
      return product => product.sellerId === seller.sellerId && identifiers.includes(product.sku)
    return otherIdentifiers.has(type ?? '') ? () => false : null
  }
  if (words.length === 0) return null
  return product =>
    words.every(word => `${product.title} ${product.brand}`.toLowerCase().includes(word)) &&
    (brands.length === 0 || brands.includes(product.brand)) &&
    (categories.length === 0 || categories.includes(product.categoryId))
}

function search(request: SpRequest) {
  const { query } = request
  const catalogue = catalogueOf(request)
  const filter = filterOf(request)
  check(filter, 'either keywords, or identifiers with their identifiersType (and sellerId for SKU), are needed')
  const included = request.query.included(dataSetNames)
  const size = query.pageSize('pageSize', 10, 20, 'pageSize or pageToken is not valid')
  const offset = offsetIn(query.one('pageToken'), 'pageSize or pageToken is not valid')
  const found = [...catalogue.values()].filter(filter)
  const [brands, categories] = [Map.groupBy(found, one => one.brand), Map.groupBy(found, one => one.categoryId)]
  return ok({
    numberOfResults: found.length,
    pagination: paginationOf(offset, size, found.length),
    refinements: {
      brands: [...brands].map(([brandName, products]) => ({ numberOfResults: products.length, brandName })),
      classifications: [...categories.values()].map(products => ({
        numberOfResults: products.length,
        ...classificationOf(products[0] as Product),
      })),
    },
    items: found.slice(offset, offset + size).map(product => itemOf(request, product, included)),
  })
}

function get(request: SpRequest) {
  const catalogue = catalogueOf(request)
  const included = request.query.included(dataSetNames)
  const product = catalogue.get(request.path.asin ?? '')
  if (!product) throw notFound(`ASIN '${request.path.asin}'`)
  return ok(itemOf(request, product, included))
}

export const catalogueOperations = [
  operation('searchCatalogItems', 'GET /catalog/2022-04-01/items', 2, 2, search),
  operation('getCatalogItem', 'GET /catalog/2022-04-01/items/:asin', 2, 2, get),
]
