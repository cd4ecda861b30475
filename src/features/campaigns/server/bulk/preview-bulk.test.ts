import { sql } from 'kysely'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { addTestAccount, addTestCampaign } from '../../../../../tests/support/campaign-account.ts'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { bulkPreviewEndpoints } from '../../bulk-contract.ts'
import { previewBulk } from './preview-bulk.ts'

const scene = editScene()
const { added, caller } = scene
const endpoint = bulkPreviewEndpoints.preview
const preview = async (body: object) =>
  v.parse(endpoint.response, await previewBulk(await caller(null), v.parse(endpoint.body, body)))
const raise = { kind: 'AMOUNT', field: 'bid', amount: { kind: 'PERCENT', value: 10, ceiling: 1 } }

test('a preview shows each row before and after, and why one cannot be changed', async () => {
  const [a, b, c] = [await added('Preview a'), await added('Preview b'), await added('Preview c')]
  const system = scene.services.db.system
  await sql`update target set bid_micros = null where id = ${b.keywordId}`.execute(system)
  await sql`update target set state = 'ARCHIVED' where id = ${c.keywordId}`.execute(system)
  const ids = [a.keywordId, b.keywordId, c.keywordId, a.campaignId * 1000 + 7]
  const found = await preview({ entity: 'keyword', ids, change: raise })
  expect(found).toMatchObject({ field: 'bid', page: { totalElements: 3 } })
  expect(found.content.map(({ name, before, after, problem }) => [name, before, after, problem])).toEqual([
    ['Preview a keyword', 0.7, 0.77, null],
    ['Preview b keyword', null, null, 'The bid is not set, so nothing can be added to it'],
    ['Preview c keyword', 0.7, 0.7, 'An archived keyword cannot be changed.'],
  ])
  expect(await preview({ entity: 'target', ids, change: raise })).toMatchObject({ content: [] })
  const paused = await preview({ entity: 'campaign', ids: [a.campaignId], change: { kind: 'STATE', to: 'PAUSED' } })
  expect(paused.content).toMatchObject([{ before: 'ENABLED', after: 'PAUSED', version: 1 }])
  const moved = await preview({ entity: 'campaign', ids: [a.campaignId], change: { kind: 'PORTFOLIO', to: '123' } })
  expect(moved.content).toMatchObject([{ before: null, after: '123', problem: null }])
})

test('a preview of all that match a filter leaves the others out, page by page', async () => {
  for (const name of ['Match one', 'Match two', 'Match three']) await added(name, { budget: 10 })
  await addTestCampaign(scene.services, await addTestAccount(scene.services), { name: 'Match of a stranger' })
  const change = { kind: 'AMOUNT', field: 'budget', amount: { kind: 'BY', value: -9.5 } }
  const page = (page: number) =>
    preview({ entity: 'campaign', filter: { name: 'match', sortBy: 'cost' }, change, page, size: 2 })
  const [first, second] = [await page(0), await page(1)]
  expect([first.page.totalElements, first.content.length, second.content.length]).toEqual([3, 2, 1])
  expect(first.content[0]).toMatchObject({ name: 'Match one', before: 10, problem: expect.stringMatching(/between/) })
})

test('a preview needs rows, a change that they can have, and a right to make it', async () => {
  const { campaignId } = await added('Rightless')
  const change = { kind: 'STATE', to: 'PAUSED' }
  await expect(preview({ entity: 'campaign', change })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(preview({ entity: 'ad', ids: [1], change: raise })).rejects.toMatchObject({
    extra: { fields: { change: 'These rows do not have this setting' } },
  })
  const body = v.parse(endpoint.body, { entity: 'campaign', ids: [campaignId], change })
  expect((await previewBulk(await scene.stranger(), body)).content).toEqual([])
  const amount = { kind: 'PERCENT', value: -100 }
  const issues = v.safeParse(endpoint.body, { entity: 'keyword', ids: [1], change: { ...raise, amount } }).issues
  expect(issues?.[0].message).toBe('Enter a decrease of less than 100 %')
})
