import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { HttpClient } from './http-client.ts'
import {
  UpstreamForbidden,
  UpstreamMalformed,
  UpstreamRejected,
  UpstreamUnauthorized,
  UpstreamUnavailable,
} from './upstream-errors.ts'

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

/**
 * The bytes of a downloaded file, decompressed if its first two bytes say gzip. Headers do not count, because vendors'
 * storage labels compressed files differently. Throws zlib's error if the file is incomplete.
 */
export async function* unpackedBytes(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  const chunks = body[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let done = false
  while (head.length < 2 && !done) {
    const next = await chunks.next()
    if (next.done) done = true
    else head = Buffer.concat([head, next.value])
  }
  const rest = { [Symbol.asyncIterator]: () => chunks }
  async function* whole(): AsyncGenerator<Uint8Array, void, undefined> {
    if (head.length) yield head
    if (!done) yield* rest
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    for await (const chunk of whole()) yield Buffer.from(chunk)
    return
  }
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const fed = pipeline(Readable.from(whole()), gunzip)
  // The loop below gets the same error; without this line the promise would be unhandled.
  fed.catch(() => undefined)
  for await (const chunk of gunzip) yield chunk as Buffer
  await fed
}
