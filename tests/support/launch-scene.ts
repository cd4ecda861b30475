import { randomUUID } from 'node:crypto'
import { createAmazonAds } from '#integrations/amazon-ads/index.ts'
import { GrantRevoked } from '#integrations/login-with-amazon/index.ts'
import { createAccessTokens } from './access-tokens.ts'
import type { Ctx } from '#server/context.ts'
import { launchJobs } from '#features/launches/server/launch-job.ts'
import { launchJob } from '#features/launches/server/launch-job.ts'
import { structureJobs } from '#features/structure/server/push/send-changes.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { addAccount, callerOf } from './people.ts'
import { openSandboxAccounts } from './sandbox-accounts.ts'
import { silentLog } from './scripted-host.ts'
import { testServices } from './services.ts'

/**
 * What becomes of one call to the marketplace. HANG_* never answer, as for a process that was killed; OUT_OF_TIME is
 * given up once the marketplace has heard it, as the door's own time limit would, without waiting for that; REFUSED finds
 * nobody who takes the connection.
 */
export type Fate = 'PASS' | 'HANG_BEFORE' | 'HANG_AFTER' | 'OUT_OF_TIME' | 'REFUSED'

export interface Call {
  /** Counted from 1 since the last `watch`. */
  no: number
  method: string
  /** Below the region. */
  path: string
}

const never = new Promise<never>(() => undefined)
const connectionRefused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

interface Options {
  /** The marketplace's profile; the US one of the scenario's new seller when absent. */
  amazonProfileId?: number
  login?: string
  scenario?: string
  /** How long one call may take, and how long it may wait for its turn. */
  timeoutMs?: number
  maxWaitMs?: number
  /** How many calls the door makes; as many as it can when absent. */
  rate?: { rate: number; burst: number }
}

/**
 * A seller about to launch: account, trial, merchant, advertising account and inventory in a database of its own, the
 * marketplace beside it, and a hand on every call between them.
 */
export async function openLaunchScene(options: Options = {}) {
  const { amazonProfileId = 4100000000000011, login = 'seller@sandbox.test', scenario = 'new-seller' } = options
  const { timeoutMs = 5_000, maxWaitMs = 5_000, rate = { rate: 1000, burst: 1000 } } = options
  const accounts = await openSandboxAccounts({ scenario, login })
  const { sandbox } = accounts
  const { world } = sandbox
  const calls: Call[] = []
  let fateOf: (call: Call) => Fate = () => 'PASS'
  let killed = new AbortController()
  const watchedFetch: typeof fetch = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname.replace(/^\/ads\/\w\w/, '')
    const call = { no: calls.length + 1, method: init?.method ?? 'GET', path }
    calls.push(call)
    const fate = fateOf(call)
    if (fate === 'HANG_BEFORE') killed.abort(new Error('killed'))
    if (fate === 'HANG_BEFORE' || killed.signal.aborted) return never
    if (fate === 'REFUSED') throw new TypeError('fetch failed', { cause: connectionRefused() })
    if (fate === 'OUT_OF_TIME') return giveUp(world, input, init)
    const reply = await fetch(input, init)
    if (fate === 'HANG_AFTER') {
      await reply.arrayBuffer()
      killed.abort(new Error('killed'))
      return never
    }
    return reply
  }
  const clock = { now: () => new Date() }
  // A revoked grant fails as it does in the product's own token store.
  const refresh = (id: number) =>
    accounts.login.refresh(accounts.grants.get(id) ?? '').catch((error: unknown) => {
      throw error instanceof GrantRevoked ? new AppError('UPSTREAM_UNAUTHORIZED', 'Connect the account again.') : error
    })
  const tokens = createAccessTokens({ clock, refresh })
  const regional = (path: string) => ({ NA: `${path}/na`, EU: `${path}/eu`, FE: `${path}/fe` })
  const doorOf = (patienceMs: number) =>
    createAmazonAds({
      baseUrls: regional(`${sandbox.url}/ads`),
      clientId: 'amzn1.application-oa2-client.demo',
      // One consent reaches every profile of the log-in.
      tokens: (_, rejected) => tokens(accounts.connectionId, rejected),
      clock,
      log: silentLog,
      fetch: watchedFetch,
      policy: { firstDelayMs: 1, maxDelayMs: 5, timeoutMs: patienceMs, maxWaitMs, circuitFailures: 1000 },
      rate,
    })
  const services = await testServices({
    jobs: [...launchJobs, ...structureJobs],
    supervise: false,
    integrations: { amazonAds: doorOf(timeoutMs) },
  })
  // The queue asks for a job's kind once, on a connection of its own, which the embedded database has not inside a transaction.
  await services.jobs.send(services.db.system, launchJob, { merchantId: 0, launchId: 0, profileId: 0 })
  const seller = await settleSeller(services, world, amazonProfileId)
  return {
    ...accounts,
    ...seller,
    world,
    services,
    /** The same services by a door that waits no longer for an answer. */
    impatient: (patienceMs: number): typeof services => ({
      ...services,
      integrations: { ...services.integrations, amazonAds: doorOf(patienceMs) },
    }),
    /** The same services as another process has them: it knows nothing of the calls made so far, nor of any rest. */
    restarted: (): typeof services => ({
      ...services,
      integrations: { ...services.integrations, amazonAds: doorOf(timeoutMs) },
    }),
    calls,
    /** Starts counting from zero and decides what becomes of each call from now on. */
    watch: (next: (call: Call) => Fate = () => 'PASS') => {
      calls.length = 0
      fateOf = next
      killed = new AbortController()
      return killed.signal
    },
    caller: async (idempotencyKey: string = randomUUID()): Promise<Ctx> => ({
      ...(await callerOf(services, seller.accountId)),
      idempotencyKey,
    }),
    close: async () => {
      await services.close()
      await accounts.close()
    },
  }
}

export type LaunchScene = Awaited<ReturnType<typeof openLaunchScene>>

async function giveUp(world: SceneWorld, input: Parameters<typeof fetch>[0], init: RequestInit | undefined) {
  const heard = () => world.journal.list({ vendor: 'ads' }).length
  const [before, limit] = [heard(), new AbortController()]
  const reply = fetch(input, { ...init, signal: limit.signal })
  while (heard() === before) await new Promise(resolve => setTimeout(resolve, 2))
  limit.abort(new DOMException('timed out', 'TimeoutError'))
  return reply
}

type SceneServices = Awaited<ReturnType<typeof testServices>>
type SceneWorld = Awaited<ReturnType<typeof openSandboxAccounts>>['sandbox']['world']

async function settleSeller(services: SceneServices, world: SceneWorld, amazonProfileId: number) {
  const db = services.db.system
  const profile = world.store.profiles.get(amazonProfileId)
  const market = profile && marketplaceByAmazonId(profile.marketplaceId)
  if (!profile || !market) throw new Error(`the scenario has no profile ${amazonProfileId}`)
  const accountId = await addAccount(services)
  const { merchant_id: merchantId } = await db
    .insertInto('merchant')
    .values({ name: 'Shop', account_type: 'SELLER', region: profile.region, selling_partner_id: profile.sellerId })
    .returning('merchant_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('membership')
    .values({ account_id: accountId, merchant_id: merchantId, role: 'OWNER', ended_at: null })
    .execute()
  const { id: connectionId } = await db
    .insertInto('connection')
    .values({
      merchant_id: merchantId,
      kind: 'AMAZON_ADS',
      region: profile.region,
      granted_by: accountId,
      refresh_token_sealed: null,
      access_token_sealed: null,
      access_token_expires_at: null,
      renewing_until: null,
      lost_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: profileId } = await db
    .insertInto('ads_profile')
    .values({
      merchant_id: merchantId,
      connection_id: connectionId,
      amazon_profile_id: String(amazonProfileId),
      region: profile.region,
      marketplace_id: market.id,
      country_code: profile.countryCode,
      currency: profile.currency,
      timezone: profile.timezone,
      account_name: 'Shop',
      account_type: 'SELLER',
      account_sub_type: null,
      valid_payment_method: true,
      daily_budget_micros: null,
      campaign_prefix: 'TL',
      ad_spend_percentage: null,
      is_managed: true,
      managed_at: null,
      last_fetched: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('account')
    .set({ current_merchant_id: merchantId, current_marketplace_id: market.id })
    .where('id', '=', accountId)
    .execute()
  const now = services.clock.now()
  await db
    .insertInto('subscription')
    .values({
      account_id: accountId,
      plan_id: 1,
      status: 'trialing',
      trial_started_at: now,
      trial_ends_at: new Date(now.getTime() + 86_400_000),
    } as never)
    .execute()
  const products = [...world.store.products.values()].filter(
    p => p.sellerId === profile.sellerId && p.marketplaceId === profile.marketplaceId,
  )
  for (const p of products)
    await db
      .insertInto('product')
      .values({
        merchant_id: merchantId,
        marketplace_id: market.id,
        sku: p.sku,
        asin: p.asin,
        title: p.title,
        price_micros: p.priceMicros,
        currency: profile.currency,
        eligibility_status: p.eligibility,
        eligibility_message: p.eligibilityMessage,
      })
      .execute()
  return { accountId, merchantId, profileId, market, products, amazonProfileId }
}
