import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { newRequestId } from '../core/new-id.ts'
import type { Seller } from '../core/model/store.ts'
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
import { FeedDesk } from './feeds/feed-service.ts'
import { type Operation, refusal, type SpAnswer, type SpRequest } from './operations/operation.ts'
import { orderMetricOperations } from './operations/orders/order-metrics.ts'
import { orderOperations } from './operations/orders/search-orders.ts'
import { participationOperations } from './operations/participations.ts'
import { priceOperations } from './operations/prices.ts'
import { restrictedTokenOperations } from './operations/restricted-token.ts'
import { productImage } from './product-image.ts'
import { publishedAnswer } from './published/published-answers.ts'
import { PUBLISHED_SELLER_ID } from './published/published-examples.ts'
import { ReportDesk } from './reports/report-service.ts'
import { ReportSchedules } from './reports/report-schedules.ts'
import { FileSigner, registerFolder } from './signed-files.ts'
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts'

const hosts: readonly RegionKey[] = ['NA', 'EU', 'FE']

interface Caller {
  seller: Seller
  access: Access
}

/** True when a restricted token was made for this call. */
function opens(resources: readonly RestrictedResource[], method: string, path: string): boolean {
  return resources.some(resource => {
    const [wanted, given] = [resource.path.split('/'), path.split('/')]
    return (
      resource.method === method &&
      wanted.length === given.length &&
      wanted.every((part, i) => part === given[i] || /^\{\w+\}$/.test(part))
    )
  })
}

/** Who calls: the seller of this region that the request's token opens, or why it opens none. */
function authorise(world: World, request: FastifyRequest, region: RegionKey): Caller | SpAnswer {
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
  feeds: FeedDesk,
): void {
  app.route<{ Params: Record<string, string>; Querystring: SpRequest['query'] }>({
    method: operation.method,
    url: `/sp/${region.toLowerCase()}${operation.url}`,
    handler(request, reply) {
      const caller = authorise(world, request, region)
      if ('status' in caller) return send(reply, caller)
      const { seller, access } = caller
      const now = world.clock.now()
      // A 429 never says what the limit is; every other answer may.
      if (!buckets.take(`${region}|${seller.sellerId}|${operation.id}`, operation.rate, operation.burst, now.getTime()))
        return send(reply, refusal(429, 'QuotaExceeded', 'You exceeded your quota for the requested resource.'))
      void reply.header('x-amzn-RateLimit-Limit', String(operation.rate))
      const asked: SpRequest = {
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
      feeds.settle(asked)
      return send(
        reply,
        seller.sellerId === PUBLISHED_SELLER_ID ? publishedAnswer(operation, asked) : operation.answer(asked),
      )
    },
  })
}

/** Bodies are JSON whatever is missing, and what cannot be read is refused in the API's own form. */
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
    if (status === 400) return send(reply, refusal(400, 'InvalidInput', 'Invalid Input', error.message))
    return sendError(reply, world.wordingOf('sp').failed(request, status))
  })
}

/** The Selling Partner API of all three regions, its consent page, its report files and pictures of products. */
export function registerSellingPartner(app: FastifyInstance, world: World): void {
  readBodies(app, world)
  void app.register(async scope => void scope.setNotFoundHandler((_request, reply) => sendError(reply, noSuchPath())), {
    prefix: '/sp',
  })
  const buckets = createTokenBuckets()
  // Buckets refill while the sandbox is down; only a reset has to empty the memory of them.
  world.registerState('selling-partner-buckets', {
    dump: () => null,
    restore: () => undefined,
    reset: () => buckets.reset(),
  })
  const signer = new FileSigner(world)
  const desk = new ReportDesk(world, signer)
  const feeds = new FeedDesk(world, signer)
  const schedules = new ReportSchedules(world, desk)
  desk.beforeReading = () => schedules.run()
  const operations = [
    ...participationOperations,
    ...inventoryOperations,
    ...readListings,
    ...writeListings,
    ...catalogueOperations,
    ...desk.operations,
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
  registerFolder(app, 'sp-reports', { signer, read: id => desk.fileOf(id) })
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
