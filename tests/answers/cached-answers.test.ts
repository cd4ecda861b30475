import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endSession } from '#features/auth/server/sql.ts'
import { addTestCampaign, testRange } from '../support/campaign-account.ts'
import { noteDaily } from '#features/metrics/server/sql/metrics-state.ts'
import { replaceDays } from '#features/metrics/server/sql/replace-days.ts'
import { dailyRows } from '../support/daily-rows.ts'
import { saveMirrored } from '#features/structure/server/sql/save-mirrored.ts'
import { jobs, routes } from '../../src/main/api.ts'
import type { Services } from '#server/context.ts'
import { addCaller, addSession, messagesDuring, openProcess, type Process } from '../support/answers-scene.ts'
import { testServices } from '../support/services.ts'

const range = new URLSearchParams(testRange).toString()
const listPath = `/campaign/cm?${range}`

let services: Services & { close(): Promise<void> }
let one: Process
let other: Process
let caller: Awaited<ReturnType<typeof addCaller>>
let campaign: Awaited<ReturnType<typeof addTestCampaign>>

beforeAll(async () => {
  services = await testServices({ jobs })
  one = await openProcess(services, 'own')
  other = await openProcess(services, 'own')
})
afterAll(async () => {
  await other.close()
  await one.close()
  await services.close()
})
beforeEach(async () => {
  caller = await addCaller(services)
  campaign = await addTestCampaign(services, caller, { name: 'Harbour lamp', day: [100, 10, 5, 20, 1] })
})

const isRanged = (query: object | undefined) =>
  query !== undefined && 'entries' in query && 'dateFrom' in (query.entries as object)
const list = (process: Process, etag?: string) =>
  process.call(caller.token, listPath, etag === undefined ? {} : { etag })
/** The process that wrote, at once; then the other, when its notification has arrived. */
async function* inTurn() {
  yield one
  await other.services.invalidations.caughtUp()
  yield other
}
/** The ETag of the list, which both processes have cached. */
async function cachedTag(): Promise<string> {
  const { etag } = await list(one)
  expect((await list(other)).etag).toBe(etag)
  expect((await list(one, etag)).status).toBe(304)
  expect((await list(other, etag)).status).toBe(304)
  return etag
}

describe('messages to the database', () => {
  // The queue's own upkeep may fall into one of the tries, never into all.
  const fewest = async (work: (n: number) => Promise<{ status: number }>) => {
    const tries = []
    for (let n = 1; n <= 4; n++) tries.push(await messagesDuring(services.db, () => work(n)))
    const statuses = new Set(tries.map(t => t.result.status))
    return [Math.min(...tries.map(t => t.messages)), ...statuses]
  }

  test('a page of the list takes one, or a transaction where the database is embedded', async () => {
    const messages = services.db.kind === 'server' ? 1 : 3
    await list(one)
    for (const path of ['/campaign/cm', '/adgroups/cm', '/ads/cm', '/keywords/cm', '/targets/cm']) {
      const counted = await fewest(n => one.call(caller.token, `${path}?${range}&page=${n}`))
      expect([path, ...counted]).toEqual([path, messages, 200])
    }
  })

  test('a cached answer takes none, with or without a matching ETag', async () => {
    const etag = await cachedTag()
    expect(await fewest(() => list(one))).toEqual([0, 200])
    expect(await fewest(() => list(one, etag))).toEqual([0, 304])
  })

  test('simultaneous calls after a change share theirs', async () => {
    const etag = await cachedTag()
    const together = async () => {
      await sql`update account set updated_at = now() where id = ${caller.accountId}`.execute(services.db.system)
      const answers = await Promise.all(Array.from({ length: 40 }, () => list(one, etag)))
      return { status: answers.every(answer => answer.status === 304) ? 304 : 0 }
    }
    const [messages, status] = await fewest(together)
    expect(status).toBe(304)
    expect(messages).toBeGreaterThan(1)
    expect(messages).toBeLessThan(10)
  })
})

test('every cached call answers 304 without a body while nothing changed', async () => {
  const cachedRoutes = routes.filter(route => route.cached)
  expect(cachedRoutes.length).toBeGreaterThan(10)
  for (const { endpoint } of cachedRoutes) {
    const id = /adgroups|:adGroupId/.test(endpoint.path) ? campaign.adGroupId : campaign.campaignId
    const path = `${endpoint.path.replace(/:\w+/, String(id))}${isRanged(endpoint.query) ? `?${range}` : ''}`
    const [first, second] = [await one.call(caller.token, path), await other.call(caller.token, path)]
    expect([path, first.status, second.status, second.etag]).toEqual([path, 200, 200, first.etag])
    expect(second.text).toBe(first.text)
    const unchanged = await one.call(caller.token, path, { etag: first.etag })
    expect([path, unchanged.status, unchanged.text, unchanged.etag]).toEqual([path, 304, '', first.etag])
  }
})

describe('what was written is seen by the next call, in every process', () => {
  const expectNews = async (etag: string, expected: (row: { state: string; budget: number; cost: number }) => void) => {
    for await (const process of inTurn()) {
      const answer = await list(process, etag)
      expect(answer.status).toBe(200)
      expected(answer.json().content[0])
    }
  }

  test('an edit of a user', async () => {
    const etag = await cachedTag()
    const edit = { campaignId: campaign.campaignId, budget: 77 }
    const answer = await one.call(caller.token, '/campaign/update', { method: 'POST', body: edit, ifMatch: 1 })
    expect(answer.status).toBe(200)
    await expectNews(etag, row => expect(row.budget).toBe(77))
  })

  test('figures of an import', async () => {
    const etag = await cachedTag()
    const day = { from: '2026-03-11', to: '2026-03-11', adType: 'SPONSORED_PRODUCTS' } as const
    const figures = { impressions: 10, clicks: 1, cost_micros: 3_000_000, sales_micros: 0, orders: 0, units: 0 }
    await one.services.db.tenant(caller.merchantId, async tx => {
      const row = { campaign_id: campaign.campaignId, date: day.from, ...figures }
      await replaceDays(tx, 'campaign_day', caller, day, dailyRows([row]))
      await noteDaily(tx, caller, day, services.clock.now())
    })
    await expectNews(etag, row => expect(row.cost).toBe(8))
  })

  test('a change at the marketplace', async () => {
    const etag = await cachedTag()
    const row = {
      campaignId: campaign.amazonId,
      amazonId: campaign.amazonId,
      adType: 'SPONSORED_PRODUCTS',
      name: 'Harbour lamp',
      targetingType: 'MANUAL',
      dailyBudgetMicros: null,
      lifetimeBudgetMicros: null,
      costType: null,
      tactic: null,
      bidding: { strategy: null },
      startDate: null,
      endDate: null,
      portfolioId: null,
      state: 'PAUSED',
      servingStatus: null,
    }
    await one.services.db.tenant(caller.merchantId, tx =>
      saveMirrored(tx, 'campaign', caller, [row], services.clock.now()),
    )
    await expectNews(etag, found => expect(found.state).toBe('PAUSED'))
  })

  test('not before the commit, and not after a rollback', async () => {
    const etag = await cachedTag()
    const failing = one.services.db.tenant(caller.merchantId, async tx => {
      await sql`update campaign set state = 'PAUSED' where merchant_id = ${caller.merchantId}`.execute(tx)
      throw new Error('broken off')
    })
    await expect(failing).rejects.toThrow('broken off')
    expect((await list(one, etag)).status).toBe(304)
  })
})

describe('the cache answers no one whom the server would reject', () => {
  test('after the session has ended', async () => {
    const etag = await cachedTag()
    await endSession(one.services.db.system, caller.sessionId, 'LOGOUT', services.clock.now())
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(401)
    const { token } = await addSession(services, caller.accountId)
    expect((await one.call(token, listPath, { etag })).status).toBe(304)
  })

  test('after the user has logged out in another process', async () => {
    const etag = await cachedTag()
    const body = { refreshToken: 'x'.repeat(43) }
    expect((await other.call(caller.token, '/auth/logout', { method: 'POST', body })).status).toBe(204)
    expect((await list(other, etag)).status).toBe(401)
    await one.services.invalidations.caughtUp()
    expect((await list(one, etag)).status).toBe(401)
  })

  test('after the session was deleted', async () => {
    const etag = await cachedTag()
    await sql`delete from session where id = ${caller.sessionId}`.execute(one.services.db.system)
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(401)
  })

  test('after its advertising account is no longer managed, nor does the account that was read before count', async () => {
    const etag = await cachedTag()
    await one.services.db.tenant(caller.merchantId, tx =>
      sql`update ads_profile set is_managed = false where merchant_id = ${caller.merchantId}`.execute(tx),
    )
    for await (const process of inTurn()) {
      const answer = await list(process, etag)
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('Connect an advertising account')])
    }
  })

  test('after the user was suspended', async () => {
    const etag = await cachedTag()
    await sql`update account set status = 'SUSPENDED' where id = ${caller.accountId}`.execute(one.services.db.system)
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(401)
  })

  test('after the subscription has ended', async () => {
    const etag = await cachedTag()
    await sql`update subscription set trial_ends_at = now() - interval '1 minute' where account_id = ${caller.accountId}`.execute(
      one.services.db.system,
    )
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(402)
  })

  test('after the user left the merchant', async () => {
    const etag = await cachedTag()
    await sql`update membership set ended_at = now() where account_id = ${caller.accountId}`.execute(
      one.services.db.system,
    )
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(422)
  })

  test('after the user switched to another marketplace', async () => {
    const etag = await cachedTag()
    await sql`update account set current_marketplace_id = 3 where id = ${caller.accountId}`.execute(
      one.services.db.system,
    )
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(422)
  })

  test('after another member’s subscription, through which the user had access, was cancelled', async () => {
    const payer = await addCaller(services)
    const { system } = one.services.db
    const shared = { account_id: payer.accountId, merchant_id: caller.merchantId, role: 'OWNER' } as const
    await sql`delete from subscription where account_id = ${caller.accountId}`.execute(system)
    for await (const process of inTurn()) expect((await list(process)).status).toBe(402)
    await system.insertInto('membership').values(shared).execute()
    for await (const process of inTurn()) expect((await list(process)).status).toBe(200)
    const etag = await cachedTag()
    await sql`update subscription set status = 'canceled' where account_id = ${payer.accountId}`.execute(system)
    for await (const process of inTurn()) expect((await list(process, etag)).status).toBe(402)
  })

  test('after a right was taken away, and not without one that was given', async () => {
    const update = { method: 'POST', body: { campaignId: campaign.campaignId, budget: 78 } } as const
    const edit = async (process: Process) => (await process.call(caller.token, '/campaign/update', update)).status
    await cachedTag()
    await sql`update account_role set role = 'VIEWER' where account_id = ${caller.accountId}`.execute(
      one.services.db.system,
    )
    for await (const process of inTurn()) expect(await edit(process)).toBe(403)
    await sql`update account_role set role = 'OWNER' where account_id = ${caller.accountId}`.execute(
      one.services.db.system,
    )
    for await (const process of inTurn()) expect(await edit(process)).not.toBe(403)
  })

  test('of another merchant for the same call', async () => {
    const etag = await cachedTag()
    const stranger = await addCaller(services)
    for (const process of [one, other]) {
      const answer = await process.call(stranger.token, listPath, { etag })
      expect(answer.status).toBe(200)
      expect(answer.json().content).toEqual([])
    }
  })
})
