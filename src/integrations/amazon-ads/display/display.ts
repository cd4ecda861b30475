import { createArrayCollection, defineArrayResource, type ManagedCollection } from '../arrays/array-collection.ts'
import type { AdsCall } from '../client.ts'
import type * as entity from './entities.ts'
import * as map from './mapper.ts'
import * as wire from './wire.ts'

/** Sponsored Display of one profile, as it stands; it is made in the marketplace's own console. */
export interface Display {
  campaigns: ManagedCollection<entity.DisplayCampaign, entity.DisplayCampaignChange>
  adGroups: ManagedCollection<entity.DisplayAdGroup, entity.DisplayAdGroupChange>
  ads: ManagedCollection<entity.DisplayAd, entity.DisplayAdChange>
  targets: ManagedCollection<entity.DisplayTarget, entity.DisplayTargetChange>
  negativeTargets: ManagedCollection<entity.DisplayNegativeTarget, entity.DisplayNegativeTargetChange>
}

const campaigns = defineArrayResource({
  path: '/sd/campaigns',
  extendedPath: '/sd/campaigns/extended',
  idName: 'campaignId',
  schema: wire.campaignWire,
  fromWire: map.fromCampaign,
  toChange: map.toCampaignChange,
})
const adGroups = defineArrayResource({
  path: '/sd/adGroups',
  extendedPath: '/sd/adGroups/extended',
  idName: 'adGroupId',
  schema: wire.adGroupWire,
  fromWire: map.fromAdGroup,
  toChange: map.toAdGroupChange,
})
const ads = defineArrayResource({
  path: '/sd/productAds',
  extendedPath: '/sd/productAds/extended',
  idName: 'adId',
  schema: wire.adWire,
  fromWire: map.fromAd,
  toChange: map.toAdChange,
})
const targets = defineArrayResource({
  path: '/sd/targets',
  extendedPath: '/sd/targets/extended',
  idName: 'targetId',
  schema: wire.targetWire,
  fromWire: map.fromTarget,
  toChange: (change: entity.DisplayTargetChange) => map.toTargetChange(change),
})
const negativeTargets = defineArrayResource({
  path: '/sd/negativeTargets',
  extendedPath: '/sd/negativeTargets/extended',
  idName: 'targetId',
  schema: wire.negativeTargetWire,
  fromWire: map.fromNegativeTarget,
  toChange: (change: entity.DisplayNegativeTargetChange) => map.toTargetChange(change),
})

export function createDisplay(call: AdsCall): Display {
  return {
    campaigns: createArrayCollection(call, campaigns),
    adGroups: createArrayCollection(call, adGroups),
    ads: createArrayCollection(call, ads),
    targets: createArrayCollection(call, targets),
    negativeTargets: createArrayCollection(call, negativeTargets),
  }
}
