import { randomBytes, randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { issueAccessToken } from '#features/auth/server/authenticate.ts'
import { hashSecret, newSecret } from '#features/auth/server/secret-token.ts'
import { insertSession } from '#features/auth/server/sql.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { changedHeader } from '#shared/contract-revision.ts'
import { importStructure } from '#features/structure/server/public.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import type { Services } from '#server/context.ts'
import { jobs, reactions } from '../src/main/api.ts'
import { connectSeller } from './support/connected-seller.ts'
import { type Fleet, followEvents, startFleet, type StreamPart } from './support/fleet.ts'
import { servicesWithOutside } from './support/outside.ts'
import { outsideWorld } from './support/processes.ts'
import { waitUntil } from './support/wait-until.ts'

const isServerStep = process.env.TEST_DATABASE_URL !== undefined
if (!isServerStep) process.stdout.write('Several processes are tested in the step that has a PostgreSQL server.\n')

const secrets = {
  TOKEN_SECRET: randomBytes(32).toString('hex'),
  ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
}
// Four take twice the time and find no more; PROCESSES=4 starts as many.
const each = Number(process.env.PROCESSES || 2)
/** What one advertising account may take, see createAmazonAds; a call may arrive a second after its token was given. */
const rate = { burst: 20, perSecond: 10, lateMs: 1000 }

const settles = (check: () => unknown) => vi.waitFor(check, { timeout: 120_000, interval: 100 })

describe.skipIf(!isServerStep)('several web and worker processes, of which some are killed', () => {
  let services: Services & { close(): Promise<void> }
  let sandbox: Sandbox
  let fleet: Fleet
  let token: string
  let accountId: number
  let refreshToken: string
  let profile: Profile
  let campaigns: { id: number; amazonId: string; version: number; budget: number }[]
  let targetIds: number[]

  beforeAll(async () => {
    ;({ services, sandbox } = await servicesWithOutside({ jobs, reactions, env: secrets }))
    const seller = { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS', countries: ['US'] }
    const connected = await connectSeller(services, seller)
    const [first] = connected.profiles
    if (!first) throw new Error('the seller has no advertising account')
    ;({ accountId } = connected)
    profile = first
    const progress = { signal: AbortSignal.timeout(120_000), onProgress: async () => undefined }
    await importStructure(services, first, progress)
    const { system } = services.db
    await sql`insert into account_role (account_id, role) values (${accountId}, 'OWNER') on conflict do nothing`.execute(
      system,
    )
    await sql`update account set current_merchant_id = ${first.merchantId}, current_marketplace_id = ${first.marketplaceId}
      where id = ${accountId}`.execute(system)
    // The import of a new account is not what is tested.
    await sql`update jobs.job set start_after = now() + interval '1 hour' where state = 'created'`.execute(system)
    campaigns =
      await rows(sql`select id, amazon_id as "amazonId", version, daily_budget_micros / 1e6 as budget from campaign
      where profile_id = ${first.profileId} and state <> 'ARCHIVED' and ad_type = 'SPONSORED_PRODUCTS' and targeting_type = 'MANUAL' order by id limit 12`)
    targetIds = (
      await rows<{
        id: number
      }>(sql`select t.id from target t join campaign c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
        where t.profile_id = ${first.profileId} and t.state = 'ENABLED' and t.kind = 'KEYWORD' and c.ad_type = 'SPONSORED_PRODUCTS' order by t.id limit 60`)
    ).map(({ id }) => id)
    const session = { id: randomUUID(), accountId, now: new Date(), expiresAt: new Date(Date.now() + 86_400_000) }
    refreshToken = newSecret()
    await insertSession(system, { ...session, tokenHash: hashSecret(refreshToken), userAgent: '' })
    token = await issueAccessToken(services, { accountId, sessionId: session.id })
    sandbox.world.journal.clear()
    const { raw } = services.db
    const env = {
      ...outsideWorld(sandbox.url, sandbox.smtpPort),
      ...secrets,
      DATABASE_URL: 'connectionString' in raw ? raw.connectionString : '',
      DATABASE_POOL: '4',
      LOG_LEVEL: 'error',
    }
    fleet = await startFleet(env, { web: each, workers: 1 })
  })
  afterAll(async () => {
    await fleet?.stop()
    await services.close()
  })

  async function rows<T>(statement: ReturnType<typeof sql>): Promise<T[]> {
    return (await statement.execute(services.db.system)).rows as T[]
  }

  interface Sent {
    body?: object
    key?: string
    ifMatch?: number
    caller?: string
    bearer?: string
  }
  const send = async (
    method: string,
    path: string,
    { body, key, ifMatch, caller = '10.0.0.1', bearer = token }: Sent,
  ) => {
    const answer = await fetch(`${fleet.url}/api${path}`, {
      method,
      headers: {
        'x-caller': caller,
        // As the client does after a change.
        [changedHeader]: '1',
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => null)
    const text = (await answer?.text().catch(() => '')) ?? ''
    return { status: answer?.status ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text }
  }
  /** Sends again, with the same key, what a killed process did not answer. */
  const insist = async (method: string, path: string, sent: Sent) => {
    for (let attempt = 0; ; attempt++) {
      // Limits count callers by address, and a process that was killed keeps a key for up to twenty seconds.
      const answer = await send(method, path, { caller: `10.3.${attempt}.${sent.key?.length ?? 0}`, ...sent })
      if (answer.status !== 0 && answer.status !== 502 && answer.body.errorCode !== 'IDEMPOTENCY_IN_FLIGHT')
        return answer
      await new Promise(resolve => setTimeout(resolve, 1000))
    }
  }

  test('keep the rate of an account, write nothing twice, lose no event and no job', async () => {
    const published: StreamPart = []
    const unsubscribe = services.events.subscribe(accountId, ({ type, data }) =>
      published.push({ event: type, data: JSON.stringify(data) }),
    )
    const streams = fleet.web.map((_, n) => followEvents(fleet.url, token, `10.1.0.${n}`))
    await waitUntil(() => expect(streams.map(({ parts }) => parts.length)).toEqual(fleet.web.map(() => 1)))

    const stale: unknown[] = []
    const changeBudget = async ({ id, version, budget }: (typeof campaigns)[number], n: number) => {
      const newBudget = Math.round((budget + 1 + n) * 100) / 100
      const body = { campaignId: id, budget: newBudget }
      const answer = await insist('POST', '/campaign/update', { body, key: `budget ${id}`, ifMatch: version })
      expect([answer.status, answer.body.budget ?? answer.body]).toEqual([200, newBudget])
      // Whichever process answers next has heard of it.
      const { body: seen } = await insist('GET', `/campaigns/${id}`, {})
      if (seen.budget !== newBudget) stale.push([id, seen.budget ?? seen, newBudget])
      return { id, newBudget }
    }
    const textsOf = (id: number) => Array.from({ length: 5 }, (_, n) => `fleet ${id} text ${n}`)
    const addNegatives = async ({ id }: { id: number }) => {
      const keywords = textsOf(id).map(text => ({ text, matchType: 'NEGATIVE_EXACT' }))
      const sent = { body: { campaignId: id, keywords }, key: `negatives ${id}` }
      // A second finger on the button: the same call at the same moment, at another process.
      const answers = await Promise.all([1, 2].map(() => insist('POST', '/sp/negative-keyword/create', sent)))
      expect(answers.map(answer => answer.status)).toEqual([200, 200])
      expect(answers[1]?.body).toEqual(answers[0]?.body)
    }
    let suggested = 0
    const suggestBid = async (id: number, n: number) => {
      await send('GET', `/targets/${id}/suggested-bid`, { caller: `10.2.0.${n}` })
      suggested += 1
    }

    const [first, ...rest] = campaigns as [(typeof campaigns)[number], ...typeof campaigns]
    // The marketplace takes its time, and the only worker dies meanwhile.
    const match = { vendor: 'ads', method: 'POST', path: '/sp/campaignNegativeKeywords' }
    sandbox.world.faults.add({ match, kind: 'slow', delayMs: 2500 })
    await addNegatives(first)
    await waitUntil(() => expect(created()).toHaveLength(1))
    await fleet.workers[0]?.kill()
    await Promise.all(Array.from({ length: each }, () => fleet.addWorker()))

    // More at once than the account may take.
    const suggestions = Array.from({ length: 60 }, (_, n) => targetIds[n % targetIds.length] ?? 0)
    const bids = Promise.all(suggestions.map(suggestBid))
    const work = Promise.all([...campaigns.map(changeBudget), ...rest.map(addNegatives)])
    await waitUntil(() => expect(suggested).toBeGreaterThan(8))
    await Promise.all([fleet.web[0]?.kill(), fleet.workers.at(-1)?.kill()])
    const budgets = (await work).filter(one => one !== undefined)
    await bids

    // Nothing is lost: what was acknowledged is at the marketplace.
    await waitUntil(async () => {
      const open =
        await rows(sql`select 'campaign' as what, id from campaign where profile_id = ${profile.profileId} and sync_state <> 'SYNCED'
        union all select 'negative', id from negative where profile_id = ${profile.profileId} and sync_state <> 'SYNCED'`)
      expect(open).toEqual([])
    })
    const amazonIdOf = new Map(campaigns.map(({ id, amazonId }) => [id, amazonId]))
    for (const { id, newBudget } of budgets)
      expect((sandbox.world.store.campaigns.get(amazonIdOf.get(id) ?? '')?.budgetMicros ?? 0) / 1e6).toBe(newBudget)
    // And nothing is there twice.
    const texts = [...sandbox.world.store.negativeKeywords.values()]
      .map(negative => negative.keywordText)
      .filter(text => text.startsWith('fleet '))
    expect(texts.toSorted()).toEqual(campaigns.flatMap(({ id }) => textsOf(id)).toSorted())
    expect(stale).toEqual([])
    expect(worstExcess()).toBeLessThanOrEqual(0)

    // From each `hello` on every event comes, once and in order, until the stream breaks; the last part goes on to the end.
    await settles(() => {
      for (const { parts } of streams) expect(gapsOf(parts, published)).toEqual(parts.map(() => 'only while away'))
    })
    expect(streams.map(({ parts }) => parts.flat().length > 0)).toEqual(streams.map(() => true))
    for (const stream of streams) await stream.stop()
    unsubscribe()

    const open = sql`select name from jobs.job where name like 'push-%' and state in ('created', 'retry', 'active', 'failed')`
    expect(await rows(open)).toEqual([])
    // However many processes look at the schedule, each of its minutes has one job, which may come a minute late.
    const [due] = await rows<{ jobs: number; minutes: number }>(sql`select count(*)::int as jobs,
      (extract(epoch from max(date_trunc('minute', created_on)) - min(date_trunc('minute', created_on))) / 60)::int + 1 as minutes
      from jobs.job where name = 'notifications-due'`)
    expect(due?.jobs).toBeLessThanOrEqual((due?.minutes ?? 0) + 1)
  })

  test('take a refresh token once, and count guesses together', async () => {
    const refresh = () => insist('POST', '/auth/refresh', { body: { refreshToken }, bearer: '', caller: '10.4.0.1' })
    const pairs = await Promise.all([1, 2, 3, 4].map(refresh))
    expect(pairs.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(pairs.map(({ body }) => body.refreshToken)).size).toBe(1)
    const body = { email: 'nobody@example.com', password: 'Drift&Wood7!' }
    const guesses = []
    for (let n = 0; n < 12; n++)
      guesses.push((await insist('POST', '/auth/login', { body, bearer: '', caller: '10.4.0.1' })).status)
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
  })

  /** Whether what a stream missed was published before it began or between its parts only. */
  function gapsOf(parts: readonly StreamPart[], published: StreamPart): string[] {
    let at = 0
    return parts.map((part, n) => {
      const isLast = n === parts.length - 1
      const starts = n === 0 ? [0] : Array.from({ length: published.length - at + 1 }, (_, i) => at + i)
      const start = (isLast && n > 0 ? [published.length - part.length] : starts).find(from =>
        isDeepStrictEqual(published.slice(from, from + part.length), part),
      )
      if (start === undefined || start < at) return `part ${n} is not what was published`
      at = start + part.length
      return isLast && at < published.length ? `part ${n} ends too early` : 'only while away'
    })
  }

  const created = () =>
    sandbox.world.journal
      .list({ vendor: 'ads', method: 'POST', path: '/sp/campaignNegativeKeywords' })
      .filter(({ path }) => path.endsWith('/sp/campaignNegativeKeywords'))

  /** By how many calls any stretch of time exceeded what the account may take. */
  function worstExcess(): number {
    const times = sandbox.world.journal
      .list({ vendor: 'ads' })
      .filter(({ headers }) => headers['amazon-advertising-api-scope'] === String(profile.amazonProfileId))
      .map(({ at }) => new Date(at).getTime())
    expect(times.length).toBeGreaterThan(30)
    const excess = times.flatMap((from, i) =>
      times.slice(i).map((to, n) => n + 1 - rate.burst - ((to - from + rate.lateMs) / 1000) * rate.perSecond),
    )
    return Math.max(...excess)
  }
})
