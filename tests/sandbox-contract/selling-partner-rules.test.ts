import { gunzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSellingPartner, type SellingPartnerWorld } from './selling-partner-world.ts'

const US = 'ATVPDKIKX0DER'
const APP = 'amzn1.sellerapps.app.contract'
const CONSENT = '/sellercentral/apps/authorize/consent'

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
beforeEach(() => sp.world.clock.advance(3_600_000))
afterAll(() => sp.close())

const agency = (sellerId = 'A1HARBORLANEUS'): string => sp.tokenFor('agency@sandbox.test', sellerId)

describe('pages', () => {
  test('inventory and listings are read to the end by their tokens, each thing once', async () => {
    const token = sp.tokenFor('seller@sandbox.test', 'A4DRIFTWOODUSX')
    const skus: string[] = []
    let next: string | undefined
    do {
      sp.world.clock.advance(10_000)
      const url = `/sp/na/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=${US}&marketplaceIds=${US}${next ? `&nextToken=${next}` : ''}`
      const { body } = (await sp.call('GET', url, token)) as {
        body: { payload: { inventorySummaries: { sellerSku: string }[] }; pagination?: { nextToken: string } }
      }
      skus.push(...body.payload.inventorySummaries.map(summary => summary.sellerSku))
      next = body.pagination?.nextToken
    } while (next)
    expect(skus).toHaveLength(60)
    expect(new Set(skus).size).toBe(60)
    const listed: string[] = []
    do {
      sp.world.clock.advance(10_000)
      const url = `/sp/na/listings/2021-08-01/items/A4DRIFTWOODUSX?marketplaceIds=${US}&pageSize=20${next ? `&pageToken=${next}` : ''}`
      const { body } = (await sp.call('GET', url, token)) as {
        body: { items: { sku: string }[]; pagination: { nextToken?: string } }
      }
      listed.push(...body.items.map(item => item.sku))
      next = body.pagination.nextToken
    } while (next)
    expect(listed).toEqual(skus)
  })

  test('a made-up token and a foreign seller are refused', async () => {
    const token = agency()
    expect(
      (
        await sp.call(
          'GET',
          `/sp/na/listings/2021-08-01/items/A1HARBORLANEUS?marketplaceIds=${US}&pageToken=xyz`,
          token,
        )
      ).status,
    ).toBe(400)
    expect(
      (await sp.call('GET', `/sp/na/listings/2021-08-01/items/A4DRIFTWOODUSX?marketplaceIds=${US}`, token)).status,
    ).toBe(400)
    expect(
      (await sp.call('GET', '/sp/na/listings/2021-08-01/items/A1HARBORLANEUS?marketplaceIds=A1PA6795UKMFR9', token))
        .status,
    ).toBe(400)
    expect(
      (await sp.call('GET', `/sp/na/listings/2021-08-01/items/A1HARBORLANEUS/nope?marketplaceIds=${US}`, token)).status,
    ).toBe(404)
  })
})

describe('report files', () => {
  const fileOf = async (
    host: string,
    sellerId: string,
    marketplaceId: string,
    reportType: string,
  ): Promise<{ url: string; gzip: boolean }> => {
    const token = agency(sellerId)
    const created = await sp.call('POST', `${host}/reports/2021-06-30/reports`, token, {
      reportType,
      marketplaceIds: [marketplaceId],
    })
    sp.world.clock.advance(5000)
    const { reportId } = created.body as { reportId: string }
    const report = await sp.call('GET', `${host}/reports/2021-06-30/reports/${reportId}`, token)
    const { reportDocumentId } = report.body as { reportDocumentId: string }
    const { body } = await sp.call('GET', `${host}/reports/2021-06-30/documents/${reportDocumentId}`, token)
    const document = body as { url: string; compressionAlgorithm?: string }
    return { url: document.url.replace('http://sandbox.test', ''), gzip: document.compressionAlgorithm === 'GZIP' }
  }

  test.each([
    ['/sp/na', 'A1HARBORLANEUS', US, 'utf8', false, 'item-name'],
    ['/sp/eu', 'A2NORDHAFENDE1', 'A1PA6795UKMFR9', 'windows-1252', true, 'Artikelbezeichnung'],
    ['/sp/fe', 'A3MINATOSHOJI1', 'A1VC38T7YXB528', 'Shift_JIS', false, '商品名'],
  ])(
    '%s: listings and stock of %s in the region’s own letters, listings under headers of its language',
    async (host, sellerId, marketplaceId, charset, gzip, title) => {
      for (const [type, column] of [
        ['GET_MERCHANT_LISTINGS_ALL_DATA', title],
        ['GET_FBA_MYI_UNSUPPRESSED_INVENTORY_DATA', 'product-name'],
      ] as const) {
        const file = await fileOf(host, sellerId, marketplaceId, type)
        expect(file.gzip).toBe(gzip)
        const { rawPayload } = await sp.app.inject(file.url)
        const text = iconv.decode(gzip ? gunzipSync(rawPayload) : rawPayload, charset)
        const [header = [], ...rows] = text
          .trimEnd()
          .split('\r\n')
          .map(line => line.split('\t'))
        const titles = rows.map(row => row[header.indexOf(column)])
        const books = [...sp.world.store.products.values()].filter(
          one => one.sellerId === sellerId && one.marketplaceId === marketplaceId,
        )
        expect(titles).toEqual(books.map(product => product.title))
        expect(new Set(rows.map(row => row.length))).toEqual(new Set([header.length]))
      }
    },
  )

  test('an address is good for five minutes, for nobody who changed it, and not with a token besides', async () => {
    const { url } = await fileOf('/sp/na', 'A1HARBORLANEUS', US, 'GET_MERCHANT_LISTINGS_ALL_DATA')
    expect((await sp.app.inject({ url, headers: { authorization: 'Bearer x' } })).statusCode).toBe(400)
    expect((await sp.app.inject(url.replace('Signature=', 'Signature=0'))).statusCode).toBe(403)
    expect((await sp.app.inject(url)).statusCode).toBe(200)
    sp.world.clock.advance(5 * 60_000 + 1)
    expect((await sp.app.inject(url)).statusCode).toBe(403)
  })

  test('a stuck report waits for ever, a failed one ends as FATAL', async () => {
    for (const [kind, status] of [
      ['report-stuck', 'IN_QUEUE'],
      ['report-failed', 'FATAL'],
    ] as const) {
      const token = agency()
      sp.world.faults.add({ match: { vendor: 'sp', method: 'POST', path: '*/reports' }, kind })
      const created = await sp.call('POST', '/sp/na/reports/2021-06-30/reports', token, {
        reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
        marketplaceIds: [US],
      })
      sp.world.clock.advance(60_000)
      const report = await sp.call(
        'GET',
        `/sp/na/reports/2021-06-30/reports/${(created.body as { reportId: string }).reportId}`,
        token,
      )
      expect(report.body).toMatchObject({ processingStatus: status })
      expect(report.body).not.toHaveProperty('reportDocumentId')
    }
  })
})

test('a report that waits can be called off, a finished one cannot', async () => {
  const token = agency()
  const order = { reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA', marketplaceIds: [US] }
  const { reportId } = (await sp.call('POST', '/sp/na/reports/2021-06-30/reports', token, order)).body as {
    reportId: string
  }
  const url = `/sp/na/reports/2021-06-30/reports/${reportId}`
  const cancel = (): Promise<{ statusCode: number; body: string }> =>
    sp.app.inject({ method: 'DELETE', url, headers: { 'x-amz-access-token': token } })
  expect(await cancel()).toMatchObject({ statusCode: 200, body: '' })
  sp.world.clock.advance(60_000)
  expect((await sp.call('GET', url, token)).body).toMatchObject({ processingStatus: 'CANCELLED' })
  expect((await cancel()).statusCode).toBe(400)
})

describe('the consent page', () => {
  const query = { application_id: APP, state: 'a b&c', redirect_uri: 'https://app.test/back?x=1' }
  const ask = (values: Record<string, string>): string => `${CONSENT}?${new URLSearchParams(values)}`
  const answer = async (values: Record<string, string>): Promise<{ status: number; location: URL | null }> => {
    const reply = await sp.app.inject({
      method: 'POST',
      url: CONSENT,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(values).toString(),
    })
    return { status: reply.statusCode, location: reply.headers.location ? new URL(reply.headers.location) : null }
  }

  test('offers every account of every login, and tells nobody where it was', async () => {
    const page = await sp.app.inject(ask(query))
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    for (const { email, sellerIds } of sp.world.store.logins)
      for (const id of sellerIds) expect(page.body).toContain(`value="${email}|${id}"`)
  })

  test('allowing leads back with a code for the one seller, and the state as it came', async () => {
    const { status, location } = await answer({
      ...query,
      account: 'agency@sandbox.test|A3MINATOSHOJI1',
      answer: 'allow',
    })
    expect(status).toBe(302)
    expect(location?.origin + (location?.pathname ?? '')).toBe('https://app.test/back')
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
      x: '1',
      state: 'a b&c',
      selling_partner_id: 'A3MINATOSHOJI1',
      spapi_oauth_code: expect.any(String) as string,
    })
    const token = sp.world.lwa.token({
      grant_type: 'authorization_code',
      code: location?.searchParams.get('spapi_oauth_code') ?? '',
      client_id: 'amzn1.application-oa2-client.contract',
      client_secret: 'secret',
    })
    const access = token.ok ? sp.world.lwa.check(token.reply.access_token) : null
    expect(access?.sellerIds).toEqual(['A3MINATOSHOJI1'])
  })

  test('refusing leads back with access_denied and the state', async () => {
    const { location } = await answer({ ...query, account: 'agency@sandbox.test|A3MINATOSHOJI1', answer: 'refuse' })
    expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({ x: '1', state: 'a b&c', error: 'access_denied' })
  })

  test('an unknown application, a missing address and a foreign account lead nowhere', async () => {
    const unknown = await sp.app.inject(ask({ ...query, application_id: 'amzn1.sellerapps.app.other' }))
    expect([unknown.statusCode, unknown.body.includes('MD5101')]).toEqual([400, true])
    const nowhere = await sp.app.inject(ask({ application_id: APP, state: 's' }))
    expect([nowhere.statusCode, nowhere.body.includes('MD5101')]).toEqual([400, true])
    expect((await sp.app.inject(ask({ ...query, redirect_uri: 'javascript:alert(1)' }))).statusCode).toBe(400)
    expect(await answer({ ...query, account: 'seller@sandbox.test|A3MINATOSHOJI1', answer: 'allow' })).toEqual({
      status: 400,
      location: null,
    })
  })
})

test('a draft of the application is shown with version=beta only, which is carried to the answer', async () => {
  const query = { application_id: `${APP}.draft`, state: 's', redirect_uri: 'https://app.test/back' }
  const plain = await sp.app.inject(`${CONSENT}?${new URLSearchParams(query)}`)
  expect([plain.statusCode, plain.body.includes('MD1000')]).toEqual([400, true])
  const draft = await sp.app.inject(`${CONSENT}?${new URLSearchParams({ ...query, version: 'beta' })}`)
  expect([draft.statusCode, draft.body.includes('name="version" value="beta"')]).toEqual([200, true])
})

test('every product has a picture of its own', async () => {
  const [one, two] = [...sp.world.store.products.values()]
  const pictures = await Promise.all([one, two].map(product => sp.app.inject(product?.imageUrl ?? '')))
  expect(pictures.map(picture => picture.headers['content-type'])).toEqual(['image/svg+xml', 'image/svg+xml'])
  expect(pictures[0]?.body).not.toBe(pictures[1]?.body)
})
