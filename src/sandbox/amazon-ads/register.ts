import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type RegionKey, regions } from '#shared/marketplaces.ts'
import { onlyWithToken } from '../core/control-token.ts'
import { newRequestId } from '../core/new-id.ts'
import type { World } from '../core/world.ts'
import { readCaller, readObject, profilesOf, readAccess, readJson } from './ads-caller.ts'
import { adsErrorWording, handleFailures } from './ads-failure.ts'
import type { Call, Exchange } from './calls.ts'
import { ExportService } from './exports/export-service.ts'
import { History } from './history/history.ts'
import { CallLimits } from './limits/call-limits.ts'
import { requireAccept, requireMedia } from './media-types.ts'
import { ReportService } from './reports/report-service.ts'
import { registerQueue } from './stream/register-queue.ts'
import { StreamService } from './stream/stream-service.ts'
import { registerTestAccounts } from './test-accounts.ts'
import { bidAdvice } from './advice/bid-advice.ts'
import { categoryCalls } from './advice/categories.ts'
import { productAdvice } from './advice/product-advice.ts'
import { targetAdvice } from './advice/target-advice.ts'
import { accountRecommendations } from './budgets/account-recommendations.ts'
import { budgetCalls } from './budgets/budget-calls.ts'
import { localizationCalls } from './localization/localization.ts'
import { portfolioCalls } from './portfolios/portfolios.ts'
import { bidRuleCalls } from './rules/bid-rules.ts'
import { budgetRuleCalls } from './rules/budget-rules.ts'
import { roasRuleCalls } from './rules/roas-rules.ts'
import { brandAdCalls } from './sponsored-brands/brand-ads.ts'
import { brandCampaignCalls } from './sponsored-brands/brand-campaigns.ts'
import { brandClauseCalls } from './sponsored-brands/clauses.ts'
import { displayCampaignCalls } from './sponsored-display/display-campaigns.ts'
import { displayTargetingCalls } from './sponsored-display/display-targeting.ts'
import { campaignCalls } from './sponsored-products/campaigns.ts'
import { clauseCalls } from './sponsored-products/clauses.ts'
import { productAdCalls } from './sponsored-products/product-ads.ts'
import { fromMicros, toMicros } from '#shared/money.ts'
import type { Profile } from '../core/model/store.ts'
import { badRequest, gatewayFailure } from './ads-failure.ts'
import { isObject } from './entities/read-fields.ts'

/** The entities of the three ad products, their portfolios and budgets, and what the vendor advises about them. */
// biome-ignore format: one family a line
const calls: readonly Call[] = [
  ...campaignCalls, ...productAdCalls, ...clauseCalls,
  ...brandCampaignCalls, ...brandAdCalls, ...brandClauseCalls,
  ...displayCampaignCalls, ...displayTargetingCalls,
  ...portfolioCalls, ...budgetCalls, ...budgetRuleCalls, ...bidRuleCalls, ...roasRuleCalls, ...accountRecommendations,
  ...targetAdvice, bidAdvice, ...productAdvice, ...categoryCalls, ...localizationCalls,
]

/** The advertising API under `/ads/{na,eu,fe}` (each region's host serves only its own profiles), its files and its queue. */
export async function registerAmazonAds(app: FastifyInstance, world: World): Promise<void> {
  const reports = new ReportService(world)
  const exports = new ExportService(world)
  const history = new History(world)
  const stream = new StreamService(world)
  const limits = new CallLimits(world)
  const all = [...calls, ...reports.calls, ...exports.calls, ...history.calls, ...stream.calls]
  world.errorWordings.set('ads', adsErrorWording)
  await app.register(async scope => handleFailures(scope), { prefix: '/ads' })
  for (const { key } of regions)
    await app.register(
      async scope => {
        handleFailures(scope)
        limits.guard(scope)
        // Bodies come in a media type of their own for each resource; each call checks which, then parses.
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
        // Of a repeated parameter the first counts.
        scope.addHook('preValidation', async request => {
          const query = request.query as Record<string, unknown>
          for (const [name, value] of Object.entries(query)) if (Array.isArray(value)) query[name] = value[0]
        })
        scope.addHook('onRequest', async (_request, reply) => {
          void reply.headers({ 'x-amz-rid': newRequestId(), 'x-amzn-requestid': randomUUID() })
        })
        registerProfiles(scope, world, key)
        registerTestAccounts(scope, world)
        for (const call of all) registerCall(scope, world, key, call)
      },
      { prefix: `/ads/${key.toLowerCase()}` },
    )
  reports.registerFiles(app)
  exports.registerFiles(app)
  registerReportSpeed(app, world, reports)
  registerStreamStart(app, world, stream)
  limits.registerControl(app)
  await app.register(async scope => registerQueue(scope, world, stream))
}

function registerCall(app: FastifyInstance, world: World, region: RegionKey, call: Call): void {
  const { method = 'POST', path, media, accepts, read = readObject, type, status = 200, answer } = call
  app.route({
    method,
    url: path,
    async handler(request, reply) {
      const caller = readCaller(request, world, region)
      if (accepts) requireAccept(request, accepts, 406)
      const negotiated = media ? requireMedia(request, media) : { content: null, accept: null }
      const body = media ? read(request) : {}
      const { query, params } = request as Pick<Exchange, 'query' | 'params'>
      const result = await answer(caller, body, { request, reply, query, params, ...negotiated })
      void reply.code(status)
      if (type) void reply.type(type)
      return reply.hasHeader('content-type') ? JSON.stringify(result) : result
    },
  })
}

const speed = z.strictObject({ pendingMs: z.int().min(0), processingMs: z.int().min(0) })

/** `POST /control/reports`: how long reports take from now on, in the world's time. */
function registerReportSpeed(app: FastifyInstance, world: World, service: ReportService): void {
  app.post('/control/reports', { onRequest: onlyWithToken(world) }, (request, reply) => {
    const parsed = speed.safeParse(request.body)
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
    service.speed = parsed.data
    return service.speed
  })
}

const opened = z.union([
  z.strictObject({ daysBefore: z.int().min(0).max(59), profileId: z.int().nullable().default(null) }),
  z.strictObject({ held: z.boolean() }),
  z.strictObject({
    region: z.enum(['NA', 'EU', 'FE']).default('NA'),
    records: z.array(z.looseObject({ dataset_id: z.string() })).min(1),
  }),
])

/**
 * `POST /control/stream`: how many days before now subscriptions count as opened from now on; or whether figures are held
 * back, as on a day when the stream is late; or records that topics send now, a message each, for accounts that are not here.
 */
function registerStreamStart(app: FastifyInstance, world: World, service: StreamService): void {
  app.post('/control/stream', { onRequest: onlyWithToken(world) }, (request, reply) => {
    const parsed = opened.safeParse(request.body)
    if (!parsed.success) return reply.code(400).send({ error: z.prettifyError(parsed.error) })
    if ('held' in parsed.data) service.hold(parsed.data.held)
    else if ('records' in parsed.data) service.publish(parsed.data.region, parsed.data.records)
    else service.openBefore(parsed.data)
    return parsed.data
  })
}

/** The daily budget that means "no limit". */
const NO_LIMIT = 999_999_999

function profileOnWire(world: World, profile: Profile): object {
  const seller = world.store.sellers.get(profile.sellerId)
  const isSeller = seller?.type !== 'vendor'
  return {
    profileId: profile.profileId,
    countryCode: profile.countryCode,
    currencyCode: profile.currency,
    ...(isSeller && {
      dailyBudget: profile.dailyBudgetMicros === null ? NO_LIMIT : fromMicros(profile.dailyBudgetMicros),
    }),
    timezone: profile.timezone,
    accountInfo: {
      marketplaceStringId: profile.marketplaceId,
      id: profile.sellerId,
      type: seller?.type ?? 'seller',
      name: seller?.name ?? '',
      ...(seller?.test?.accountType === 'AUTHOR' && { subType: 'KDP_AUTHOR' }),
      validPaymentMethod: profile.validPaymentMethod,
    },
  }
}

/** `GET` and `PUT /v2/profiles`: the only calls without a scope, and only of the region's own profiles. */
function registerProfiles(app: FastifyInstance, world: World, region: RegionKey): void {
  const typeOf = ({ sellerId }: Profile) => world.store.sellers.get(sellerId)?.type ?? 'seller'

  app.get('/v2/profiles', request => {
    const { profileTypeFilter, validPaymentMethodFilter } = request.query as Record<string, string | undefined>
    const types = profileTypeFilter?.split(',')
    const isValid = validPaymentMethodFilter?.toLowerCase()
    return profilesOf(world, readAccess(request, world), region)
      .filter(profile => !types || types.includes(typeOf(profile)))
      .filter(({ validPaymentMethod }) => !isValid || String(validPaymentMethod) === isValid)
      .map(profile => profileOnWire(world, profile))
  })

  app.get('/v2/profiles/:profileId', request => {
    const { profileId } = request.params as { profileId: string }
    const own = profilesOf(world, readAccess(request, world), region)
    const profile = own.find(one => String(one.profileId) === profileId)
    if (!profile) throw gatewayFailure(404, 'NOT_FOUND', `Could not find profile with id: ${profileId}`)
    return profileOnWire(world, profile)
  })

  app.put('/v2/profiles', request => {
    const own = new Map(profilesOf(world, readAccess(request, world), region).map(one => [one.profileId, one]))
    const items = readJson(request)
    if (!Array.isArray(items) || !items.every(isObject)) throw badRequest('Expected an array of profiles')
    return world.change(store =>
      items.map(({ profileId = 0, dailyBudget }) => {
        const profile = own.get(Number(profileId))
        if (!profile) return { profileId, code: 'NOT_FOUND', details: 'Could not find the profile' }
        if (typeOf(profile) === 'vendor' || typeof dailyBudget !== 'number' || dailyBudget < 0)
          return { profileId, code: 'INVALID_ARGUMENT', details: 'The daily budget cannot be set' }
        const dailyBudgetMicros = dailyBudget >= NO_LIMIT ? null : toMicros(dailyBudget)
        store.profiles.set(profile.profileId, { ...profile, dailyBudgetMicros })
        return { profileId, code: 'SUCCESS' }
      }),
    )
  })
}
