import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as forward,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Processes } from '../../support/processes.ts'

/** A request that was to change something, as it came through the line. */
interface Change {
  method: string
  path: string
  /** Its idempotency key. */
  key: string | undefined
  /** What the product answered. */
  status: number
}

type Cut = 'before' | 'after'

const build = /<meta name="build" content="[^"]*"/
const pageRevision = /\{"revision":"[^"]*","url":"index\.html"\}/

/**
 * The network between a device and the product, which can be lost at any moment, and through which the product can look like
 * a newer build: the page has another name of its build, and so the worker that caches it differs too.
 */
export async function openLine(world: Processes) {
  let isUp = true
  let newest: string | null = null
  let isRequired = false
  const cuts: { path: string; cut: Cut }[] = []
  const changes: Change[] = []
  let broken: { path: string; count: number } | null = null
  let held: { paths: RegExp; passes: (() => void)[] } | null = null

  function pass(request: IncomingMessage, response: ServerResponse): void {
    const { url: path = '/', method = 'GET', headers } = request
    if (!isUp) return void request.socket.destroy()
    if (method !== 'GET' && held?.paths.test(path)) return void held.passes.push(() => pass(request, response))
    if (broken && path.startsWith(broken.path)) {
      broken.count += 1
      return void request.socket.destroy()
    }
    const mayBreak = method !== 'GET' || !path.startsWith('/api/')
    const place = mayBreak ? cuts.findIndex(one => path.startsWith(one.path)) : -1
    const cut = place < 0 ? undefined : cuts.splice(place, 1)[0]?.cut
    if (cut === 'before') return void request.socket.destroy()
    const isOutdated = newest !== null && !String(headers['x-build']).endsWith(`-${newest}`)
    if (isRequired && isOutdated && method !== 'GET' && path.startsWith('/api/')) {
      const body = JSON.stringify({
        errorCode: 'CLIENT_OUTDATED',
        message: 'Please reload Tideline.',
        details: [],
        requestId: 'r',
      })
      return void response
        .writeHead(426, { 'content-type': 'application/json', 'x-newest-build': newest ?? '', connection: 'close' })
        .end(body)
    }
    const { product } = world
    const { 'accept-encoding': _, ...plain } = headers
    const own = { ...(newest === null ? headers : plain), host: new URL(product.url).host }
    const upstream = forward(product.url + path, {
      method,
      headers: { ...own, ...(headers.origin && { origin: product.url }) },
    })
    upstream.on('error', () => request.socket.destroy())
    upstream.on('response', answer => {
      const { statusCode: status = 502, headers: answered } = answer
      if (method !== 'GET' && method !== 'HEAD' && path.startsWith('/api/'))
        changes.push({ method, path, key: headers['idempotency-key']?.toString(), status })
      if (cut === 'after') return void request.socket.destroy()
      const { 'keep-alive': _alive, ...kept } = answered
      // A browser sends a request again by itself where a connection that it used before breaks.
      const sent: OutgoingHttpHeaders = { ...kept, connection: 'close' }
      if (newest !== null && path.startsWith('/api/'))
        if (isOutdated) sent['x-newest-build'] = newest
        else delete sent['x-newest-build']
      const isPage = String(answered['content-type']).startsWith('text/html')
      if (newest === null || (!isPage && path !== '/service-worker.js')) {
        response.writeHead(status, sent)
        return void answer.pipe(response)
      }
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => void parts.push(part))
      answer.on('end', () => {
        const text = Buffer.concat(parts)
          .toString()
          .replace(build, `<meta name="build" content="${newest}"`)
          .replace(pageRevision, `{"revision":"${newest}","url":"index.html"}`)
        for (const name of ['content-length', 'etag', 'last-modified']) delete sent[name]
        response.writeHead(status, sent).end(text)
      })
    })
    request.pipe(upstream)
  }

  const server = createServer(pass)
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /** Where devices find the product. */
    url: `http://localhost:${port}`,
    /** The changes that the product has answered, the oldest first. */
    changes,
    /** From now on nothing answers, and what is under way breaks. */
    lose(): void {
      isUp = false
      server.closeAllConnections()
    },
    restore(): void {
      isUp = true
    },
    /** Keeps changes under these paths on the way; returns how many there are by now, and what lets them through. */
    hold(paths: RegExp) {
      const passes: (() => void)[] = []
      held = { paths, passes }
      const release = (): void => {
        held = null
        for (const go of passes.splice(0)) go()
      }
      return { count: (): number => passes.length, release }
    },
    /** Breaks the next change or file under this path: before the product gets it, or once it has answered. */
    cut(path: string, cut: Cut): void {
      cuts.push({ path, cut })
    },
    /** Breaks every request under this path until `repair`; returns how many broke by now. */
    breakAll(path: string) {
      const breaking = { path, count: 0 }
      broken = breaking
      const repair = (): void => {
        broken = null
      }
      return { count: (): number => breaking.count, repair }
    },
    /** The product is of another build from now on; `required`: it takes no changes from clients of the one before. */
    serveBuild(name: string, { required = false } = {}): void {
      newest = name
      isRequired = required
    },
    close(): Promise<void> {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
export type Line = Awaited<ReturnType<typeof openLine>>
