import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Example, publishedExamples } from '#sandbox/selling-partner/published/published-examples.ts'
import { describedBy, emulated, modelsFolder, unlessAbsent } from './models.ts'
import { openSellingPartner, type SellingPartnerWorld } from './selling-partner-world.ts'

const US = 'ATVPDKIKX0DER'
const OWNER = ['published@sandbox.test', 'A0PUBLISHEDEX1'] as const

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
beforeEach(() => sp.world.clock.advance(3_600_000))
afterAll(() => sp.close())

function valuesOf({ parameters }: Example): [string, unknown][] {
  return Object.entries(parameters).flatMap(([name, { value }]): [string, unknown][] =>
    value === undefined ? [] : [[name, value]],
  )
}

/** The address that an example's parameters make; null when one of the path's is empty, for then there is none. */
function addressOf(example: Example): string | null {
  const values = new Map(valuesOf(example))
  const { path } = describedBy(example.operationId)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name) ?? 'any'
    return encodeURIComponent(typeof value === 'string' ? value : 'any')
  })
  const query = [...values]
    .filter(([name]) => name !== 'body' && !path.includes(`{${name}}`))
    .map(([name, value]): [string, string] => [name, [value].flat().join(',')])
  return filled.includes('//') || filled.endsWith('/') ? null : `/sp/na${filled}?${new URLSearchParams(query)}`
}

describe.skipIf(!modelsFolder)(`the account of the published examples${unlessAbsent}`, () => {
  const examples = (publishedExamples() ?? []).filter(({ operationId }) => emulated.includes(operationId))
  /** The same question with two answers can only be asked for one of them. */
  const isTwin = (example: Example): boolean =>
    examples.some(
      other =>
        other !== example &&
        other.operationId === example.operationId &&
        other.status < example.status &&
        isDeepStrictEqual(valuesOf(other), valuesOf(example)),
    )

  test('each published request gets its published answer, unchanged', async () => {
    const called: string[] = []
    for (const example of examples) {
      const { operationId, response = null, status } = example
      const url = addressOf(example)
      if (url === null || isTwin(example)) continue
      // Long enough for the slowest plan with a burst of one.
      sp.world.clock.advance(31_000)
      const body = new Map(valuesOf(example)).get('body')
      const answer = await sp.call(describedBy(operationId).method, url, sp.tokenFor(...OWNER), body)
      expect({ operationId, url, status: answer.status, body: answer.body }).toEqual({
        operationId,
        url,
        status,
        body: response,
      })
      called.push(operationId)
    }
    expect(called.length).toBeGreaterThan(60)
    const silent = emulated.filter(operationId => !called.includes(operationId))
    // Stock has no example: it lives in the vendor's dynamic sandbox.
    expect(silent).toEqual(['getInventorySummaries'])
  })

  test('a usual import finds what they hold, and no request goes round in circles', async () => {
    const token = sp.tokenFor(...OWNER)
    const listings = `/sp/na/listings/2021-08-01/items/A0PUBLISHEDEX1?marketplaceIds=${US}&includedData=summaries,offers&pageSize=20`
    const first = await sp.call('GET', listings, token)
    const published = examples.find(
      ({ operationId, status }) => operationId === 'searchListingsItems' && status === 200,
    )
    expect(first.body).toEqual(published?.response)
    const { nextToken } = (first.body as { pagination: { nextToken: string } }).pagination
    const second = await sp.call('GET', `${listings}&pageToken=${nextToken}`, token)
    expect(second.body).toEqual({ numberOfResults: 3, items: [] })
    const stock = await sp.call(
      'GET',
      `/sp/na/fba/inventory/v1/summaries?granularityType=Marketplace&granularityId=${US}&marketplaceIds=${US}`,
      token,
    )
    expect(stock.body).toMatchObject({ payload: { inventorySummaries: [] } })
    const report = await sp.call('POST', '/sp/na/reports/2021-06-30/reports', token, {
      reportType: 'GET_MERCHANT_LISTINGS_ALL_DATA',
      marketplaceIds: [US],
    })
    expect(report).toMatchObject({ status: 202, body: { reportId: 'ID323' } })
    const unknown = await sp.call('POST', '/sp/na/reports/2021-06-30/reports', token, {
      reportType: 'GET_SALES_AND_TRAFFIC_REPORT',
      marketplaceIds: [US],
    })
    expect(unknown).toMatchObject({ status: 400, body: { errors: [{ message: 'Could not match input arguments' }] } })
  })
})
