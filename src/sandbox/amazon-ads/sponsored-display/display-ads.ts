import type { DisplayAd } from '../../core/model/display.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { ArrayKind } from '../arrays/array-kind.ts'
import { requiredId, stateOfChange, stateOfNew } from '../arrays/read-words.ts'
import { wholeId } from '../arrays/whole-ids.ts'
import { optionalText } from '../entities/read-fields.ts'
import { readProduct } from '../kinds/product-ads.ts'
import { displayAdGroupFor, displayParents, jsonTypes } from './display-parents.ts'
import { extendedAd } from './display-status.ts'
import { refuseSameProduct } from '../entities/refuse-duplicates.ts'
import { entriesBy } from '../../core/store/collections.ts'

/** Product ads of Sponsored Display; one product stands in an ad group at most once. */
export const displayAds: ArrayKind<DisplayAd> = {
  path: '/sd/productAds',
  idName: 'adId',
  filters: {
    adIdFilter: ad => ad.adId,
    adGroupIdFilter: ad => ad.adGroupId,
    campaignIdFilter: ad => ad.campaignId,
  },
  types: jsonTypes,
  all: store => store.displayAds.values(),
  find: (store, id) => store.displayAds.get(id),
  idOf: ad => ad.adId,
  put: (store, ad) => store.displayAds.set(ad.adId, ad),
  parentsOf: displayParents,

  create(caller, item) {
    const state = stateOfNew(item)
    const { campaign, adGroup } = displayAdGroupFor(caller, requiredId(item, 'adGroupId'))
    const product = readProduct(caller, item)
    refuseSameProduct(entriesBy(caller.world.store.displayAds, 'adGroupId', adGroup.adGroupId).values(), product.sku)
    return {
      adId: newEntityId(),
      adGroupId: adGroup.adGroupId,
      campaignId: campaign.campaignId,
      profileId: caller.profile.profileId,
      asin: product.asin,
      sku: product.sku,
      adName: optionalText(item, 'adName') ?? null,
      state,
      createdAt: caller.now.getTime(),
      updatedAt: caller.now.getTime(),
    }
  },
  update: (_caller, ad, item) => ({ ...ad, state: stateOfChange(item, ad.state) }),

  toWire: ad => ({
    adId: wholeId(ad.adId),
    adGroupId: wholeId(ad.adGroupId),
    campaignId: wholeId(ad.campaignId),
    asin: ad.asin,
    ...(ad.sku !== null && { sku: ad.sku }),
    ...(ad.adName !== null && { adName: ad.adName }),
    state: ad.state.toLowerCase(),
  }),
  extended: extendedAd,
}
