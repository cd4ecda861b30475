import type {
  AdGroup,
  AdGroupChange,
  Campaign,
  CampaignChange,
  Keyword,
  KeywordChange,
  NegativeKeyword,
  NegativeKeywordChange,
  NegativeTarget,
  NegativeTargetChange,
  NewAdGroup,
  NewCampaign,
  NewCampaignNegativeKeyword,
  NewCampaignNegativeTarget,
  NewKeyword,
  NewNegativeKeyword,
  NewNegativeTarget,
  NewProductAd,
  NewTarget,
  ProductAd,
  ProductAdChange,
  Target,
  TargetChange,
} from './entities.ts'
import * as map from './mapper.ts'
import { defineResource, type Resource } from './collection.ts'
import * as wire from './wire.ts'

const same = (change: object): object => change

export const campaigns: Resource<Campaign, NewCampaign, CampaignChange> = defineResource({
  path: '/sp/campaigns',
  mediaType: 'application/vnd.spCampaign.v3+json',
  listKey: 'campaigns',
  successId: 'campaignId',
  successEntity: 'campaign',
  idFilter: 'campaignIdFilter',
  schema: wire.campaignWire,
  fromWire: map.fromCampaign,
  toNew: map.toNewCampaign,
  toChange: map.toCampaignChange,
})

export const adGroups: Resource<AdGroup, NewAdGroup, AdGroupChange> = defineResource({
  path: '/sp/adGroups',
  mediaType: 'application/vnd.spAdGroup.v3+json',
  listKey: 'adGroups',
  successId: 'adGroupId',
  successEntity: 'adGroup',
  idFilter: 'adGroupIdFilter',
  schema: wire.adGroupWire,
  fromWire: map.fromAdGroup,
  toNew: map.toNewAdGroup,
  toChange: map.toAdGroupChange,
})

export const productAds: Resource<ProductAd, NewProductAd, ProductAdChange> = defineResource({
  path: '/sp/productAds',
  mediaType: 'application/vnd.spProductAd.v3+json',
  listKey: 'productAds',
  successId: 'adId',
  successEntity: 'productAd',
  idFilter: 'adIdFilter',
  schema: wire.productAdWire,
  fromWire: map.fromProductAd,
  toNew: map.toNewProductAd,
  toChange: same,
})

export const keywords: Resource<Keyword, NewKeyword, KeywordChange> = defineResource({
  path: '/sp/keywords',
  mediaType: 'application/vnd.spKeyword.v3+json',
  listKey: 'keywords',
  successId: 'keywordId',
  successEntity: 'keyword',
  idFilter: 'keywordIdFilter',
  schema: wire.keywordWire,
  fromWire: map.fromKeyword,
  toNew: map.toNewKeyword,
  toChange: map.toKeywordChange,
})

export const negativeKeywords: Resource<NegativeKeyword, NewNegativeKeyword, NegativeKeywordChange> = defineResource({
  path: '/sp/negativeKeywords',
  mediaType: 'application/vnd.spNegativeKeyword.v3+json',
  listKey: 'negativeKeywords',
  successId: 'negativeKeywordId',
  successEntity: 'negativeKeyword',
  idFilter: 'negativeKeywordIdFilter',
  schema: wire.negativeKeywordWire,
  fromWire: map.fromNegativeKeyword,
  toNew: map.toNewNegativeKeyword,
  toChange: same,
})

export const campaignNegativeKeywords: Resource<NegativeKeyword, NewCampaignNegativeKeyword, NegativeKeywordChange> =
  defineResource({
    path: '/sp/campaignNegativeKeywords',
    mediaType: 'application/vnd.spCampaignNegativeKeyword.v3+json',
    listKey: 'campaignNegativeKeywords',
    successId: 'campaignNegativeKeywordId',
    successEntity: 'campaignNegativeKeyword',
    idFilter: 'campaignNegativeKeywordIdFilter',
    schema: wire.negativeKeywordWire,
    fromWire: map.fromNegativeKeyword,
    toNew: map.toNewNegativeKeyword,
    toChange: same,
  })

export const targets: Resource<Target, NewTarget, TargetChange> = defineResource({
  path: '/sp/targets',
  mediaType: 'application/vnd.spTargetingClause.v3+json',
  listKey: 'targetingClauses',
  successId: 'targetId',
  successEntity: 'targetingClause',
  idFilter: 'targetIdFilter',
  schema: wire.targetWire,
  fromWire: map.fromTarget,
  toNew: map.toNewTarget,
  toChange: map.toTargetChange,
})

export const negativeTargets: Resource<NegativeTarget, NewNegativeTarget, NegativeTargetChange> = defineResource({
  path: '/sp/negativeTargets',
  mediaType: 'application/vnd.spNegativeTargetingClause.v3+json',
  listKey: 'negativeTargetingClauses',
  successId: 'targetId',
  successEntity: 'negativeTargetingClause',
  idFilter: 'negativeTargetIdFilter',
  schema: wire.negativeTargetWire,
  fromWire: map.fromNegativeTarget,
  toNew: map.toNewNegativeTarget,
  toChange: same,
})

export const campaignNegativeTargets: Resource<NegativeTarget, NewCampaignNegativeTarget, NegativeTargetChange> =
  defineResource({
    path: '/sp/campaignNegativeTargets',
    mediaType: 'application/vnd.spCampaignNegativeTargetingClause.v3+json',
    listKey: 'campaignNegativeTargetingClauses',
    successId: 'campaignNegativeTargetingClauseId',
    successEntity: 'campaignNegativeTargetingClauses',
    idFilter: 'campaignNegativeTargetIdFilter',
    schema: wire.negativeTargetWire,
    fromWire: map.fromNegativeTarget,
    toNew: map.toNewNegativeTarget,
    toChange: same,
  })
