import { requireTrustedHost } from './download-hosts.ts'
import type { HttpClient } from '../http-client.ts'
import { UpstreamForbidden, UpstreamMalformed, UpstreamUnauthorized, UpstreamUnavailable } from '../upstream-errors.ts'

/**
 * Streams the bytes of a file that a vendor's reply links to. Sends no bearer token: the storage would reject it and must
 * not learn it. Throws UpstreamRejected for a link to an unknown host, and UpstreamUnavailable for a link that has expired,
 * which says nothing about our permission.
 */
export async function openDownload(
  http: HttpClient,
  link: string,
  { apiUrl, ...context }: { apiUrl: string; upstream: string; operation: string },
): Promise<AsyncIterable<Uint8Array>> {
  const { href: url } = requireTrustedHost(link, apiUrl, context)
  try {
    const { body } = await http.open({ operation: context.operation, method: 'GET', url, effect: 'read' })
    if (!body) throw new UpstreamMalformed('no body', context)
    return body
  } catch (error) {
    if (!(error instanceof UpstreamForbidden || error instanceof UpstreamUnauthorized)) throw error
    throw new UpstreamUnavailable('the link no longer opens', { ...context, status: error.status, cause: error })
  }
}
