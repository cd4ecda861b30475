import { fromMicros } from '#shared/money.ts'
import type { Product } from '../../core/model/store.ts'
import { type AdsCaller, ownProducts } from '../ads-caller.ts'
import { plainText } from '../ads-failure.ts'
import type { Call } from '../calls.ts'
import { vendorType } from '../media-types.ts'
import { adviceFailure, readObjects } from './advice-subject.ts'

type Problem = [name: string, severity: 'ELIGIBLE_WITH_WARNING' | 'INELIGIBLE', message: string | null]

/** Everything that speaks against advertising a product, each with how much it matters. */
function problemsOf(product: Product | undefined): Problem[] {
  if (!product)
    return [['PRODUCT_NOT_FOUND', 'INELIGIBLE', 'This product was not found among the listings of the advertiser.']]
  const { eligibility, eligibilityMessage, fulfillable } = product
  const problems: Problem[] = []
  if (eligibility !== 'ELIGIBLE') problems.push(['INELIGIBLE_PRODUCT', eligibility, eligibilityMessage])
  // It can be advertised, and its ads wait until it is back.
  if (fulfillable <= 0) problems.push(['OUT_OF_STOCK', 'ELIGIBLE_WITH_WARNING', 'This product is out of stock.'])
  return problems
}

function eligibilityOf(name: { asin?: string; sku?: string }, products: readonly Product[]): object {
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
  const price = { amount: fromMicros(product.priceMicros), currency }
  return {
    asin: product.asin,
    sku: product.sku,
    title: product.title,
    brand: product.brand,
    category: product.categoryName,
    imageUrl: new URL(product.imageUrl, world.config.publicUrl).href,
    ...(product.bestSellerRank !== null && { bestSellerRank: String(product.bestSellerRank) }),
    basisPrice: price,
    priceToPay: price,
    availability: product.fulfillable > 0 ? 'IN_STOCK' : 'OUT_OF_STOCK',
    eligibilityStatus: product.eligibility,
    ineligibilityCodes: [],
    ineligibilityReasons: product.eligibility === 'INELIGIBLE' ? [product.eligibilityMessage ?? ''] : [],
  }
}

const metadataReply = vendorType('productmetadataresponse', 'v1')

export const productAdvice: readonly Call[] = [
  {
    path: '/eligibility/product/list',
    media: { takes: [], plain: 'always' },
    answer({ world, profile }, { adType, productDetailsList }) {
      if (!['sp', 'sb', 'sd'].includes(String(adType))) throw adviceFailure(400, 'adType must be sp, sb or sd')
      const names = readObjects(productDetailsList, 'productDetailsList', 50)
      if (names.length === 0) throw adviceFailure(400, 'productDetailsList must have 1 to 50 items')
      const products = ownProducts(world.store, profile)
      return { productResponseList: names.map(name => eligibilityOf(name, products)) }
    },
  },
  {
    path: '/product/metadata',
    media: { takes: [vendorType('productmetadatarequest', 'v1')], gives: [metadataReply], plain: 'always' },
    type: metadataReply,
    answer(caller, { asins, skus, searchStr, pageIndex = 0, pageSize = 300, cursorToken }) {
      if (Number(pageSize) < 1 || Number(pageSize) > 300) throw adviceFailure(400, 'pageSize must be from 1 to 300')
      const matches = ({ asin, sku, title }: Product): boolean => {
        if (Array.isArray(asins)) return asins.includes(asin)
        if (Array.isArray(skus)) return skus.includes(sku)
        return !searchStr || title.toLowerCase().includes(plainText(searchStr).toLowerCase())
      }
      const found = ownProducts(caller.world.store, caller.profile).filter(matches)
      const start = cursorToken ? Number(cursorToken) : Number(pageIndex) * Number(pageSize)
      const end = start + Number(pageSize)
      return {
        ProductMetadataList: found.slice(start, end).map(product => metadataToWire(product, caller)),
        ...(end < found.length && { cursorToken: String(end) }),
      }
    },
  },
]
