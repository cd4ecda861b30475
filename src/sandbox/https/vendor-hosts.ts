import { marketplaces } from '#shared/marketplaces.ts'

function regionsOf(hostOf: (suffix: string) => string, folder: string): [string, string][] {
  return [
    [hostOf('na'), `/${folder}/na`],
    [hostOf('eu'), `/${folder}/eu`],
    [hostOf('fe'), `/${folder}/fe`],
  ]
}

/** The vendors' own host names, and the part of the emulator that answers for each. */
const folders = new Map<string, string>([
  ['advertising-api.amazon.com', '/ads/na'],
  ...regionsOf(suffix => `advertising-api-${suffix}.amazon.com`, 'ads'),
  ...regionsOf(suffix => `sellingpartnerapi-${suffix}.amazon.com`, 'sp'),
  ...regionsOf(suffix => `sandbox.sellingpartnerapi-${suffix}.amazon.com`, 'sp'),
  ...['api.amazon.com', 'api.amazon.co.uk', 'api.amazon.co.jp'].map((host): [string, string] => [host, '/lwa']),
  ...['www.amazon.com', 'eu.account.amazon.com', 'apac.account.amazon.com'].map((host): [string, string] => [
    host,
    '/lwa',
  ]),
  ...marketplaces.flatMap(({ sellerCentralUrl }): [string, string][] =>
    sellerCentralUrl ? [[new URL(sellerCentralUrl).hostname, '/sellercentral']] : [],
  ),
])

/** Every host name of a vendor that the emulator answers for. */
export const vendorHosts: readonly string[] = [...folders.keys()]

/**
 * The address inside the emulator of a request: under a vendor's host name the vendor's own path, under any other name
 * the path as it is.
 */
export function rewriteVendorUrl(host: string | undefined, url: string): string {
  const folder = folders.get((host ?? '').toLowerCase().replace(/:\d+$/, ''))
  // Forms of our own pages name the whole path, whatever the host.
  return folder === undefined || url.startsWith(`${folder}/`) ? url : folder + url
}
