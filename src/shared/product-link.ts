import { type MarketplaceFacts, marketplaces } from './marketplaces.ts'

/** What a text that was shared or pasted says about a product of the marketplace. */
export type SharedLink =
  | { found: 'PRODUCT'; asin: string; marketplace: MarketplaceFacts | null }
  /** A short link, which only the marketplace can resolve. */
  | { found: 'SHORT_LINK'; host: string }
  /** A page of the marketplace that is not a product's, or of another site. */
  | { found: 'OTHER_PAGE'; host: string }
  | { found: 'NOTHING' }

// The part of a path before the ASIN, in every form that the marketplace's pages and apps use.
const productPath =
  /\/(?:dp|gp\/product|gp\/aw\/d|gp\/offer-listing|exec\/obidos\/asin|o\/asin|product)\/([a-z0-9]{10})(?:[/?#]|$)/i
const address = /https?:\/\/[^\s<>"“”]+/gi
// What comes before an @ is no part of the host.
const hostAndPath = /^https?:\/\/(?:[^/?#]*@)?([^/?#:@\\]+)(?::\d+)?(\/[^?#]*)?/i
// What a sentence puts after an address.
const afterAddress = /[.,;:!?)\]}'’»]+$/
const plainAsin = /^(?:asin:?\s*)?(b0[a-z0-9]{8}|\d{9}[\dx])$/i
const shortHosts = ['a.co', 'amzn.to', 'amzn.eu', 'amzn.asia', 'amzn.in', 'amzn.com']

/** The ASIN in the address of a product's page, in upper case; null when it is none. The host is not looked at. */
export const asinOfLink = (link: string): string | null => productPath.exec(link)?.[1]?.toUpperCase() ?? null

const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
// The longest domain that fits: amazon.com.be is not a page of amazon.com.
const marketplaceOf = (host: string): MarketplaceFacts | undefined =>
  marketplaces.filter(({ domain }) => isUnder(host, domain)).toSorted((a, b) => b.domain.length - a.domain.length)[0]

function readAddress(text: string): SharedLink {
  const [, name, path = ''] = hostAndPath.exec(text) ?? []
  if (!name) return { found: 'NOTHING' }
  const host = name.toLowerCase()
  const marketplace = marketplaceOf(host)
  const asin = asinOfLink(path)
  if (marketplace && asin) return { found: 'PRODUCT', asin, marketplace }
  if (shortHosts.includes(host)) return { found: 'SHORT_LINK', host }
  return { found: 'OTHER_PAGE', host: host.replace(/^www\./, '') }
}

const worth: Record<SharedLink['found'], number> = { PRODUCT: 3, SHORT_LINK: 2, OTHER_PAGE: 1, NOTHING: 0 }

/** Reads the address of a product's page out of a text, or an ASIN that stands alone. Of several addresses, the first that helps. */
export function readSharedLink(text: string): SharedLink {
  const asin = plainAsin.exec(text.trim())?.[1]
  if (asin) return { found: 'PRODUCT', asin: asin.toUpperCase(), marketplace: null }
  const bare = /^[\w-]+(\.[\w-]+)+\/\S*$/.test(text.trim()) ? [`https://${text.trim()}`] : []
  const links = [...(text.match(address) ?? []), ...bare].map(link => readAddress(link.replace(afterAddress, '')))
  return links.toSorted((a, b) => worth[b.found] - worth[a.found])[0] ?? { found: 'NOTHING' }
}
