import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describedBy, emulated, modelsFolder, unlessAbsent } from './models.ts'
import { openSellingPartner, type SellingPartnerWorld } from './selling-partner-world.ts'

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
afterAll(() => sp.close())

describe.skipIf(!modelsFolder)(`usage plans${unlessAbsent}`, () => {
  const ask = (operationId: string, token: string, host = '/sp/na') => {
    const { method, path } = describedBy(operationId)
    return sp.call(method, host + path.replaceAll(/\{\w+\}/g, 'none'), token, method === 'GET' ? undefined : {})
  }

  test.each(emulated)('%s answers its published burst and no more, then at its published rate', async operationId => {
    const token = sp.tokenFor('agency@sandbox.test', 'A1HARBORLANEUS')
    const { plan } = describedBy(operationId)
    if (!plan) throw new Error(`${operationId} has no usage plan in its description`)
    for (let i = 0; i < plan.burst; i++) {
      const answer = await ask(operationId, token)
      expect(answer.status).not.toBe(429)
      expect(Number(answer.headers['x-amzn-ratelimit-limit'])).toBe(plan.rate)
    }
    const refused = await ask(operationId, token)
    expect(refused.status).toBe(429)
    expect(refused.headers).not.toHaveProperty('x-amzn-ratelimit-limit')
    expect(refused.body).toEqual({
      errors: [{ code: 'QuotaExceeded', message: 'You exceeded your quota for the requested resource.', details: '' }],
    })
    sp.world.clock.advance(Math.ceil(1000 / plan.rate) - 100)
    expect((await ask(operationId, token)).status).toBe(429)
    sp.world.clock.advance(100)
    expect((await ask(operationId, token)).status).not.toBe(429)
  })

  test('one seller’s calls take nothing from another’s, nor one operation’s from another', async () => {
    const operationId = 'getInventorySummaries'
    const tokens = [
      sp.tokenFor('agency@sandbox.test', 'A1HARBORLANEUS'),
      sp.tokenFor('seller@sandbox.test', 'A4DRIFTWOODUSX'),
    ] as const
    sp.world.clock.advance(60_000)
    for (let i = 0; i < 3; i++) await ask(operationId, tokens[0])
    expect((await ask(operationId, tokens[0])).status).toBe(429)
    expect((await ask(operationId, tokens[1])).status).not.toBe(429)
    expect((await ask('searchListingsItems', tokens[0])).status).not.toBe(429)
  })

  test('a control call lets buckets refill faster, which answers say, and a reset takes it back', async () => {
    const token = sp.tokenFor('agency@sandbox.test', 'A1HARBORLANEUS')
    const allow = (body: object, control = sp.world.config.controlToken) =>
      sp.app.inject({
        method: 'POST',
        url: '/control/usage-plans',
        headers: { authorization: `Bearer ${control}` },
        payload: body,
      })
    expect((await allow({ rate: 2 }, 'none')).statusCode).toBe(401)
    expect((await allow({ rate: 0 })).statusCode).toBe(400)
    expect((await allow({ rate: 2 })).statusCode).toBe(200)
    const burst = describedBy('createReport').plan?.burst ?? 0
    const allowed = async (by: string) => {
      let calls = 0
      while ((await ask('createReport', by)).status !== 429) calls++
      return calls
    }
    expect(Number((await ask('createReport', token)).headers['x-amzn-ratelimit-limit'])).toBe(2)
    expect(await allowed(token)).toBe(burst - 1)
    sp.world.clock.advance(3000)
    expect(await allowed(token)).toBe(6)
    sp.world.reset('demo')
    const again = sp.tokenFor('agency@sandbox.test', 'A1HARBORLANEUS')
    expect(await allowed(again)).toBe(burst)
    sp.world.clock.advance(3000)
    expect(await allowed(again)).toBe(0)
  })
})
