import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type RegionKey, regions } from '#shared/marketplaces.ts'
import { onlyWithToken } from '../core/control-token.ts'
import { newRequestId } from '../core/new-id.ts'
import type { Product, Seller } from '../core/model/store.ts'
import { noSuchKey, storageWording } from '../core/error-wording.ts'
import { accessDenied, type ErrorReply, noSuchPath, sendError, tokenDetails } from '../core/error-wording.ts'
import type { World } from '../core/world.ts'
import type { Access } from '../login-with-amazon/token-service.ts'
import { catalogueOperations } from './operations/catalogue-items.ts'
import { registerConsent, SELLING_PARTNER_SCOPE } from './consent.ts'
import { feeOperations } from './operations/fees.ts'
import { inventoryOperations } from './operations/inventory.ts'
import { listingOperations } from './operations/listings/listings.ts'
import { FeedService } from './feeds/feed-service.ts'
import { invalid, type Operation, Query, SpError, type SpAnswer, type SpRequest } from './operations/operation.ts'
import { orderMetricOperations } from './operations/orders/order-metrics.ts'
import { orderOperations } from './operations/orders/search-orders.ts'
import { participationOperations } from './operations/participations.ts'
import { priceOperations } from './operations/prices.ts'
import { restrictedTokenOperations } from './operations/restricted-token.ts'
import { publishedAnswer, PUBLISHED_SELLER_ID } from './published/published-examples.ts'
import { ReportService } from './reports/report-service.ts'
import { ReportSchedules } from './reports/report-schedules.ts'
import { registerFolder } from './signed-files.ts'
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

const usagePlans = z.strictObject({ rate: z.number().positive() })
const quotaExceeded = new SpError(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.')

/**
 * The usage plans: takes a token from a seller's bucket for an operation; false when it is empty. Buckets refill while the
 * emulator is down, so only a reset has to clear them. `POST /control/usage-plans` lets all refill faster.
 */
function createUsagePlans(app: FastifyInstance, world: World) {
  const buckets = new Map<string, { tokens: number; at: number }>()
  let leastRate = 0
  const reset = (): void => {
    buckets.clear()
    leastRate = 0
  }
  world.registerState('selling-partner-buckets', { dump: () => null, restore: () => undefined, reset })
  app.post('/control/usage-plans', { onRequest: onlyWithToken(world) }, (request, reply) => {
    const parsed = usagePlans.safeParse(request.body)
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
    reset()
    leastRate = parsed.data.rate
    return reply.send(parsed.data)
  })
  const rateOf = ({ rate }: Operation): number => Math.max(rate, leastRate)
  const take = (key: string, plan: Operation, now: number): boolean => {
    const bucket = buckets.get(key) ?? { tokens: plan.burst, at: now }
    const tokens = Math.min(plan.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1000) * rateOf(plan))
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    return tokens >= 1
  }
  return { rateOf, take }
}

/** True unless the token is a restricted one that was made for other calls. */
function opens({ restricted }: Access, method: string, path: string): boolean {
  if (!restricted) return true
  return restricted.some(resource => {
    const [allowed, parts] = [resource.path.split('/'), path.split('/')]
    return (
      resource.method === method &&
      allowed.length === parts.length &&
      allowed.every((part, i) => part === parts[i] || /^\{\w+\}$/.test(part))
    )
  })
}

/** The seller of this region that the request's token gives access to, or the error answer. */
function authorize(
  world: World,
  request: FastifyRequest,
  region: RegionKey,
): { seller: Seller; access: Access } | SpAnswer {
  const token = request.headers['x-amz-access-token']
  if (typeof token !== 'string' || token === '') return accessDenied(tokenDetails.missing)
  const access = world.lwa.check(token)
  if (!access) return accessDenied(world.lwa.hasExpired(token) ? tokenDetails.expired : tokenDetails.invalid)
  const sellers = access.sellerIds.map(id => world.store.sellers.get(id))
  const seller = sellers.find(one => one?.region === region && one.type === 'seller')
  const path = decodeURI(request.url.split('?')[0] ?? '').slice(`/sp/${region}`.length)
  const isAllowed = access.scope.startsWith(SELLING_PARTNER_SCOPE) && opens(access, request.method, path)
  return isAllowed && seller ? { seller, access } : accessDenied()
}

function send(reply: FastifyReply, { status, body }: SpAnswer): FastifyReply {
  void reply.code(status).header('x-amzn-RequestId', newRequestId())
  return body === null || body === undefined ? reply.send() : reply.type('application/json').send(JSON.stringify(body))
}

/** What an operation answers, its errors included. */
function answerOf(operation: Operation, request: SpRequest): SpAnswer {
  try {
    if (request.seller.sellerId === PUBLISHED_SELLER_ID) return publishedAnswer(operation, request)
    return operation.answer(request)
  } catch (error) {
    if (error instanceof SpError) return error.answer
    throw error
  }
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

type SpHttpRequest = FastifyRequest<{ Params: SpRequest['path']; Querystring: Query['values'] }>

/** Serves operations in each region. `prepare` is called before each. */
function registerOperations(
  app: FastifyInstance,
  world: World,
  operations: readonly Operation[],
  prepare: (request: SpRequest, method: string) => void,
): void {
  const plans = createUsagePlans(app, world)
  const answer = (http: SpHttpRequest, reply: FastifyReply, region: RegionKey, operation: Operation): FastifyReply => {
    const caller = authorize(world, http, region)
    if ('status' in caller) return send(reply, caller)
    const now = world.clock.now()
    // A 429 never states the limit; every other answer does.
    if (!plans.take(`${region}|${caller.seller.sellerId}|${operation.id}`, operation, now.getTime()))
      return send(reply, quotaExceeded.answer)
    void reply.header('x-amzn-RateLimit-Limit', String(plans.rateOf(operation)))
    const { params: path, body = null } = http
    const query = new Query(http.query)
    const fault = http.fault?.kind ?? null
    const request: SpRequest = { world, ...caller, region, path, query, body, now, store: world.store, fault }
    prepare(request, operation.method)
    return send(reply, answerOf(operation, request))
  }
  for (const { key: region } of regions)
    for (const operation of operations)
      app.route({
        method: operation.method,
        url: `/sp/${region.toLowerCase()}${operation.url}`,
        handler: (http: SpHttpRequest, reply) => answer(http, reply, region, operation),
      })
}

/** The Selling Partner API of all three regions, its consent page, its files, and images of products. */
export function registerSellingPartner(app: FastifyInstance, world: World): void {
  readBodies(app, world)
  const notFoundBelow = (prefix: string, answer: () => ErrorReply): void =>
    void app.register(async scope => void scope.setNotFoundHandler((_, reply) => sendError(reply, answer())), {
      prefix,
    })
  notFoundBelow('/sp', noSuchPath)
  notFoundBelow('/s3', noSuchKey)
  world.errorWordings.set('s3', storageWording)
  const reports = new ReportService(world)
  const feeds = new FeedService(world)
  const schedules = new ReportSchedules(world, reports)
  const operations = [
    participationOperations,
    inventoryOperations,
    listingOperations,
    catalogueOperations,
    reports.operations,
    schedules.operations,
    feeds.operations,
    orderMetricOperations,
    orderOperations,
    feeOperations,
    priceOperations,
    restrictedTokenOperations,
  ]
  registerOperations(app, world, operations.flat(), (request, method) => {
    if (method === 'GET') schedules.orderDue(request.now.getTime())
    feeds.processDue(request)
  })
  registerFolder(app, world, 'sp-reports', { read: id => reports.fileOf(id) })
  registerFolder(app, world, 'sp-feeds', {
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
