import * as v from 'valibot'
import { expect, test } from 'vitest'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { changeEndpoints } from '../../changes-contract.ts'
import { changeDays, listChanges } from './list-changes.ts'
import { newGroup, recordChanges } from './record-changes.ts'

const scene = editScene()
const { added, caller } = scene
const at = new Date('2026-03-10T07:30:00Z')
const paging = { page: 0, size: 20 }
const list = async (query: object = {}) =>
  v.parse(changeEndpoints.list.response, await listChanges(await caller(), { ...paging, ...query }))

test('the ledger has each change with its names, by whom, before and after, the latest first', async () => {
  const { campaignId, keywordId } = await added('Ledger')
  const { merchantId, accountId } = scene.account
  const groupId = newGroup()
  await scene.services.db.tenant(merchantId, async tx => {
    await recordChanges(tx, scene.account, { origin: 'USER', accountId, at, groupId }, [
      { entity: 'campaign', entityId: campaignId, campaignId, field: 'budget', before: 10, after: 12.5 },
      { entity: 'target', entityId: keywordId, campaignId, field: 'bid', before: 0.7, after: null, note: 'Too low.' },
    ])
    await recordChanges(tx, scene.account, { origin: 'MARKETPLACE', accountId: null, at }, [
      { entity: 'campaign', entityId: campaignId, campaignId, field: 'state', before: 'ENABLED', after: 'PAUSED' },
    ])
  })
  const { content, page } = await list({ campaignId })
  expect(page.totalElements).toBe(3)
  const [state, bid, budget] = content
  expect(state).toMatchObject({ origin: 'MARKETPLACE', by: null, field: 'state', groupSize: 1 })
  expect(bid).toMatchObject({
    name: 'Ledger keyword',
    campaignName: 'Ledger',
    before: 0.7,
    after: null,
    note: 'Too low.',
    groupId,
  })
  expect(budget).toMatchObject({
    name: 'Ledger',
    field: 'budget',
    before: 10,
    after: 12.5,
    groupSize: 2,
    undoneBy: null,
  })
  expect(budget?.by).toMatch(/\S/)
  expect((await list({ entity: 'target', entityId: keywordId })).content).toEqual([bid])
  expect((await list({ groupId })).content).toEqual([bid, budget])
  expect((await list({ campaignId, origin: 'MARKETPLACE' })).content).toEqual([state])
})

test('the days on which something was changed are those of the account’s calendar, and one act counts once', async () => {
  const { campaignId } = await added('Marked')
  const { merchantId, accountId } = scene.account
  const change = { entity: 'campaign', entityId: campaignId, campaignId, before: 1, after: 2 } as const
  const acts = ['2026-03-12T06:30:00Z', '2026-03-12T07:30:00Z', '2026-03-12T20:00:00Z']
  await scene.services.db.tenant(merchantId, async tx => {
    for (const moment of acts)
      await recordChanges(tx, scene.account, { origin: 'USER', accountId, at: new Date(moment) }, [
        { ...change, field: 'budget' },
        { ...change, field: 'targetAcos' },
      ])
  })
  const days = async (query: object) =>
    v.parse(changeEndpoints.days.response, await changeDays(await caller(), { campaignId, ...query }))
  const all = [
    { date: '2026-03-11', count: 1 },
    { date: '2026-03-12', count: 2 },
  ]
  expect(await days({})).toEqual(all)
  expect(await days({ dateFrom: '2026-03-12', dateTo: '2026-03-20' })).toEqual([all[1]])
  expect(await days({ dateFrom: '2026-03-13' })).toEqual([])
})

test('a change that undoes another names it, and only one can', async () => {
  const { campaignId } = await added('Undone')
  const { merchantId, accountId } = scene.account
  const act = { origin: 'USER', accountId, at } as const
  const change = {
    entity: 'campaign',
    entityId: campaignId,
    campaignId,
    field: 'budget',
    before: 10,
    after: 20,
  } as const
  const record = (undoes?: number) =>
    scene.services.db.tenant(merchantId, tx =>
      recordChanges(tx, scene.account, act, [{ ...change, ...(undoes && { undoes }) }]),
    )
  await record()
  const id = (await list({ campaignId })).content[0]?.id ?? 0
  await record(id)
  const { content } = await list({ campaignId })
  expect(content.map(one => [one.undoes, one.undoneBy])).toEqual([
    [id, null],
    [null, content[0]?.id],
  ])
  await expect(record(id)).rejects.toThrow(/entity_change_undone/)
})

test('days are those of the account, where the 10th begins at 8 in the morning of UTC', async () => {
  const { campaignId } = await added('Days')
  const { merchantId } = scene.account
  await scene.services.db.tenant(merchantId, tx =>
    recordChanges(tx, scene.account, { origin: 'RULE', accountId: null, at: new Date('2026-03-10T06:59:00Z') }, [
      { entity: 'campaign', entityId: campaignId, campaignId, field: null, before: null, after: null },
    ]),
  )
  const on = async (day: string) => (await list({ campaignId, dateFrom: day, dateTo: day })).content.length
  expect([await on('2026-03-09'), await on('2026-03-10')]).toEqual([1, 0])
})

test('nobody changes or removes a row, and another tenant sees none', async () => {
  const { merchantId } = scene.account
  const remove = scene.services.db.tenant(merchantId, tx => tx.deleteFrom('entity_change').execute())
  await expect(remove).rejects.toThrow(/permission denied/)
  const change = scene.services.db.tenant(merchantId, tx =>
    tx.updateTable('entity_change').set({ note: 'x' }).execute(),
  )
  await expect(change).rejects.toThrow(/permission denied/)
  expect((await listChanges(await scene.stranger(), paging)).content).toEqual([])
})
