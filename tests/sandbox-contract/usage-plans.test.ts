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
})
