import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { at, openSellingPartner, type SellingPartnerWorld, textAt } from './selling-partner-world.ts'

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
beforeEach(() => sp.world.clock.advance(3_600_000))
afterAll(() => sp.close())

const client = { client_id: 'amzn1.application-oa2-client.contract', client_secret: 'secret' }
const agency = (sellerId = 'A1HARBORLANEUS'): string => sp.tokenFor('agency@sandbox.test', sellerId)
const participations = '/sellers/v1/marketplaceParticipations'

describe('tokens', () => {
  test('open the region of their seller and no other', async () => {
    const token = agency('A2NORDHAFENDE1')
    expect((await sp.call('GET', `/sp/eu${participations}`, token)).status).toBe(200)
    expect((await sp.call('GET', `/sp/na${participations}`, token)).status).toBe(403)
  })

  test('for themselves alone are given for known scopes only, and open no seller', async () => {
    const form = { ...client, grant_type: 'client_credentials' }
    const own = sp.world.lwa.token({ ...form, scope: 'sellingpartnerapi::notifications' })
    expect((await sp.call('GET', `/sp/na${participations}`, own.ok ? own.reply.access_token : '')).status).toBe(403)
    expect(sp.world.lwa.token({ ...form, scope: 'sellingpartnerapi' })).toMatchObject({
      ok: false,
      failure: { status: 400, error: 'invalid_scope' },
    })
  })

  test('that are restricted open what they were made for, name buyers there, and nothing else', async () => {
    const path = '/orders/2026-01-01/orders/{orderId}'
    const tokenAnswer = await sp.call('POST', '/sp/na/tokens/2021-03-01/restrictedDataToken', agency(), {
      restrictedResources: [{ method: 'GET', path }],
    })
    const restricted = textAt(tokenAnswer.body, 'restrictedDataToken')
    const window = 'createdAfter=2026-11-20T00:00:00Z&includedData=BUYER'
    const found = await sp.call('GET', `/sp/na/orders/2026-01-01/orders?${window}`, agency())
    const orderId = textAt(found.body, 'orders', 0, 'orderId')
    expect(at(found.body, 'orders', 0, 'buyer')).not.toHaveProperty('buyerName')
    const one = await sp.call('GET', `/sp/na/orders/2026-01-01/orders/${orderId}?includedData=BUYER`, restricted)
    expect(textAt(one.body, 'order', 'buyer', 'buyerName')).toContain(' ')
    expect((await sp.call('GET', `/sp/na/orders/2026-01-01/orders?${window}`, restricted)).status).toBe(403)
    expect((await sp.call('GET', `/sp/na${participations}`, restricted)).status).toBe(403)
  })

  test('that are dead are named in the details of the 403, whose message is that of every 403', async () => {
    const ask = async (token: string): Promise<unknown> => (await sp.call('GET', `/sp/na${participations}`, token)).body
    const denied = (details: string): object => ({
      errors: [{ code: 'Unauthorized', message: 'Access to requested resource is denied.', details }],
    })
    const [token, taken] = [agency(), agency()]
    sp.world.clock.advance(3_600_000)
    expect(await ask(token)).toEqual(denied('The access token you provided has expired.'))
    sp.world.lwa.revoke(taken)
    expect(await ask(taken)).toEqual(denied('The access token you provided is revoked, malformed or invalid.'))
    expect(await ask('Atza|nobody')).toEqual(denied('The access token you provided is revoked, malformed or invalid.'))
    expect(await ask('')).toEqual(denied('Access token is missing in the request header.'))
    // A living token without the right names no token.
    expect(await ask(agency('A2NORDHAFENDE1'))).toEqual(denied(''))
  })

  test.each([
    ['expired-token', 'The access token you provided has expired.'],
    ['revoked-grant', 'The access token you provided is revoked, malformed or invalid.'],
  ] as const)('refused by a fault %s are refused in the same form', async (kind, details) => {
    sp.world.faults.add({ match: { vendor: 'sp' }, kind })
    const { status, body } = await sp.call('GET', `/sp/na${participations}`, agency())
    const message = 'Access to requested resource is denied.'
    expect([status, body]).toEqual([403, { errors: [{ code: 'Unauthorized', message, details }] }])
  })

  test('of advertising open nothing here', async () => {
    const code = sp.world.lwa.issueCode({
      login: 'agency@sandbox.test',
      scope: 'advertising::campaign_management',
      redirectUri: null,
      clientId: client.client_id,
    })
    const answer = sp.world.lwa.token({ grant_type: 'authorization_code', code, ...client })
    expect((await sp.call('GET', `/sp/na${participations}`, answer.ok ? answer.reply.access_token : '')).status).toBe(
      403,
    )
  })
})
