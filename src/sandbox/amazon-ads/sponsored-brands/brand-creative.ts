import type { BrandAdFormat } from '../../core/model/brands.ts'
import type { AdsCaller } from '../ads-caller.ts'
import { invalidArgument } from '../ads-failure.ts'
import { itemError } from '../entities/item-error.ts'
import { type Item, requiredText } from '../entities/read-fields.ts'

/** What each format must show, and how many of it. */
interface FormatRules {
  asins: readonly [least: number, most: number]
  videos: number
  subpages: number
  branded: boolean
}

export const formatRules: Record<BrandAdFormat, FormatRules> = {
  PRODUCT_COLLECTION: { asins: [1, 3], videos: 0, subpages: 0, branded: true },
  STORE_SPOTLIGHT: { asins: [0, 0], videos: 0, subpages: 3, branded: true },
  VIDEO: { asins: [1, 1], videos: 1, subpages: 0, branded: false },
  BRAND_VIDEO: { asins: [1, 3], videos: 1, subpages: 0, branded: true },
}

const BRAND_NAME_LENGTH = 30
const headlineLength = (country: string): number => (country === 'JP' ? 35 : 50)

function objectAt(value: unknown, field: string): Item {
  if (value === undefined || value === null)
    throw itemError('missingValueError', 'MISSING_VALUE', { message: `${field} is required`, field })
  if (typeof value !== 'object' || Array.isArray(value)) throw invalidArgument(`Expected an object at ${field}`)
  return value as Item
}

function listAt(item: Item, name: string, field: string, [least, most]: readonly [number, number]): unknown[] {
  const list = item[name] ?? []
  if (!Array.isArray(list)) throw invalidArgument(`Expected a list at ${field}`)
  if (list.length < least || list.length > most)
    throw itemError('rangeError', list.length < least ? 'TOO_LOW' : 'TOO_HIGH', {
      message: `${field} must have ${least === most ? least : `${least} to ${most}`} entries`,
      field,
      trigger: list,
      more: { lowerLimit: String(least), upperLimit: String(most) },
    })
  return list as unknown[]
}

function checkText(item: Item, field: string, most: number): void {
  const text = requiredText(item, field)
  if (text.trim() === '' || text.length > most)
    throw itemError('malformedValueError', text.trim() === '' ? 'BLANK' : 'TOO_LONG', {
      message: `${field} must have 1 to ${most} characters`,
      field: `creative.${field}`,
      trigger: text,
    })
}

/** Products must be the advertiser's own and fit to advertise. */
export function checkAsins({ world, profile }: AdsCaller, asins: readonly unknown[], field: string): string[] {
  const own = [...world.store.products.values()].filter(
    ({ sellerId, marketplaceId }) => sellerId === profile.sellerId && marketplaceId === profile.marketplaceId,
  )
  return asins.map((asin, i) => {
    const product = own.find(one => one.asin === asin)
    if (!product)
      throw itemError('productIdentifierError', 'INVALID_ASIN', {
        message: 'The product is not among those of the advertiser',
        field: `${field}[${i}]`,
        trigger: asin,
      })
    if (product.eligibility === 'INELIGIBLE')
      throw itemError('adEligibilityError', 'AD_INELIGIBLE', {
        message: product.eligibilityMessage ?? 'The product is not eligible for advertising',
        field: `${field}[${i}]`,
        trigger: asin,
      })
    return product.asin
  })
}

/** The creative of an ad of a format, checked, with the products it shows. */
export function readCreative(
  caller: AdsCaller,
  format: BrandAdFormat,
  item: Item,
): { creative: Item; asins: string[] } {
  const creative = objectAt(item.creative, 'creative')
  const rules = formatRules[format]
  const asins = checkAsins(caller, listAt(creative, 'asins', 'creative.asins', rules.asins), 'creative.asins')
  listAt(creative, 'videoAssetIds', 'creative.videoAssetIds', [rules.videos, rules.videos])
  const subpages = listAt(creative, 'subpages', 'creative.subpages', [rules.subpages, rules.subpages])
  const pageAsins = checkAsins(
    caller,
    subpages.map((page, i) => objectAt(page, `creative.subpages[${i}]`).asin),
    'creative.subpages',
  )
  if (rules.branded) {
    checkText(creative, 'brandName', BRAND_NAME_LENGTH)
    checkText(creative, 'headline', headlineLength(caller.marketplace.key))
    requiredText(creative, 'brandLogoAssetID')
  }
  return { creative, asins: [...asins, ...pageAsins] }
}

/** Where the pictures of a creative can be seen; a creative holds only the ids of their assets. */
export function picturesOf(creative: Item, publicUrl: string): { brandLogoUrl?: string; customImageUrl?: string } {
  const addressOf = (asset: unknown): string | undefined =>
    typeof asset === 'string' ? `${publicUrl}/images/${encodeURIComponent(asset)}.svg` : undefined
  const brandLogoUrl = addressOf(creative.brandLogoAssetID)
  const customImageUrl = addressOf(creative.customImageAssetId)
  return { ...(brandLogoUrl && { brandLogoUrl }), ...(customImageUrl && { customImageUrl }) }
}

const pageTypes = ['PRODUCT_LIST', 'STORE', 'CUSTOM_URL', 'DETAIL_PAGE']

/** Where the ad leads: a video to its product's page, anything else to a store, a list of products, or an address. */
export function readLandingPage(
  caller: AdsCaller,
  format: BrandAdFormat,
  item: Item,
  asins: readonly string[],
): { pageType: string; url: string; asins: string[] } {
  const { domain } = caller.marketplace
  if (format === 'VIDEO')
    return { pageType: 'DETAIL_PAGE', url: `https://www.${domain}/dp/${asins[0] ?? ''}`, asins: [] }
  const page = objectAt(item.landingPage, 'landingPage')
  const pageType = page.pageType ?? (format === 'STORE_SPOTLIGHT' ? 'STORE' : undefined)
  if (typeof pageType !== 'string' || !pageTypes.includes(pageType))
    throw itemError('rangeError', 'NOT_IN_LIST', {
      message: `The page type must be one of ${pageTypes.join(', ')}`,
      field: 'landingPage.pageType',
      trigger: pageType ?? '',
    })
  const { asins: listed, url } = page
  if (typeof url === 'string' && listed === undefined) return { pageType, url, asins: [] }
  if (url !== undefined || format !== 'PRODUCT_COLLECTION')
    throw itemError('otherError', 'OTHER_ERROR', {
      message: 'A landing page has either an address or, for product collections, products',
      field: 'landingPage',
    })
  const shown = checkAsins(caller, listAt(page, 'asins', 'landingPage.asins', [3, 100]), 'landingPage.asins')
  return { pageType, url: `https://www.${domain}/stores/page/${asins.join('-')}`, asins: shown }
}
