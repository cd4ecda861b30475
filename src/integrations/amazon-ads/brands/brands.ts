import { createArrayCollection, defineArrayResource, type ManagedCollection } from '../arrays/array-collection.ts'
import type { AdsCall } from '../client.ts'
import { type Collection, createCollection } from '../structure/collection.ts'
import { defineResource } from '../structure/collection.ts'
import type * as entity from './entities.ts'
import * as map from './mapper.ts'
import { createTargetCollection } from './target-collection.ts'
import * as wire from './wire.ts'

type Clauses<E, Change> = ManagedCollection<E, Change, entity.BrandClauseFilter>
type Kept<E, Change> = Omit<Collection<E, never, Change>, 'create'>

/** Sponsored Brands of one profile, as it stands; its pictures and videos are made in the marketplace's own console. */
export interface Brands {
  campaigns: Kept<entity.BrandCampaign, entity.BrandCampaignChange>
  adGroups: Kept<entity.BrandAdGroup, entity.BrandAdGroupChange>
  ads: Kept<entity.BrandAd, entity.BrandAdChange>
  keywords: Clauses<entity.BrandKeyword, entity.BrandKeywordChange>
  negativeKeywords: Clauses<entity.BrandNegativeKeyword, entity.BrandNegativeKeywordChange>
  targets: Clauses<entity.BrandTarget, entity.BrandTargetChange>
  negativeTargets: Clauses<entity.BrandNegativeTarget, entity.BrandNegativeTargetChange>
}

// Ten items a call; a larger page than a hundred is refused, not cut [Sponsored Brands version 4].
const sizes = { batch: 10, page: 100 }
const same = (item: object): object => item

const campaigns = defineResource({
  path: '/sb/v4/campaigns',
  mediaType: 'application/vnd.sbcampaignresource.v4+json',
  listKey: 'campaigns',
  successId: 'campaignId',
  successEntity: 'campaign',
  idFilter: 'campaignIdFilter',
  ...sizes,
  schema: wire.campaignWire,
  fromWire: map.fromCampaign,
  toNew: same,
  toChange: map.toCampaignChange,
})
const adGroups = defineResource({
  path: '/sb/v4/adGroups',
  mediaType: 'application/vnd.sbadgroupresource.v4+json',
  listKey: 'adGroups',
  successId: 'adGroupId',
  successEntity: 'adGroup',
  idFilter: 'adGroupIdFilter',
  ...sizes,
  schema: wire.adGroupWire,
  fromWire: map.fromAdGroup,
  toNew: same,
  toChange: (change: entity.BrandAdGroupChange) => change,
})
const ads = defineResource({
  path: '/sb/v4/ads',
  mediaType: 'application/vnd.sbadresource.v4+json',
  listKey: 'ads',
  successId: 'adId',
  successEntity: 'ad',
  idFilter: 'adIdFilter',
  ...sizes,
  schema: wire.adWire,
  fromWire: map.fromAd,
  toNew: same,
  toChange: (change: entity.BrandAdChange) => change,
})
const keywords = defineArrayResource({
  path: '/sb/keywords',
  idName: 'keywordId',
  schema: wire.keywordWire,
  fromWire: map.fromKeyword,
  toChange: (change: entity.BrandKeywordChange) => map.toKeywordChange(change),
})
const negativeKeywords = defineArrayResource({
  path: '/sb/negativeKeywords',
  idName: 'keywordId',
  schema: wire.negativeKeywordWire,
  fromWire: map.fromNegativeKeyword,
  toChange: (change: entity.BrandNegativeKeywordChange) => map.toKeywordChange(change),
})

export function createBrands(call: AdsCall): Brands {
  return {
    campaigns: createCollection(call, campaigns),
    adGroups: createCollection(call, adGroups),
    ads: createCollection(call, ads),
    keywords: createArrayCollection(call, keywords),
    negativeKeywords: createArrayCollection(call, negativeKeywords),
    targets: createTargetCollection(call, {
      path: '/sb/targets',
      key: 'targets',
      schema: wire.targetWire,
      fromWire: map.fromTarget,
      toChange: (change: entity.BrandTargetChange) => map.toTargetChange(change),
    }),
    negativeTargets: createTargetCollection(call, {
      path: '/sb/negativeTargets',
      key: 'negativeTargets',
      schema: wire.negativeTargetWire,
      fromWire: map.fromNegativeTarget,
      toChange: (change: entity.BrandNegativeTargetChange) => map.toTargetChange(change),
    }),
  }
}
