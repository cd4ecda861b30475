import type { Store, EntityState } from '../../../core/model/store.ts'
import type { Fact } from '../../../market/market.ts'
import type { AdProduct } from '../../../market/market.ts'
import { brandClause, type Clause, displayClause, productsClause } from './clause.ts'

/** The entities that a fact's ids refer to, in terms common to all ad products. */
export interface Subject {
  adProduct: AdProduct
  campaign: {
    name: string
    state: EntityState
    budgetMicros: number
    budgetType: 'DAILY' | 'LIFETIME'
    strategy: string | null
    portfolioId: string | null
    costType: 'CPC' | 'VCPM'
  }
  adGroup: { name: string; state: EntityState; bidMicros: number | null; bidOptimization: string | null } | null
  ad: { state: EntityState; sku: string | null; video: boolean } | null
  clause: Clause | null
}

type Ids = Pick<Fact, 'campaignId' | 'adGroupId' | 'adId' | 'targetId'>

function ofProducts(store: Store, ids: Ids): Subject | null {
  const campaign = store.campaigns.get(ids.campaignId)
  if (!campaign) return null
  const adGroup = store.adGroups.get(ids.adGroupId)
  const ad = store.productAds.get(ids.adId)
  return {
    adProduct: 'SPONSORED_PRODUCTS',
    campaign: { ...campaign, budgetType: 'DAILY', costType: 'CPC' },
    adGroup: adGroup ? { ...adGroup, bidMicros: adGroup.defaultBidMicros, bidOptimization: null } : null,
    ad: ad ? { ...ad, video: false } : null,
    clause: productsClause(store, ids.targetId),
  }
}

function ofBrands(store: Store, ids: Ids): Subject | null {
  const campaign = store.brandCampaigns.get(ids.campaignId)
  if (!campaign) return null
  const adGroup = store.brandAdGroups.get(ids.adGroupId)
  const ad = store.brandAds.get(ids.adId)
  return {
    adProduct: 'SPONSORED_BRANDS',
    campaign: { ...campaign, strategy: null },
    adGroup: adGroup ? { ...adGroup, bidMicros: null, bidOptimization: null } : null,
    ad: ad ? { state: ad.state, sku: null, video: ad.format === 'VIDEO' || ad.format === 'BRAND_VIDEO' } : null,
    clause: brandClause(store, ids.targetId),
  }
}

function ofDisplay(store: Store, ids: Ids): Subject | null {
  const campaign = store.displayCampaigns.get(ids.campaignId)
  if (!campaign) return null
  const adGroup = store.displayAdGroups.get(ids.adGroupId)
  const ad = store.displayAds.get(ids.adId)
  return {
    adProduct: 'SPONSORED_DISPLAY',
    campaign: { ...campaign, budgetType: 'DAILY', strategy: null },
    adGroup: adGroup
      ? { ...adGroup, bidMicros: adGroup.defaultBidMicros, bidOptimization: adGroup.bidOptimization.toLowerCase() }
      : null,
    ad: ad ? { ...ad, video: adGroup?.creativeType === 'VIDEO' } : null,
    clause: displayClause(store, ids.targetId),
  }
}

export interface Subjects {
  /** Null only when the store has no such campaign (any more). */
  of(ids: Ids): Subject | null
}

/** Looks entities up in the current store, and caches them. */
export function createSubjects(store: Store): Subjects {
  const cached = new Map<string, Subject | null>()
  return {
    of(ids) {
      const key = `${ids.adId}|${ids.targetId}`
      let subject = cached.get(key)
      if (subject === undefined) {
        subject = ofProducts(store, ids) ?? ofBrands(store, ids) ?? ofDisplay(store, ids)
        cached.set(key, subject)
      }
      return subject
    },
  }
}
