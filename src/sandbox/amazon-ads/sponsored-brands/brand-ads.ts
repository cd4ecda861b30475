import type { BrandAd, BrandAdFormat } from '../../core/model/brands.ts'
import { type AdsCaller, ownProducts } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import { batchCalls } from '../entities/batch-calls.ts'
import type { BatchKind } from '../entities/batch-kind.ts'
import { type Field, findSibling } from '../entities/entity-kind.ts'
import { inAdGroup, nameField, state } from '../entities/fields.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, objectAt, required, requiredText } from '../entities/read-fields.ts'
import { checkEligible } from '../sponsored-products/product-ads.ts'
import { sponsoredBrands } from './family.ts'

/** Creatives are reviewed before they show; it takes an hour here, up to three days at the vendor. */
const REVIEW_MS = 3_600_000

/** What each format must show, and how many of it. */
const formatRules = {
  PRODUCT_COLLECTION: { asins: [1, 3], videos: 0, subpages: 0, branded: true },
  STORE_SPOTLIGHT: { asins: [0, 0], videos: 0, subpages: 3, branded: true },
  VIDEO: { asins: [1, 1], videos: 1, subpages: 0, branded: false },
  BRAND_VIDEO: { asins: [1, 3], videos: 1, subpages: 0, branded: true },
} as const satisfies Record<BrandAdFormat, object>

const requiredObject = (value: unknown, field: string): Item => objectAt(required(value, field), field)

function listAt(item: Item, place: string, name: string, [least, most]: readonly [number, number]): unknown[] {
  const field = `${place}.${name}`
  const list = item[name] ?? []
  if (!Array.isArray(list)) throw invalidArgument(`Expected a list at ${field}`)
  if (list.length < least || list.length > most)
    throw itemError(
      list.length < least ? 'TOO_LOW' : 'TOO_HIGH',
      `${field} must have ${least === most ? least : `${least} to ${most}`} entries`,
      { [field]: list },
      { lowerLimit: String(least), upperLimit: String(most) },
    )
  return list as unknown[]
}

function checkText(item: Item, name: string, most: number): void {
  const text = requiredText(item, name)
  if (text.trim() === '' || text.length > most)
    throw itemError(text.trim() === '' ? 'BLANK' : 'TOO_LONG', `${name} must have 1 to ${most} characters`, {
      [`creative.${name}`]: text,
    })
}

/** Products must be the advertiser's own and fit to advertise. */
function checkAsins({ world, profile }: AdsCaller, asins: readonly unknown[], field: string): string[] {
  const own = ownProducts(world.store, profile)
  return asins.map((asin, i) => {
    const at = { [`${field}[${i}]`]: asin }
    const product = own.find(one => one.asin === asin)
    if (!product) throw itemError('INVALID_ASIN', 'The product is not among those of the advertiser', at)
    checkEligible(product, at)
    return product.asin
  })
}

/** Videos and pictures do not share an ad group: their bids have other limits. */
const formatOf = (format: BrandAdFormat): Field<BrandAd> => ({
  once: true,
  read(scope) {
    const { adGroupId } = scope.draft
    const other = findSibling(scope, 'adGroupId', ad => ad.format !== format)
    if (other)
      throw itemError('TYPE_CONFLICT_IN_AD_GROUP', `The ad group holds ads of the format ${other.format}`, {
        adGroupId,
      })
    return { format }
  },
})

const creative: Field<BrandAd> = {
  once: true,
  read({ caller, item, draft }) {
    const sent = requiredObject(item.creative, 'creative')
    const { asins: counts, videos, subpages, branded } = formatRules[draft.format]
    const asins = checkAsins(caller, listAt(sent, 'creative', 'asins', counts), 'creative.asins')
    listAt(sent, 'creative', 'videoAssetIds', [videos, videos])
    const pages = listAt(sent, 'creative', 'subpages', [subpages, subpages])
    const pageAsins = checkAsins(
      caller,
      pages.map((page, i) => requiredObject(page, `creative.subpages[${i}]`).asin),
      'creative.subpages',
    )
    if (branded) {
      checkText(sent, 'brandName', 30)
      checkText(sent, 'headline', caller.marketplace.key === 'JP' ? 35 : 50)
      requiredText(sent, 'brandLogoAssetID')
    }
    return { creative: sent, asins: [...asins, ...pageAsins] }
  },
  // A creative holds only the ids of its pictures' assets.
  write({ creative: sent, format }, { caller: { world } }) {
    const addressOf = (asset: unknown): string | undefined =>
      typeof asset === 'string' ? `${world.config.publicUrl}/images/${encodeURIComponent(asset)}.svg` : undefined
    const brandLogoUrl = addressOf(sent.brandLogoAssetID) ?? sent.brandLogoUrl
    const customImageUrl = addressOf(sent.customImageAssetId) ?? sent.customImageUrl
    return { creative: { ...sent, brandLogoUrl, customImageUrl, type: format } }
  },
}

const pageTypes = ['PRODUCT_LIST', 'STORE', 'CUSTOM_URL', 'DETAIL_PAGE']

/** Where the ad leads: a video to its product's page, anything else to a store, a list of products, or an address. */
const landingPage: Field<BrandAd> = {
  once: true,
  read({ caller, item, draft: { format, asins } }) {
    const { domain } = caller.marketplace
    if (format === 'VIDEO') {
      const url = `https://www.${domain}/dp/${asins[0] ?? ''}`
      return { landingPage: { pageType: 'DETAIL_PAGE', url, asins: [] } }
    }
    const page = requiredObject(item.landingPage, 'landingPage')
    const pageType = page.pageType ?? (format === 'STORE_SPOTLIGHT' ? 'STORE' : '')
    if (typeof pageType !== 'string' || !pageTypes.includes(pageType))
      throw itemError('NOT_IN_LIST', `The page type must be one of ${pageTypes.join(', ')}`, {
        'landingPage.pageType': pageType,
      })
    const { asins: listed, url } = page
    if (typeof url === 'string' && listed === undefined) return { landingPage: { pageType, url, asins: [] } }
    if (url !== undefined || format !== 'PRODUCT_COLLECTION')
      throw itemError('OTHER_ERROR', 'A landing page has either an address or, for product collections, products', {
        landingPage: undefined,
      })
    const shown = checkAsins(caller, listAt(page, 'landingPage', 'asins', [3, 100]), 'landingPage.asins')
    return { landingPage: { pageType, url: `https://www.${domain}/stores/page/${asins.join('-')}`, asins: shown } }
  },
  write: ad => ({ landingPage: { pageType: ad.landingPage.pageType, url: ad.landingPage.url } }),
}

function adsOf(format: BrandAdFormat): BatchKind<BrandAd> {
  return {
    product: sponsoredBrands,
    path: '/sb/v4/ads',
    mediaType: 'application/vnd.sbadresource.v4+json',
    key: 'ads',
    successObject: 'ad',
    idFilter: 'adIdFilter',
    extended: 'always',
    selectors: ['rangeError', 'otherError'],
    collection: 'brandAds',
    id: 'adId',
    fields: [
      state,
      inAdGroup({ namesCampaign: false }),
      formatOf(format),
      creative,
      nameField({ maxLength: 255 }),
      landingPage,
    ],
    status: {
      prefix: 'AD',
      live: 'AD_STATUS_LIVE',
      ownReason: (ad, { now }) => (now.getTime() - ad.createdAt < REVIEW_MS ? 'AD_POLICING_PENDING_REVIEW' : undefined),
    },
    filters: { nameFilter: ad => ad.name },
  }
}

const brandAds: BatchKind<BrandAd> = {
  ...adsOf('PRODUCT_COLLECTION'),
  creates: [
    ['/sb/v4/ads/productCollection', adsOf('PRODUCT_COLLECTION')],
    // An extended collection differs from a plain one by its several pictures.
    ['/sb/v4/ads/productCollectionExtended', adsOf('PRODUCT_COLLECTION')],
    ['/sb/v4/ads/storeSpotlight', adsOf('STORE_SPOTLIGHT')],
    ['/sb/v4/ads/video', adsOf('VIDEO')],
    ['/sb/v4/ads/brandVideo', adsOf('BRAND_VIDEO')],
  ],
}

export const brandAdCalls = batchCalls(brandAds)
