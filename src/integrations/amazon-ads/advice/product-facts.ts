import type { AdsCall } from '../client.ts'
import { chunks } from '../entities/outcome.ts'
import { fromBudgetUsage, fromEligibility, fromProductMetadata } from './mapper.ts'
import type { BudgetUsage, Eligibility, ProductFacts } from './vocabulary.ts'
import * as wire from './wire.ts'

const media = (name: string) => `application/vnd.${name}+json`

/** At most fifty products a call. */
export async function checkEligibility(
  call: AdsCall,
  products: readonly { asin: string; sku?: string }[],
  locale?: string,
): Promise<Eligibility[]> {
  const found: Eligibility[] = []
  for (const chunk of chunks(products, 50)) {
    const reply = await call({
      operation: 'check eligibility',
      method: 'POST',
      path: '/eligibility/product/list',
      body: { adType: 'sp', productDetailsList: chunk, ...(locale && { locale }) },
      effect: 'read',
      schema: wire.eligibilityWire,
    })
    found.push(...fromEligibility(reply))
  }
  return found
}

/** At most three hundred products a call, which one page holds. */
export async function readProductFacts(
  call: AdsCall,
  products: { asins: readonly string[] } | { skus: readonly string[] },
): Promise<ProductFacts[]> {
  const [key, ids] = 'asins' in products ? (['asins', products.asins] as const) : (['skus', products.skus] as const)
  const found: ProductFacts[] = []
  for (const chunk of chunks(ids, 300)) {
    const reply = await call({
      operation: 'read product metadata',
      method: 'POST',
      path: '/product/metadata',
      mediaType: media('productmetadatarequest.v1'),
      acceptType: media('productmetadataresponse.v1'),
      body: { [key]: chunk, adType: 'SP', checkItemDetails: true, checkEligibility: true, pageIndex: 0, pageSize: 300 },
      effect: 'read',
      schema: wire.productMetadataWire,
    })
    found.push(...fromProductMetadata(reply))
  }
  return found
}

/** Whose budget: campaigns of one advertising product, or portfolios. */
export type BudgetOwner = 'SPONSORED_PRODUCTS' | 'SPONSORED_BRANDS' | 'SPONSORED_DISPLAY' | 'PORTFOLIO'

const budgetCalls: Record<BudgetOwner, { path: string; type: string; ids: string }> = {
  SPONSORED_PRODUCTS: { path: '/sp/campaigns/budget/usage', type: 'spcampaignbudgetusage.v1', ids: 'campaignIds' },
  SPONSORED_BRANDS: { path: '/sb/campaigns/budget/usage', type: 'sbcampaignbudgetusage.v1', ids: 'campaignIds' },
  SPONSORED_DISPLAY: { path: '/sd/campaigns/budget/usage', type: 'sdcampaignbudgetusage.v1', ids: 'campaignIds' },
  PORTFOLIO: { path: '/portfolios/budget/usage', type: 'portfoliobudgetusage.v1', ids: 'portfolioIds' },
}

/** At most a hundred campaigns or portfolios a call. */
export async function readBudgetUsage(
  call: AdsCall,
  ids: readonly string[],
  owner: BudgetOwner = 'SPONSORED_PRODUCTS',
): Promise<BudgetUsage[]> {
  const { path, type, ids: key } = budgetCalls[owner]
  const found: BudgetUsage[] = []
  for (const chunk of chunks(ids, 100)) {
    const reply = await call({
      operation: 'read budget usage',
      method: 'POST',
      path,
      mediaType: media(type),
      body: { [key]: chunk },
      effect: 'read',
      schema: wire.budgetUsageWire,
    })
    found.push(...fromBudgetUsage(reply))
  }
  return found
}
