import { UpstreamRejected } from '../upstream-errors.ts'

// Where the marketplace stores the files that it links to.
const storageDomains = ['.amazonaws.com', '.cloudfront.net']

/**
 * Rejects a link in a vendor's reply unless it leads to the marketplace's storage over HTTPS, or to the host of the API that
 * sent it: a forged link must not make this server call into its own network. Throws UpstreamRejected.
 */
export function requireTrustedHost(
  link: string,
  apiUrl: string,
  context: { upstream: string; operation: string },
): URL {
  const url = URL.canParse(link) ? new URL(link) : null
  const isTrusted =
    url &&
    (url.host === new URL(apiUrl).host ||
      (url.protocol === 'https:' &&
        storageDomains.some(suffix => url.hostname.endsWith(suffix)) &&
        url.username === ''))
  if (!url || !isTrusted) throw new UpstreamRejected('a link to an unknown host', { ...context, code: 'UNKNOWN_HOST' })
  return url
}
