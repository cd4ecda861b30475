import { UpstreamRejected } from '../upstream-errors.ts'

// Where the marketplace keeps the files it links to.
const storage = ['.amazonaws.com', '.cloudfront.net']

/**
 * Refuses a link out of a vendor's answer unless it leads to the marketplace's storage over https, or to the very host
 * of the API that gave it: a forged link must not make this server call into its own network. Throws UpstreamRejected.
 */
export function requireTrustedHost(
  link: string,
  apiUrl: string,
  context: { upstream: string; operation: string },
): URL {
  const url = URL.canParse(link) ? new URL(link) : null
  const known =
    url &&
    (url.host === new URL(apiUrl).host ||
      (url.protocol === 'https:' && storage.some(suffix => url.hostname.endsWith(suffix)) && url.username === ''))
  if (!known) throw new UpstreamRejected('a link to an unknown host', { ...context, code: 'UNKNOWN_HOST' })
  return url
}
