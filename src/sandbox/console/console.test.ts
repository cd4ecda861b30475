import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enterConsole } from '../../../tests/support/ads-world.ts'
import { type Sandbox, startSandbox } from '../start-sandbox.ts'
import { histories } from '../../../tests/support/processes.ts'

let sandbox: Sandbox
let cookie = ''
const now = new Date('2026-11-21T11:30:00Z')
const uk = '2300000000000011'

beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'hostile', clock: { now: () => now }, histories })
  cookie = await enterConsole(sandbox)
})
afterAll(() => sandbox.close())

/** A browser with the console's cookie. */
const browse = (path: string): Promise<Response> => fetch(sandbox.url + path, { headers: { cookie } })
const read = async (path: string): Promise<string> => (await browse(path)).text()
function send(path: string, fields: Record<string, string>): Promise<Response> {
  return fetch(sandbox.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body: new URLSearchParams(fields),
  })
}

const count = (page: string, testId: string): number => page.split(`data-testid="${testId}"`).length - 1
const first = () => [...sandbox.world.store.campaigns.values()][0] ?? expect.unreachable()

describe('a page of the console', () => {
  test('a page shows a hundred of ten thousand rows, says so, and links to the last page', async () => {
    const path = `/console/campaigns/${first().campaignId}`
    const page = await read(path)
    expect(count(page, 'negative-keyword')).toBe(100)
    expect(page).toMatch(/Shown: 1 to 100 of 1000[12]</)
    expect(page).toContain(`href="${path}?negatives=101#negatives"`)
    expect(count(await read(`${path}?negatives=101`), 'negative-keyword')).toBeLessThan(3)
  })

  test('a search finds campaigns by part of their name, and a name never becomes markup', async () => {
    const page = await read(`/console/profiles/${uk}?search=${encodeURIComponent('<script>')}`)
    expect(count(page, 'campaign')).toBe(1)
    expect(page).not.toContain('<script>')
    expect(page).toContain('value="&lt;script&gt;"')
  })

  test('a page loads nothing from other hosts and runs no script', async () => {
    const response = await browse('/')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await response.text()).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
  })

  test('each control has a name for screen readers', async () => {
    const page = await read(`/console/profiles/${uk}`)
    expect(page).toContain('aria-label="Pause null"')
    const fields = page.match(/<input(?![^>]*type="hidden")[^>]*>/g) ?? []
    for (const field of fields) expect(field).toMatch(/aria-label=|id="search"/)
  })
})

describe('what a person changes', () => {
  test('changing budget, state, name or clock returns to the page of the form', async () => {
    const { campaignId } = first()
    const back = `/console/profiles/${uk}?days=30`
    const change = { entity: 'campaign', id: campaignId, back }
    const answer = await send('/console/change', { ...change, action: 'budget', value: '33.50' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, back])
    await send('/console/change', { ...change, action: 'rename', value: 'Renamed behind your back' })
    await send('/console/change', { ...change, action: 'pause' })
    expect(first()).toMatchObject({ budgetMicros: 33_500_000, name: 'Renamed behind your back', state: 'PAUSED' })
    const away = await send('/console/clock', { advance: 'PT1H', back: '//elsewhere.test' })
    expect(away.headers.get('location')).toBe('/')
    expect(await read('/')).toContain('2026-11-21 12:30:00 UTC')
  })

  test('faults are set, shown and cleared, and rejected where a kind is not available for the vendor', async () => {
    expect((await send('/console/faults', { kind: 'partial', vendor: 'lwa', times: '1' })).status).toBe(400)
    await send('/console/faults', { kind: 'throttle', vendor: 'ads', path: '/v2/profiles', times: '2' })
    expect(count(await read('/console/faults'), 'fault')).toBe(1)
    expect((await fetch(`${sandbox.url}/ads/eu/v2/profiles`)).status).toBe(429)
    const requests = await read('/console/requests?vendor=ads')
    expect(requests).toContain('GET /ads/eu/v2/profiles')
    expect(requests).toContain('data-testid="status">429')
    await send('/console/faults', { clear: 'yes' })
    expect(count(await read('/console/faults'), 'fault')).toBe(0)
  })

  test('a button next to a person’s name removes a seller’s account from them', async () => {
    const page = await read('/')
    expect(page).toContain('value="invite-away"')
    const sellerId = sandbox.world.store.logins[0]?.sellerIds[0] ?? ''
    await send('/console/change', {
      entity: 'login',
      id: 'hostile@sandbox.test',
      action: 'invite-away',
      value: sellerId,
      back: '/',
    })
    expect(sandbox.world.store.logins[0]?.sellerIds).toEqual([])
  })
})

describe('campaigns of the other ad products', () => {
  test('campaigns of the other ad products show figures, groups and targets, and can be changed', async () => {
    sandbox.world.reset('demo')
    const brand = [...sandbox.world.store.brandCampaigns.values()][0] ?? expect.unreachable()
    const list = await read(`/console/profiles/${brand.profileId}?product=brands`)
    expect(count(list, 'campaign')).toBe(2)
    const page = await read(`/console/campaigns/${brand.campaignId}`)
    expect(count(page, 'keyword')).toBeGreaterThan(3)
    expect(page).toContain('PRODUCT_COLLECTION')
    await send('/console/change', { entity: 'brandCampaign', id: brand.campaignId, action: 'pause', back: '/' })
    expect(sandbox.world.store.brandCampaigns.get(brand.campaignId)?.state).toBe('PAUSED')
    const display = [...sandbox.world.store.displayCampaigns.values()][0] ?? expect.unreachable()
    expect(await read(`/console/campaigns/${display.campaignId}`)).toContain('similarProduct')
  })
})
