import type { BrandAd, BrandAdFormat } from '../../core/model/brands.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { type Field, siblingsOf } from '../entities/entity-kind.ts'
import { inAdGroup, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { matchesText } from '../entities/list-filters.ts'
import { checkName, optionalText, requiredText } from '../entities/read-fields.ts'
import { servingStatus } from '../entities/serving-status.ts'
import { brandStatus } from './brand-campaigns.ts'
import { picturesOf, readCreative, readLandingPage } from './brand-creative.ts'
import { sponsoredBrands } from './family.ts'

const NAME_LENGTH = 255
/** Creatives are reviewed before they show; it takes an hour here, up to three days at the vendor. */
const REVIEW_MS = 3_600_000

/** Where ads of each format are created; an extended collection differs from a plain one by its several pictures. */
export const adPaths: readonly (readonly [path: string, format: BrandAdFormat])[] = [
  ['/sb/v4/ads/productCollection', 'PRODUCT_COLLECTION'],
  ['/sb/v4/ads/productCollectionExtended', 'PRODUCT_COLLECTION'],
  ['/sb/v4/ads/storeSpotlight', 'STORE_SPOTLIGHT'],
  ['/sb/v4/ads/video', 'VIDEO'],
  ['/sb/v4/ads/brandVideo', 'BRAND_VIDEO'],
]

const name: Field<BrandAd> = {
  read({ item, before }) {
    const text = before ? optionalText(item, 'name') : requiredText(item, 'name')
    return text === undefined ? undefined : { name: checkName(text, NAME_LENGTH) }
  },
  write: ad => ({ name: ad.name }),
}

/** Videos and pictures do not share an ad group: their bids have other limits. */
function formatOf(format: BrandAdFormat): Field<BrandAd> {
  return {
    read(scope) {
      if (scope.before) return undefined
      for (const other of siblingsOf(scope, 'adGroupId'))
        if (other.state !== 'ARCHIVED' && other.format !== format)
          throw itemError('targetingClauseSetupError', 'TYPE_CONFLICT_IN_AD_GROUP', {
            message: `The ad group holds ads of the format ${other.format}`,
            field: 'adGroupId',
            trigger: scope.draft.adGroupId,
          })
      return { format }
    },
  }
}

const creative: Field<BrandAd> = {
  read: ({ caller, item, before, draft }) => (before ? undefined : { ...readCreative(caller, draft.format, item) }),
  write: (ad, { caller }) => ({
    creative: { ...ad.creative, ...picturesOf(ad.creative, caller.world.config.publicUrl), type: ad.format },
  }),
}

const landingPage: Field<BrandAd> = {
  read: ({ caller, item, before, draft }) =>
    before ? undefined : { landingPage: readLandingPage(caller, draft.format, item, draft.asins) },
  write: ad => ({ landingPage: { pageType: ad.landingPage.pageType, url: ad.landingPage.url } }),
}

/** Ads of Sponsored Brands, as created at the path of one format. */
export function brandAds(format: BrandAdFormat): BatchKind<BrandAd> {
  return {
    product: sponsoredBrands,
    path: '/sb/v4/ads',
    mediaType: 'application/vnd.sbadresource.v4+json',
    key: 'ads',
    successObject: 'ad',
    deleteFilter: 'adIdFilter',
    extended: 'always',
    selectors: ['rangeError', 'otherError'],
    collection: 'brandAds',
    id: 'adId',
    fields: [state, inAdGroup({ namesCampaign: false }), formatOf(format), creative, name, landingPage],
    servingStatus: servingStatus({
      ...brandStatus,
      prefix: 'AD',
      live: 'AD_STATUS_LIVE',
      ownReason: (ad, { now }) => (now.getTime() - ad.createdAt < REVIEW_MS ? 'AD_POLICING_PENDING_REVIEW' : undefined),
    }),
    passes: (ad, filter) => matchesText(ad.name, filter.nameFilter),
  }
}
