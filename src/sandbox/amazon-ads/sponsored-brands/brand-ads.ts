import type { BrandAd, BrandAdFormat } from '../../core/model/brands.ts'
import { newEntityId } from '../../core/new-id.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { EntityKind } from '../entities/entity-kind.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import {
  checkName,
  type Item,
  optionalEnum,
  optionalText,
  requiredEnum,
  requiredText,
} from '../entities/read-fields.ts'
import { brandStates } from './brand-campaigns.ts'
import { readCreative, readLandingPage, picturesOf } from './brand-creative.ts'
import { brandAdGroupFor } from './brand-parents.ts'
import { brandAdStatus } from './brand-status.ts'

const NAME_LENGTH = 255

/** Videos and pictures do not share an ad group: their bids have other limits. */
const checkFormat = ({ world }: AdsCaller, adGroupId: string, format: BrandAdFormat): void => {
  for (const other of world.store.brandAds.values())
    if (other.adGroupId === adGroupId && other.state !== 'ARCHIVED' && other.format !== format)
      throw itemError('targetingClauseSetupError', 'TYPE_CONFLICT_IN_AD_GROUP', {
        message: `The ad group holds ads of the format ${other.format}`,
        field: 'adGroupId',
        trigger: adGroupId,
      })
}

const createAd = (caller: AdsCaller, format: BrandAdFormat, item: Item): BrandAd => {
  const state = requiredEnum(item, 'state', brandStates)
  const { campaign, adGroup } = brandAdGroupFor(caller, requiredText(item, 'adGroupId'))
  checkFormat(caller, adGroup.adGroupId, format)
  const { creative, asins } = readCreative(caller, format, item)
  return {
    adId: newEntityId(),
    adGroupId: adGroup.adGroupId,
    campaignId: campaign.campaignId,
    profileId: caller.profile.profileId,
    name: checkName(requiredText(item, 'name'), NAME_LENGTH),
    state,
    format,
    asins,
    landingPage: readLandingPage(caller, format, item, asins),
    creative,
    createdAt: caller.now.getTime(),
    updatedAt: caller.now.getTime(),
  }
}

/** Where ads of each format are made; an extended collection differs from a plain one by its several pictures. */
export const adPaths: readonly (readonly [path: string, format: BrandAdFormat])[] = [
  ['/sb/v4/ads/productCollection', 'PRODUCT_COLLECTION'],
  ['/sb/v4/ads/productCollectionExtended', 'PRODUCT_COLLECTION'],
  ['/sb/v4/ads/storeSpotlight', 'STORE_SPOTLIGHT'],
  ['/sb/v4/ads/video', 'VIDEO'],
  ['/sb/v4/ads/brandVideo', 'BRAND_VIDEO'],
]

/** Ads of Sponsored Brands, as made at the path of one format. */
export const brandAds = (format: BrandAdFormat): EntityKind<BrandAd> => ({
  path: '/sb/v4/ads',
  mediaType: 'application/vnd.sbadresource.v4+json',
  key: 'ads',
  successId: 'adId',
  itemId: 'adId',
  successObject: 'ad',
  deleteFilter: 'adIdFilter',
  extended: 'always',
  selectors: ['rangeError', 'otherError'],
  all: store => store.brandAds.values(),
  find: (store, id) => store.brandAds.get(id),
  idOf: ad => ad.adId,
  put: (store, ad) => store.brandAds.set(ad.adId, ad),

  create: (caller, item) => createAd(caller, format, item),
  update(_caller, ad, item) {
    const name = optionalText(item, 'name')
    return {
      ...ad,
      state: optionalEnum(item, 'state', brandStates) ?? ad.state,
      name: name === undefined ? ad.name : checkName(name, NAME_LENGTH),
    }
  },

  toWire: ({ adId, adGroupId, campaignId, name, state, landingPage, creative, format: type }, { world }) => ({
    adId,
    adGroupId,
    campaignId,
    name,
    state,
    landingPage: { pageType: landingPage.pageType, url: landingPage.url },
    creative: { ...creative, ...picturesOf(creative, world.config.publicUrl), type },
  }),
  servingStatus: brandAdStatus,
  passes: (ad, filter) => matchesText(ad.name, filter.nameFilter),
})
