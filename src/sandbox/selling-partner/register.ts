import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RegionKey } from '#shared/marketplaces.ts'
import { newRequestId } from '../core/new-id.ts'
import type { Seller } from '../core/model.ts'
import type { World } from '../core/world.ts'
import { catalogueOperations } from './operations/catalogue-items.ts'
import { registerConsent, SELLING_PARTNER_SCOPE } from './consent.ts'
import { feeOperations } from './operations/fees.ts'
import { inventoryOperations } from './operations/inventory.ts'
import { listingOperations } from './operations/listings.ts'
import { type Operation, refusal, type SpAnswer, type SpRequest } from './operations/operation.ts'
import { orderMetricOperations } from './operations/order-metrics.ts'
import { participationOperations } from './operations/participations.ts'
import { pictureOf } from './picture.ts'
import { publishedAnswer } from './published/published-answers.ts'
import { PUBLISHED_SELLER_ID } from './published/published-examples.ts'
import { ReportDesk } from './reports/report-desk.ts'
import { createTokenBuckets } from './token-buckets.ts'

const hosts: readonly RegionKey[] = ['NA', 'EU', 'FE']

const denied = (): SpAnswer => refusal(403, 'Unauthorized', 'Access to requested resource is denied.')

/** The seller of this region that the request's token opens, or why it opens none. */
const authorise = (world: World, request: FastifyRequest, region: RegionKey): Seller | SpAnswer => {
  const token = request.headers['x-amz-access-token']
  if (typeof token !== 'string' || token === '')
    return refusal(403, 'Unauthorized', 'Access token is missing in the request header.')
  const access = world.lwa.check(token)
  if (!access) return refusal(403, 'Unauthorized', 'The access token you provided is revoked, malformed or invalid.')
  const sellers = access.sellerIds.map(id => world.books.sellers.get(id))
  const seller = sellers.find(one => one?.region === region && one.type === 'seller')
  return access.scope.startsWith(SELLING_PARTNER_SCOPE) && seller ? seller : denied()
}

const send = (reply: FastifyReply, { status, body }: SpAnswer): FastifyReply => {
  void reply.code(status).header('x-amzn-RequestId', newRequestId())
  return body === null || body === undefined ? reply.send() : reply.type('application/json').send(JSON.stringify(body))
}

const registerOperation = (
  app: FastifyInstance,
  world: World,
  region: RegionKey,
  operation: Operation,
  buckets: ReturnType<typeof createTokenBuckets>,
): void => {
  app.route<{ Params: Record<string, string>; Querystring: SpRequest['query'] }>({
    method: operation.method,
    url: `/sp/${region.toLowerCase()}${operation.url}`,
    handler(request, reply) {
      const seller = authorise(world, request, region)
      if ('status' in seller) return send(reply, seller)
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
        books: world.books,
        market: world.market(),
        publicUrl: world.config.publicUrl,
        fault: request.fault?.kind ?? null,
      }
      return send(
        reply,
        seller.sellerId === PUBLISHED_SELLER_ID ? publishedAnswer(operation, asked) : operation.answer(asked),
      )
    },
  })
}

const s3Error = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`

const registerFiles = (app: FastifyInstance, desk: ReportDesk): void => {
  app.get<{ Params: { id: string }; Querystring: Record<string, string | undefined> }>(
    '/s3/sp-reports/:id',
    (request, reply) => {
      // The real store takes one way of signing only, and refuses an address that carries a token besides.
      if (request.headers.authorization)
        return reply
          .code(400)
          .type('application/xml')
          .send(s3Error('InvalidArgument', 'Only one auth mechanism allowed'))
      const found = desk.open(
        request.params.id,
        request.query['X-Amz-Expires'] ?? '',
        request.query['X-Amz-Signature'] ?? '',
      )
      if (found === 'unknown')
        return reply.code(404).type('application/xml').send(s3Error('NoSuchKey', 'The specified key does not exist.'))
      if (found === 'forbidden')
        return reply.code(403).type('application/xml').send(s3Error('AccessDenied', 'Request has expired'))
      return reply.type('application/octet-stream').send(found.bytes)
    },
  )
}

/** The Selling Partner API of all three regions, its consent page, its report files and pictures of products. */
export const registerSellingPartner = (app: FastifyInstance, world: World): void => {
  const buckets = createTokenBuckets()
  // Buckets refill while the sandbox is down; only a reset has to empty the memory of them.
  world.keep('selling-partner-buckets', { dump: () => null, restore: () => undefined, reset: () => buckets.reset() })
  const desk = new ReportDesk(world)
  const operations = [
    ...participationOperations,
    ...inventoryOperations,
    ...listingOperations,
    ...catalogueOperations,
    ...desk.operations,
    ...orderMetricOperations,
    ...feeOperations,
  ]
  for (const region of hosts)
    for (const operation of operations) registerOperation(app, world, region, operation, buckets)
  registerFiles(app, desk)
  registerConsent(app, world)
  app.get<{ Params: { file: string } }>('/images/:file', (request, reply) => {
    const asin = request.params.file.replace(/\.svg$/, '')
    const product = [...world.books.products.values()].find(one => one.asin === asin)
    void reply.header('cache-control', 'public, max-age=86400')
    return reply.type('image/svg+xml').send(pictureOf(product ?? { asin, title: asin }))
  })
}
