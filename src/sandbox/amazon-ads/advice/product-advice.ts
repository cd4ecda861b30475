import type { FastifyInstance } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { fromMicros } from '#shared/money.ts'
import type { Product } from '../../core/model/store.ts'
import type { World } from '../../core/world.ts'
import { type AdsCaller, readCaller, readObject } from '../ads-caller.ts'
import { requireMedia } from '../media-types.ts'
import { plainText } from '../plain-text.ts'
import { adviceFailure, readObjects } from './advice-subject.ts'

const metadataRequest = 'application/vnd.productmetadatarequest.v1+json'
const metadataReply = 'application/vnd.productmetadataresponse.v1+json'

function ownProducts({ world, profile }: AdsCaller): Product[] {
  return [...world.store.products.values()].filter(
    product => product.sellerId === profile.sellerId && product.marketplaceId === profile.marketplaceId,
  )
}

interface ProductName {
  asin?: string
  sku?: string
}

type Severity = 'ELIGIBLE_WITH_WARNING' | 'INELIGIBLE'

/** Everything that speaks against advertising a product, each with how much it matters. */
function problemsOf(product: Product | undefined): [name: string, severity: Severity, message: string | null][] {
  if (!product)
    return [['PRODUCT_NOT_FOUND', 'INELIGIBLE', 'This product was not found among the listings of the advertiser.']]
  const { eligibility, eligibilityMessage, fulfillable } = product
  return [
    ...(eligibility === 'ELIGIBLE'
      ? []
      : [['INELIGIBLE_PRODUCT', eligibility, eligibilityMessage] satisfies [string, Severity, string | null]]),
    // It can be advertised, and its ads wait until it is back.
    ...(fulfillable > 0
      ? []
      : [
          ['OUT_OF_STOCK', 'ELIGIBLE_WITH_WARNING', 'This product is out of stock.'] satisfies [
            string,
            Severity,
            string,
          ],
        ]),
  ]
}

function eligibilityOf(name: ProductName, products: readonly Product[]): object {
  const product = products.find(({ asin, sku }) => (name.sku ? sku === name.sku : asin === name.asin))
  const problems = problemsOf(product)
  const severities = problems.map(([, severity]) => severity)
  const worst = severities.includes('INELIGIBLE') ? 'INELIGIBLE' : severities[0]
  return {
    productDetails: { asin: name.asin ?? product?.asin, ...(name.sku && { sku: name.sku }) },
    overallStatus: worst ?? 'ELIGIBLE',
    eligibilityStatusList: problems.map(([problem, severity, message]) => ({
      name: problem,
      severity,
      message,
      helpUrl: 'https://advertising.amazon.com/help/GA8Q2XFLN3QZ5TGN',
    })),
  }
}

function metadataToWire(product: Product, { world, profile: { currency } }: AdsCaller): object {
  return {
    asin: product.asin,
    sku: product.sku,
    title: product.title,
    brand: product.brand,
    category: product.categoryName,
    imageUrl: new URL(product.imageUrl, world.config.publicUrl).href,
    ...(product.bestSellerRank !== null && { bestSellerRank: String(product.bestSellerRank) }),
    basisPrice: { amount: fromMicros(product.priceMicros), currency },
    priceToPay: { amount: fromMicros(product.priceMicros), currency },
    availability: product.fulfillable > 0 ? 'IN_STOCK' : 'OUT_OF_STOCK',
    eligibilityStatus: product.eligibility,
    ineligibilityCodes: [],
    ineligibilityReasons: product.eligibility === 'INELIGIBLE' ? [product.eligibilityMessage ?? ''] : [],
  }
}

/** Which products may be advertised, and their metadata. */
export function registerProductAdvice(app: FastifyInstance, world: World, region: RegionKey): void {
  app.post('/eligibility/product/list', request => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: [], plain: 'always' })
    const { adType, productDetailsList } = readObject(request)
    if (!['sp', 'sb', 'sd'].includes(String(adType))) throw adviceFailure(400, 'adType must be sp, sb or sd')
    const names = readObjects(productDetailsList, 'productDetailsList', 50)
    if (names.length === 0) throw adviceFailure(400, 'productDetailsList must have 1 to 50 items')
    const products = ownProducts(caller)
    return { productResponseList: names.map(name => eligibilityOf(name, products)) }
  })

  app.post('/product/metadata', (request, reply) => {
    const caller = readCaller(request, world, region)
    requireMedia(request, { takes: [metadataRequest], gives: [metadataReply], plain: 'always' })
    const body = readObject(request)
    const { asins, skus, searchStr, pageIndex = 0, pageSize = 300, cursorToken } = body
    if (Number(pageSize) < 1 || Number(pageSize) > 300) throw adviceFailure(400, 'pageSize must be from 1 to 300')
    const matches = ({ asin, sku, title }: Product): boolean => {
      if (Array.isArray(asins)) return asins.includes(asin)
      if (Array.isArray(skus)) return skus.includes(sku)
      return !searchStr || title.toLowerCase().includes(plainText(searchStr).toLowerCase())
    }
    const found = ownProducts(caller).filter(matches)
    const start = cursorToken ? Number(cursorToken) : Number(pageIndex) * Number(pageSize)
    const end = start + Number(pageSize)
    void reply.type(metadataReply)
    return JSON.stringify({
      ProductMetadataList: found.slice(start, end).map(product => metadataToWire(product, caller)),
      ...(end < found.length && { cursorToken: String(end) }),
    })
  })
}
