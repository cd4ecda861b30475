import { parse } from 'csv-parse/sync'
import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#server/context.ts'
import { buildServer } from '#server/http/build-server.ts'
import { addTestCampaign, testRange } from '../../../../../tests/support/campaign-account.ts'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { campaignsRoutes } from '../routes.ts'

const scene = editScene()
const run = `=HYPERLINK("http://bad.test","Prize")`
const hostile = [run, '+1', '-1', '@SUM(A1)', '\tTab', 'Line\nbreak, "quoted"', '=1+1 🌊 ميناء']
let app: Awaited<ReturnType<typeof buildServer>>
let actor: Actor

beforeAll(async () => {
  const { services, account } = scene
  for (const [i, name] of hostile.entries())
    await addTestCampaign(services, account, {
      name,
      day: [1000, 50, 20 + i, 100, 5],
      days: ['2026-03-10'],
      budget: 30,
    })
  await scene.added('Quiet')
  // More than is read at once.
  await sql`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state, bid_micros)
    select t.merchant_id, t.profile_id, t.campaign_id, t.ad_group_id, 'many' || n, 'KEYWORD', 'item ' || n, 'EXACT', 'ENABLED', 500000 + n
    from (select * from target order by id limit 1) t, generate_series(1, 2500) n`.execute(services.db.system)
  await sql`insert into keyword_text select merchant_id, profile_id, text_lower from target where text like 'item %'`.execute(
    services.db.system,
  )
  await sql`insert into negative (merchant_id, profile_id, campaign_id, amazon_id, kind, text, match_type, state)
    select merchant_id, profile_id, id, 'n' || id, 'KEYWORD', '=cmd|' || id, 'NEGATIVE_EXACT', 'ENABLED' from campaign`.execute(
    services.db.system,
  )
  actor = (await scene.caller()).actor
  const stranger = (await scene.stranger()).actor
  app = await buildServer({
    services,
    checkResponses: true,
    version: '1',
    routes: campaignsRoutes,
    authenticate: async token => ({ own: actor, stranger })[token] ?? null,
  })
})
afterAll(() => app.close())

const fetched = (path: string, query: object, token = 'own') =>
  app.inject({
    url: `/api${path}?${new URLSearchParams({ ...query } as Record<string, string>).toString()}`,
    headers: { authorization: `Bearer ${token}` },
  })
const csv = async (path: string, query: object, token?: string): Promise<string[][]> =>
  parse((await fetched(path, { format: 'csv', ...query }, token)).rawPayload, { bom: true })

test('campaigns as CSV are the rows of the screen in its order, and no cell is a formula', async () => {
  const answer = await fetched('/campaign/cm/export', { ...testRange, format: 'csv', sortBy: 'cost', sortDir: 'asc' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="tideline-campaigns-us-2026-03-01-to-2026-03-30.csv"',
    'cache-control': 'no-store',
  })
  const [heads = [], ...rows] = parse(answer.rawPayload, { bom: true }) as string[][]
  expect(heads.slice(0, 5)).toEqual(['Marketplace id', 'Campaign name', 'Ad type', 'Targeting', 'Daily budget (USD)'])
  expect(heads).toContain('ACOS (%)')
  const at = (label: string) => heads.indexOf(label)
  expect(rows.map(row => row[at('Campaign name')])).toEqual([
    'Quiet',
    ...hostile.map(name => (/^[=+\-@\t]/.test(name) ? `'${name}` : name)),
  ])
  expect(rows.map(row => row[at('Ad spend (USD)')])).toEqual(['0', ...hostile.map((_, i) => String(20 + i))])
  expect(rows[1]?.[at('ACOS (%)')]).toBe('20')
  expect(rows[0]?.[at('ACOS (%)')]).toBe('')
})

test('the same as XLSX: numbers are numbers and texts are texts, under a heading that stays', async () => {
  const answer = await fetched('/campaign/cm/export', {
    ...testRange,
    format: 'xlsx',
    columns: 'name,cost,acos,placements',
    sortDir: 'asc',
  })
  expect(answer.headers['content-type']).toMatch(/spreadsheetml/)
  const { sheets } = await readXlsx(new Uint8Array(answer.rawPayload))
  expect(sheets[0]?.name).toBe('campaigns')
  const [heads, quiet, first] = sheets[0]?.rows ?? []
  expect(heads).toEqual(['Campaign name', 'Ad spend (USD)', 'ACOS (%)', 'Placements'])
  expect(quiet?.slice(0, 2)).toEqual(['Quiet', 0])
  expect(first).toEqual([run, 20, 20, 'TOP_OF_SEARCH 30'])
})

test('keywords of several reads come once each, in order', async () => {
  const rows = await csv('/keywords/cm/export', {
    columns: 'text,bid',
    keywordText: 'item',
    sortBy: 'bid',
    sortDir: 'asc',
  })
  expect(rows[0]).toEqual(['Text', 'Bid (USD)'])
  expect(rows.slice(1).map(([text]) => text)).toEqual(Array.from({ length: 2500 }, (_, i) => `item ${i + 1}`))
})

test('negatives have no figures, and the other lists have theirs', async () => {
  const [heads, first] = await csv('/negatives/cm/export', {})
  expect(heads).toEqual(expect.arrayContaining(['Text', 'Match type', 'State']))
  expect(heads).not.toContain('Ad spend (USD)')
  expect(first?.[heads?.indexOf('Text') ?? 0]).toMatch(/^'=cmd\|/)
  for (const path of ['/adgroups/cm/export', '/ads/cm/export']) {
    const rows = await csv(path, { ...testRange, columns: 'amazonId,cost', sortBy: 'cost' })
    expect(
      rows.slice(1).map(([, cost]) => Number(cost)),
      path,
    ).toEqual([26, 25, 24, 23, 22, 21, 20, 0])
  }
  expect(await csv('/targets/cm/export', { columns: 'text' })).toEqual([['Text']])
})

test('what is wrong is said before a byte is sent, and another tenant gets rows of its own alone', async () => {
  for (const query of [
    { format: 'pdf' },
    {},
    { format: 'csv', columns: 'name,password' },
    { format: 'csv', page: '1' },
    { format: 'csv', dateFrom: '2026-03-02', dateTo: '2026-03-01' },
  ]) {
    const answer = await fetched('/campaign/cm/export', query)
    expect([answer.statusCode, answer.json().errorCode], JSON.stringify(query)).toEqual([400, 'VALIDATION_FAILED'])
  }
  expect((await csv('/campaign/cm/export', { columns: 'name' }, 'stranger')).slice(1)).toEqual([])
  expect((await fetched('/campaign/cm/export', { format: 'csv' }, 'nobody')).statusCode).toBe(401)
})

test('a database that fails in the middle cuts the file off, so that nobody takes it for the whole', async () => {
  const { db } = scene.services
  const reading = db.reading.bind(db)
  let reads = 0
  db.reading = (async (...of: Parameters<typeof reading>) => {
    reads += 1
    if (reads > 2) throw new Error('the line is gone')
    return reading(...of)
  }) as typeof reading
  try {
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = await fetch(`${address}/api/keywords/cm/export?format=csv`, {
      headers: { authorization: 'Bearer own' },
    })
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow(/terminated/)
  } finally {
    db.reading = reading
  }
})
