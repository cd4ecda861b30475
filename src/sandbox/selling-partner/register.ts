import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { newRequestId } from '../core/new-id.ts'
import type { Seller, Product } from '../core/model/store.ts'
import { noSuchKey, storageWording } from '../core/storage-errors.ts'
import { accessDenied, noSuchPath, sendError, tokenDetails } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'
import { type Access, type RestrictedResource, TOKEN_SECONDS } from '../login-with-amazon/token-service.ts'
import { catalogueOperations } from './operations/catalogue-items.ts'
import { registerConsent, SELLING_PARTNER_SCOPE } from './consent.ts'
import { feeOperations } from './operations/fees.ts'
import { inventoryOperations } from './operations/inventory.ts'
import { readListings } from './operations/listings/read-listings.ts'
import { writeListings } from './operations/listings/write-listings.ts'
import { FeedService } from './feeds/feed-service.ts'
import { invalid, type Operation, run, SpError, type SpAnswer, type SpRequest } from './operations/operation.ts'
import { orderMetricOperations } from './operations/orders/order-metrics.ts'
import { orderOperations } from './operations/orders/search-orders.ts'
import { participationOperations } from './operations/participations.ts'
import { priceOperations } from './operations/prices.ts'
import { restrictedTokenOperations } from './operations/restricted-token.ts'
import { publishedAnswer } from './published/published-answers.ts'
import { PUBLISHED_SELLER_ID } from './published/published-examples.ts'
import { ReportService } from './reports/report-service.ts'
import { ReportSchedules } from './reports/report-schedules.ts'
import { FileSigner, registerFolder } from './signed-files.ts'
import { html } from '../core/html.ts'
import { hashText, mix } from '../market/random.ts'

/** An SVG image of a product, drawn from its ASIN: always the same for one product, and different for every other. */
function productImage(product: Pick<Product, 'asin' | 'title'>): string {
  const seed = hashText(product.asin, 3)
  const hue = seed % 360
  const shapes = Array.from({ length: 4 }, (_, i) => {
    const roll = mix(seed, i)
    const [x, y, size] = [120 + (roll % 260), 120 + ((roll >>> 8) % 260), 50 + ((roll >>> 16) % 90)]
    const fill = `hsl(${(hue + 35 * i) % 360} 55% ${42 + 8 * i}%)`
    return roll % 2 === 0
      ? html`<circle cx="${x}" cy="${y}" r="${size}" fill="${fill}"/>`
      : html`<rect x="${x - size}" y="${y - size}" width="${size * 2}" height="${size * 1.4}" rx="18" fill="${fill}"/>`
  })
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 500" width="500" height="500" role="img"><title>${product.title}</title><rect width="500" height="500" fill="hsl(${hue} 30% 94%)"/>${shapes}</svg>`.toString()
}

interface Bucket {
  tokens: number
  at: number
}

/** Usage plans as the Selling Partner API enforces them: a bucket a seller and operation. */
interface TokenBuckets {
  /** Takes a token; false when the bucket is empty. `rate` tokens come back each second, up to `burst`. */
  take(key: string, rate: number, burst: number, now: number): boolean
  reset(): void
}

function createTokenBuckets(): TokenBuckets {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, rate, burst, now) {
      const bucket = buckets.get(key) ?? { tokens: burst, at: now }
      const tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rate)
      const taken = tokens >= 1
      buckets.set(key, { tokens: taken ? tokens - 1 : tokens, at: now })
      return taken
    },
    reset: () => buckets.clear(),
  }
}

const hosts: readonly RegionKey[] = ['NA', 'EU', 'FE']

const quotaExceeded = new SpError(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.')

interface Caller {
  seller: Seller
  access: Access
}

/** True when a restricted token was made for this call. */
function opens(resources: readonly RestrictedResource[], method: string, path: string): boolean {
  return resources.some(resource => {
    const [allowed, parts] = [resource.path.split('/'), path.split('/')]
    return (
      resource.method === method &&
      allowed.length === parts.length &&
      allowed.every((part, i) => part === parts[i] || /^\{\w+\}$/.test(part))
    )
  })
}

/** The seller of this region that the request's token gives access to, or the error answer. */
function authorize(world: World, request: FastifyRequest, region: RegionKey): Caller | SpAnswer {
  const token = request.headers['x-amz-access-token']
  if (typeof token !== 'string' || token === '') return accessDenied(tokenDetails.missing)
  const access = world.lwa.check(token)
  if (!access) return accessDenied(world.lwa.hasExpired(token) ? tokenDetails.expired : tokenDetails.invalid)
  const sellers = access.sellerIds.map(id => world.store.sellers.get(id))
  const seller = sellers.find(one => one?.region === region && one.type === 'seller')
  const path = decodeURI(request.url.split('?')[0] ?? '').slice(`/sp/${region}`.length)
  if (access.restricted && !opens(access.restricted, request.method, path)) return accessDenied()
  return access.scope.startsWith(SELLING_PARTNER_SCOPE) && seller ? { seller, access } : accessDenied()
}

function send(reply: FastifyReply, { status, body }: SpAnswer): FastifyReply {
  void reply.code(status).header('x-amzn-RequestId', newRequestId())
  return body === null || body === undefined ? reply.send() : reply.type('application/json').send(JSON.stringify(body))
}

function registerOperation(
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  operation: Operation,
  buckets: TokenBuckets,
  feeds: FeedService,
): void {
  app.route<{ Params: Record<string, string>; Querystring: SpRequest['query'] }>({
    method: operation.method,
    url: `/sp/${region.toLowerCase()}${operation.url}`,
    handler(request, reply) {
      const caller = authorize(world, request, region)
      if ('status' in caller) return send(reply, caller)
      const { seller, access } = caller
      const now = world.clock.now()
      // A 429 never states the limit; every other answer does.
      if (!buckets.take(`${region}|${seller.sellerId}|${operation.id}`, operation.rate, operation.burst, now.getTime()))
        return send(reply, quotaExceeded.answer)
      void reply.header('x-amzn-RateLimit-Limit', String(operation.rate))
      const spRequest: SpRequest = {
        seller,
        region,
        path: request.params,
        query: request.query,
        body: request.body ?? null,
        now,
        store: world.store,
        market: world.market(),
        publicUrl: world.config.publicUrl,
        fault: request.fault?.kind ?? null,
        change: verb => world.change(verb),
        restricted: access.restricted !== null,
        restrict: resources => ({
          restrictedDataToken: world.lwa.restrict(access.grantId, resources),
          expiresIn: TOKEN_SECONDS,
        }),
      }
      feeds.processDue(spRequest)
      const isPublished = seller.sellerId === PUBLISHED_SELLER_ID
      const answer = isPublished ? (input: SpRequest) => publishedAnswer(operation, input) : operation.answer
      return send(reply, run({ ...operation, answer }, spRequest))
    },
  })
}

/** Bodies are JSON even without a media type. A malformed body gets an error in the API's own format. */
function readBodies(app: FastifyInstance, world: World): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? null : (JSON.parse(body.toString()) as unknown))
    } catch {
      done(Object.assign(new Error('The body is no JSON'), { statusCode: 400 }))
    }
  })
  app.setErrorHandler((error: { statusCode?: number; message: string }, request, reply) => {
    const status = error.statusCode ?? 500
    if (status === 400) return send(reply, invalid(error.message).answer)
    return sendError(reply, world.wordingOf('sp').failed(request, status))
  })
}

/** The Selling Partner API of all three regions, its consent page, its files, and images of products. */
export function registerSellingPartner(app: FastifyInstance, world: World): void {
  readBodies(app, world)
  void app.register(async scope => void scope.setNotFoundHandler((_request, reply) => sendError(reply, noSuchPath())), {
    prefix: '/sp',
  })
  const buckets = createTokenBuckets()
  // Buckets refill while the emulator is down, so only a reset has to clear them.
  world.registerState('selling-partner-buckets', {
    dump: () => null,
    restore: () => undefined,
    reset: () => buckets.reset(),
  })
  const signer = new FileSigner(world)
  const reports = new ReportService(world, signer)
  const feeds = new FeedService(world, signer)
  const schedules = new ReportSchedules(world, reports)
  reports.beforeReading = () => schedules.orderDue()
  const operations = [
    ...participationOperations,
    ...inventoryOperations,
    ...readListings,
    ...writeListings,
    ...catalogueOperations,
    ...reports.operations,
    ...schedules.operations,
    ...feeds.operations,
    ...orderMetricOperations,
    ...orderOperations,
    ...feeOperations,
    ...priceOperations,
    ...restrictedTokenOperations,
  ]
  for (const region of hosts)
    for (const operation of operations) registerOperation(app, world, region, operation, buckets, feeds)
  world.errorWordings.set('s3', storageWording)
  void app.register(async scope => void scope.setNotFoundHandler((_request, reply) => sendError(reply, noSuchKey())), {
    prefix: '/s3',
  })
  registerFolder(app, 'sp-reports', { signer, read: id => reports.fileOf(id) })
  registerFolder(app, 'sp-feeds', {
    signer,
    read: id => feeds.fileOf(id),
    write: (id, bytes) => feeds.upload(id, bytes),
  })
  registerConsent(app, world)
  app.get<{ Params: { file: string } }>('/images/:file', (request, reply) => {
    const asin = request.params.file.replace(/\.svg$/, '')
    const product = [...world.store.products.values()].find(one => one.asin === asin)
    void reply.header('cache-control', 'public, max-age=86400')
    return reply.type('image/svg+xml').send(productImage(product ?? { asin, title: asin }))
  })
}
