import { marketplaces } from '#shared/marketplaces.ts'

const regionsOf = (hostOf: (region: string) => string, folder: string): [string, string][] =>
  ['na', 'eu', 'fe'].map(region => [hostOf(region), `/${folder}/${region}`])
const logins =
  'api.amazon.com api.amazon.co.uk api.amazon.co.jp www.amazon.com eu.account.amazon.com apac.account.amazon.com'

/** The vendors' own host names, and the part of the emulator that answers for each. */
const folders = new Map<string, string>([
  ['advertising-api.amazon.com', '/ads/na'],
  ...regionsOf(region => `advertising-api-${region}.amazon.com`, 'ads'),
  ...regionsOf(region => `sellingpartnerapi-${region}.amazon.com`, 'sp'),
  ...regionsOf(region => `sandbox.sellingpartnerapi-${region}.amazon.com`, 'sp'),
  ['api.stripe.com', '/stripe'],
  ...logins.split(' ').map((host): [string, string] => [host, '/lwa']),
  ...marketplaces.flatMap(({ sellerCentralUrl }): [string, string][] =>
    sellerCentralUrl ? [[new URL(sellerCentralUrl).hostname, '/sellercentral']] : [],
  ),
])

export const vendorHosts: readonly string[] = [...folders.keys()]

/**
 * The address inside the emulator of a request: under a vendor's host name the vendor's own path, under any other name
 * the path as it is.
 */
export function rewriteVendorUrl(host: string | undefined, url: string): string {
  // The payment provider's clients let one choose the host, but no folder.
  const usual = url.startsWith('/v1/') ? '/stripe' : undefined
  const folder = folders.get((host ?? '').toLowerCase().replace(/:\d+$/, '')) ?? usual
  // Forms of our own pages name the whole path, whatever the host.
  return folder === undefined || url.startsWith(`${folder}/`) ? url : folder + url
}
