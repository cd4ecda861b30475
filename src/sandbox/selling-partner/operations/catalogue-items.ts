import type { Product } from '../../core/model.ts'
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
  identifiers: () => ({ identifiers: [] }),
  relationships: () => ({ relationships: [] }),
}

const itemOf = (request: SpRequest, product: Product): Record<string, unknown> => {
  const named = listOf(request.query.includedData)
  const included = named.length > 0 ? named : ['summaries']
  return {
    asin: product.asin,
    ...Object.fromEntries(
      included.flatMap(part =>
        parts[part] ? [[part, [{ marketplaceId: product.marketplaceId, ...parts[part](request, product) }]]] : [],
      ),
    ),
  }
}

/** The catalogue is everybody's: products of all sellers in the marketplace, one an ASIN. */
const shelfOf = (request: SpRequest): Map<string, Product> | null => {
  const [marketplaceId] = listOf(request.query.marketplaceIds)
  if (!marketplaceId || !request.seller.marketplaceIds.includes(marketplaceId)) return null
  return new Map(
    [...request.books.products.values()]
      .filter(product => product.marketplaceId === marketplaceId)
      .map(product => [product.asin, product]),
  )
}

const finds = (request: SpRequest): ((product: Product) => boolean) | null => {
  const identifiers = listOf(request.query.identifiers)
  const words = listOf(request.query.keywords).map(word => word.toLowerCase())
  if (identifiers.length > 0) {
    const type = oneOf(request.query.identifiersType)
    if (type === 'ASIN') return product => identifiers.includes(product.asin)
    return type === 'SKU' ? product => identifiers.includes(product.sku) : null
  }
  return words.length > 0 ? product => words.every(word => product.title.toLowerCase().includes(word)) : null
}

const answerSearch = (request: SpRequest): ReturnType<Operation['answer']> => {
  const shelf = shelfOf(request)
  const match = finds(request)
  const size = Number(oneOf(request.query.pageSize) ?? 10)
  const offset = offsetOf(oneOf(request.query.pageToken))
  if (!shelf) return invalid('marketplaceIds are missing or not yours')
  if (!match) return invalid('keywords, or identifiers of type ASIN or SKU, are needed')
  if (!Number.isInteger(size) || size < 1 || size > 20 || offset === null)
    return invalid('pageSize or pageToken is not valid')
  const found = [...shelf.values()].filter(match)
  const count = <T>(key: (product: Product) => T): [T, number][] =>
    [...Map.groupBy(found, key)].map(([value, products]) => [value, products.length])
  return ok({
    numberOfResults: found.length,
    pagination: offset + size < found.length ? { nextToken: pageToken(offset + size) } : {},
    refinements: {
      brands: count(product => product.brand).map(([brandName, numberOfResults]) => ({ numberOfResults, brandName })),
      classifications: [...Map.groupBy(found, product => product.categoryId)].map(([classificationId, products]) => ({
        numberOfResults: products.length,
        displayName: products[0]?.categoryName ?? '',
        classificationId,
      })),
    },
    items: found.slice(offset, offset + size).map(product => itemOf(request, product)),
  })
}

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
      const product = shelf.get(request.path.asin ?? '')
      return product ? ok(itemOf(request, product)) : notFound(`ASIN '${request.path.asin}'`)
    },
  },
]
