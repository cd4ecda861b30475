import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import type { Sandbox } from '#sandbox/start-sandbox.ts'
import { connectAds } from '../../../../tests/support/connected-seller.ts'
import { servicesHearing } from '../../../../tests/support/outside.ts'
import { addAccount, callerOf } from '../../../../tests/support/people.ts'
import { disconnectMerchant, getMerchant } from './merchants.ts'
import { connectionLost } from './signals.ts'
import { accessToken, createConnectionTokens } from './tokens.ts'

let services: Services & { close(): Promise<void> }
let sandbox: Sandbox
let heard: unknown[]
let connection: { accountId: number; merchantId: number; connectionId: number }

beforeAll(async () => {
  ;({ services, sandbox, heard } = await servicesHearing(connectionLost))
})
afterAll(() => services.close())
beforeEach(async () => {
  await services.db.system.deleteFrom('seller_claim').execute()
  const ctx = await callerOf(services, await addAccount(services))
  const { connectionId, profiles } = await connectAds(ctx, 'seller@sandbox.test')
  connection = { accountId: ctx.actor.accountId, merchantId: profiles[0]?.merchantId ?? 0, connectionId }
  sandbox.world.journal.clear()
})

const renewals = () => sandbox.world.journal.list({ vendor: 'lwa', path: '/lwa/auth/o2/token' }).length
const row = () =>
  services.db.system.selectFrom('connection').selectAll().where('id', '=', connection.connectionId).executeTakeFirst()
const ask = (from: Services = services, refused?: string, owner = connection) =>
  accessToken(from, () => from.integrations.loginWithAmazon, { ...owner, refused })
/** Four minutes are left of the token. */
function age() {
  return services.db.system
    .updateTable('connection')
    .set({ access_token_expires_at: new Date(Date.now() + 4 * 60_000) })
    .where('merchant_id', '=', connection.merchantId)
    .execute()
}

describe('stored tokens', () => {
  test('are nowhere in the row as they came', async () => {
    const stored = await row()
    expect(JSON.stringify(stored)).not.toMatch(/Atz[ar]/)
    expect(await ask()).toMatch(/^Atza\|/)
  })

  test('copied into another row do not open there', async () => {
    const other = { ...connection, ctx: await callerOf(services, connection.accountId) }
    const mine = await row()
    await services.db.system.deleteFrom('seller_claim').execute()
    const thief = await callerOf(services, await addAccount(services))
    const stolen = await connectAds(thief, 'seller@sandbox.test')
    const merchantId = stolen.profiles[0]?.merchantId ?? 0
    await services.db.tenant(merchantId, tx =>
      tx
        .updateTable('connection')
        .set({ access_token_sealed: mine?.access_token_sealed ?? null })
        .where('merchant_id', '=', merchantId)
        .execute(),
    )
    await expect(ask(services, undefined, { ...stolen, accountId: 0, merchantId })).rejects.toThrow()
    expect(other.merchantId).not.toBe(merchantId)
  })

  test('of a disconnected merchant are gone', async () => {
    await disconnectMerchant(await callerOf(services, connection.accountId), connection.merchantId)
    expect(await row()).toMatchObject({ health: 'DISCONNECTED', refresh_token_sealed: null, access_token_sealed: null })
    await expect(ask()).rejects.toMatchObject({ code: 'UPSTREAM_UNAUTHORIZED' })
    expect(renewals()).toBe(0)
  })
})

describe('an access token', () => {
  test('is not renewed while it has more than five minutes', async () => {
    await ask()
    await ask()
    expect(renewals()).toBe(0)
  })

  test('near its end is renewed once for twenty who ask at once', async () => {
    const before = await ask()
    await age()
    const issued = await Promise.all(Array.from({ length: 20 }, () => ask()))
    expect(new Set(issued).size).toBe(1)
    expect(issued[0]).not.toBe(before)
    expect(renewals()).toBe(1)
  })

  test('is renewed once for two processes that ask at once', async () => {
    // Another handle on the same database is what another process has: it shares no memory with this one.
    const elsewhere: Services = { ...services, db: { ...services.db } }
    await age()
    const issued = await Promise.all([ask(), ask(elsewhere), ask(), ask(elsewhere)])
    expect(new Set(issued).size).toBe(1)
    expect(renewals()).toBe(1)
  })

  test('that was refused is renewed once, however many saw the refusal', async () => {
    const refused = await ask()
    const issued = await Promise.all(Array.from({ length: 20 }, () => ask(services, refused)))
    expect(new Set(issued).size).toBe(1)
    expect(issued[0]).not.toBe(refused)
    // A later report of the same rejection gets the same token.
    expect(await ask(services, refused)).toBe(issued[0])
    expect(renewals()).toBe(1)
  })

  test('of a renewal that took too long does not replace the one that another process stored meanwhile', async () => {
    const before = await ask()
    await age()
    const refresh = async () => {
      // The other process has taken over, stored its token and given the lease back.
      await services.db.system
        .updateTable('connection')
        .set({ renewing_until: null, access_token_expires_at: new Date(Date.now() + 3_600_000) })
        .where('merchant_id', '=', connection.merchantId)
        .execute()
      return { accessToken: 'late', refreshToken: 'late', expiresAt: new Date(Date.now() + 3_600_000) }
    }
    expect(await accessToken(services, () => ({ refresh }), connection)).toBe(before)
    expect(await ask()).toBe(before)
  })

  test('is found by the number of the connection alone', async () => {
    const logins = {
      AMAZON_ADS: services.integrations.loginWithAmazon,
      SELLING_PARTNER: services.integrations.loginWithAmazonSellers,
    }
    expect(await createConnectionTokens(services, logins)(connection.connectionId)).toBe(await ask())
    await expect(createConnectionTokens(services, logins)(987_654)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of someone else’s merchant is not given', async () => {
    const foreign = ask(services, undefined, { ...connection, merchantId: connection.merchantId + 1 })
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a revoked permission', () => {
  test('marks the connection as lost, tells it once, deletes nothing and asks no more', async () => {
    for (const grant of sandbox.world.lwa.grants()) if (grant.refreshToken) sandbox.world.lwa.revoke(grant.refreshToken)
    heard.length = 0
    const published: unknown[] = []
    const silence = services.events.subscribe(connection.accountId, event => published.push(event))
    await age()
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => ask()))
    expect(outcomes.every(a => a.status === 'rejected' && a.reason.code === 'UPSTREAM_UNAUTHORIZED')).toBe(true)
    await expect(ask()).rejects.toMatchObject({ code: 'UPSTREAM_UNAUTHORIZED' })
    expect(renewals()).toBe(1)
    const merchant = await getMerchant(await callerOf(services, connection.accountId), connection.merchantId)
    expect(merchant.connections).toMatchObject([{ health: 'LOST', lostAt: expect.any(String) }])
    expect(merchant.profiles).toHaveLength(2)
    await expect.poll(() => heard).toMatchObject([{ connectionId: connection.connectionId }])
    const { merchantId, connectionId } = connection
    const lost = { type: 'connection-lost', data: { merchantId, connectionId, kind: 'AMAZON_ADS' } }
    await expect.poll(() => published).toEqual([lost])
    silence()
  })

  test('differs from a marketplace that does not answer', async () => {
    const fault = { match: { vendor: 'lwa' }, kind: 'status', status: 503, times: 10 } as const
    sandbox.world.faults.add(fault)
    await age()
    await expect(ask()).rejects.not.toMatchObject({ code: 'UPSTREAM_UNAUTHORIZED' })
    sandbox.world.faults.clear()
    expect(await ask()).toMatch(/^Atza\|/)
  })
})
