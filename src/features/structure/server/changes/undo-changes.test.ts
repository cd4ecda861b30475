import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { changeEndpoints } from '../../contract.ts'
import { updateTarget } from '../edit/edit-row.ts'
import { listChanges } from './list-changes.ts'
import { readGroup } from './read-group.ts'
import { recordChanges, type RecordedChange } from './record-changes.ts'
import { undoChanges } from './undo-changes.ts'

const scene = editScene()
const { added, caller, bulk, rowOf, changesOf } = scene
const asks = { force: false, skipNewer: false }

describe('an undo', () => {
  test('gives back what was before as a change of its own, once', async () => {
    const { keywordId, campaignId } = await added('To undo')
    const { groupId } = await bulk([
      { entity: 'target', id: keywordId, version: 1, set: { bid: 0.9, state: 'PAUSED' } },
      { entity: 'campaign', id: campaignId, version: 1, set: { budget: 20 } },
    ])
    const answer = await undoChanges(await caller(), { groupId }, asks)
    expect(v.parse(changeEndpoints.undoGroup.response, answer).outcomes.map(({ status }) => status)).toEqual([
      'UNDONE',
      'UNDONE',
      'UNDONE',
    ])
    expect(await rowOf('target', keywordId)).toMatchObject({ bid_micros: 700_000, state: 'ENABLED', version: 3 })
    expect(await rowOf('campaign', campaignId)).toMatchObject({ daily_budget_micros: 10_000_000, version: 3 })
    const ledger = await changesOf({ groupId: answer.groupId })
    expect(ledger.every(({ undoes }) => undoes !== null)).toBe(true)
    await expect(undoChanges(await caller(), { groupId }, asks)).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: 'This was undone already.',
    })
    // In the list each group is one line.
    const groups = async () =>
      (await changesOf({ collapsed: true, campaignId })).map(line => [line.groupId, line.groupSize, line.isGroupUndone])
    expect(await groups()).toEqual([
      [answer.groupId, 3, false],
      [groupId, 3, true],
    ])
    const second = await listChanges(await caller(), { page: 1, size: 1, collapsed: true, campaignId })
    expect([second.page.totalElements, second.content.map(line => line.groupId)]).toEqual([2, [groupId]])
    // An undo can be undone.
    await undoChanges(await caller(), { groupId: answer.groupId }, asks)
    expect(await rowOf('target', keywordId)).toMatchObject({ bid_micros: 900_000, state: 'PAUSED' })
  })

  test('asks where something newer stands in its way, and goes on around it or over it', async () => {
    const [a, b] = [await added('Newer a'), await added('Newer b')]
    const { groupId } = await bulk([
      { entity: 'target', id: a.keywordId, version: 1, set: { bid: 0.9 } },
      { entity: 'target', id: b.keywordId, version: 1, set: { bid: 0.9 } },
    ])
    await updateTarget(await caller(2), 'keyword', { id: b.keywordId, bid: 1.5 })
    const refused = undoChanges(await caller(), { groupId }, asks)
    await expect(refused).rejects.toMatchObject({
      code: 'CONFLICT',
      extra: { blocked: 1, of: 2, newer: [{ entityId: b.keywordId, field: 'bid', before: 0.9, after: 1.5 }] },
    })
    expect((await rowOf('target', a.keywordId)).bid_micros).toBe(900_000)
    const around = await undoChanges(await caller(), { groupId }, { ...asks, skipNewer: true })
    expect(around.outcomes.map(({ status }) => status).toSorted()).toEqual(['NEWER', 'UNDONE'])
    expect((await rowOf('target', a.keywordId)).bid_micros).toBe(700_000)
    const [, first] = await changesOf({ entity: 'target', entityId: b.keywordId })
    const over = await undoChanges(await caller(), { id: first?.id ?? 0 }, { ...asks, force: true })
    expect(over.outcomes).toEqual([{ changeId: first?.id, status: 'UNDONE', message: null }])
    expect((await rowOf('target', b.keywordId)).bid_micros).toBe(700_000)
  })

  test('of an archived row, and of a change that does not exist, is refused with a sentence', async () => {
    const { keywordId } = await added('Archived')
    const { groupId } = await bulk([{ entity: 'target', id: keywordId, version: 1, set: { state: 'ARCHIVED' } }])
    await expect(undoChanges(await caller(), { groupId }, asks)).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: 'Archiving is permanent at the marketplace and cannot be undone.',
    })
    await expect(undoChanges(await caller(), { id: 999_999_999 }, asks)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('keeps the marketplace’s limits as they are now', async () => {
    const { keywordId, campaignId } = await added('Limits', { budget: 10 })
    const { rows } = await sql`update target set bid_micros = 5000000 where id = ${keywordId} returning id`.execute(
      scene.services.db.system,
    )
    expect(rows).toHaveLength(1)
    const { groupId } = await bulk([{ entity: 'target', id: keywordId, version: 1, set: { bid: 1 } }])
    await bulk([{ entity: 'campaign', id: campaignId, version: 1, set: { budget: 2 } }])
    const { outcomes } = await undoChanges(await caller(), { groupId }, asks)
    expect(outcomes).toMatchObject([
      { status: 'INVALID', message: 'The bid must not be higher than the campaign’s daily budget of 2 USD' },
    ])
  })

  test('of two at the same moment is made once', async () => {
    const { keywordId } = await added('Undone twice')
    const { groupId } = await bulk([{ entity: 'target', id: keywordId, version: 1, set: { bid: 0.9 } }])
    const ctx = await caller()
    await Promise.allSettled([undoChanges(ctx, { groupId }, asks), undoChanges(ctx, { groupId }, asks)])
    expect((await changesOf({ entity: 'target', entityId: keywordId })).length).toBe(2)
    expect((await rowOf('target', keywordId)).version).toBe(3)
  })
})

describe('an undo of what was created', () => {
  /** A campaign with what is in it, in one group of the ledger as a launch records it. */
  async function launched(name: string) {
    const one = await added(name)
    const { campaignId } = one
    const groupId = randomUUID()
    const places = [
      ['campaign', campaignId],
      ['adGroup', one.adGroupId],
      ['ad', one.adId],
      ['target', one.keywordId],
    ] as const
    const lines = places.map(([entity, entityId]) => ({
      entity,
      entityId,
      campaignId,
      field: null,
      before: null,
      after: null,
    }))
    await record(groupId, lines)
    return {
      ...one,
      groupId,
      lineOf: async (entity: string) => (await changesOf({ groupId })).find(c => c.entity === entity)?.id ?? 0,
    }
  }
  const record = (groupId: string, lines: readonly RecordedChange[]) =>
    scene.services.db.tenant(scene.account.merchantId, tx =>
      recordChanges(
        tx,
        scene.account,
        { origin: 'LAUNCH', accountId: scene.account.accountId, groupId, at: new Date() },
        lines,
      ),
    )
  const groupOf = async (groupId: string) => readGroup(await caller(), groupId, { page: 0, size: 50 })

  test('archives the campaign, and what is in it goes with it and counts as undone, once', async () => {
    const { groupId, campaignId, adGroupId, keywordId, lineOf } = await launched('Created whole')
    await expect(undoChanges(await scene.stranger(), { groupId }, asks)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const keyword = await lineOf('target')
    const undone = await undoChanges(await caller(), { groupId }, asks)
    expect(undone.outcomes.map(({ status }) => status)).toEqual(Array(4).fill('UNDONE'))
    expect(await rowOf('campaign', campaignId)).toMatchObject({ state: 'ARCHIVED', sync_state: 'PENDING' })
    // The marketplace changes nothing of what is in it.
    expect(await rowOf('ad_group', adGroupId)).toMatchObject({ state: 'ENABLED', sync_state: 'SYNCED' })
    expect(await groupOf(groupId)).toMatchObject({ total: 4, pending: 0, accepted: 4, rejected: 0, undone: 4 })
    expect(await groupOf(undone.groupId)).toMatchObject({ total: 1, pending: 1 })
    expect((await changesOf({ groupId })).every(line => line.isGroupUndone && line.undoneBy !== null)).toBe(true)
    for (const choice of [{ groupId }, { id: keyword }])
      await expect(undoChanges(await caller(), choice, asks)).rejects.toMatchObject({
        code: 'RULE_VIOLATED',
        message: 'This was undone already.',
      })
    expect((await changesOf({ entity: 'target', entityId: keywordId })).length).toBe(1)
  })

  test('of one ad group or ad leaves the rest as it is', async () => {
    const { groupId, campaignId, adGroupId, adId, lineOf } = await launched('Created in part')
    const ad = await undoChanges(await caller(), { id: await lineOf('ad') }, asks)
    expect(ad.outcomes.map(({ status }) => status)).toEqual(['UNDONE'])
    const { rows } = await sql`select state from product_ad where id = ${adId}`.execute(scene.services.db.system)
    expect(rows).toEqual([{ state: 'ARCHIVED' }])
    await undoChanges(await caller(), { id: await lineOf('adGroup') }, asks)
    expect(await rowOf('ad_group', adGroupId)).toMatchObject({ state: 'ARCHIVED' })
    expect(await rowOf('campaign', campaignId)).toMatchObject({ state: 'ENABLED' })
    // The keyword went with its ad group, and the ad was undone before.
    expect(await groupOf(groupId)).toMatchObject({ total: 4, undone: 3 })
    const [line] = await changesOf({ groupId })
    expect(line).toMatchObject({ isGroupUndone: false })
    const rest = await undoChanges(await caller(), { groupId }, asks)
    expect(rest.outcomes.map(({ status }) => status).toSorted()).toEqual(['INVALID', 'INVALID', 'INVALID', 'UNDONE'])
  })

  test('asks where something in it was changed or added since, and leaves it or archives it all the same', async () => {
    const [a, b] = [await launched('Created, then changed'), await launched('Created, and left alone')]
    const both = randomUUID()
    const creationOf = ({ campaignId }: { campaignId: number }) =>
      ({ entity: 'campaign', entityId: campaignId, campaignId, field: null, before: null, after: null }) as const
    const again = [await added('Two at once a'), await added('Two at once b')] as const
    await record(both, again.map(creationOf))
    await updateTarget(await caller(1), 'keyword', { id: a.keywordId, bid: 1.5 })
    await expect(undoChanges(await caller(), { groupId: a.groupId }, asks)).rejects.toMatchObject({
      code: 'CONFLICT',
      extra: { blocked: 1, of: 1, newer: [{ entityId: a.keywordId, field: 'bid', after: 1.5 }] },
    })
    expect((await undoChanges(await caller(), { groupId: b.groupId }, asks)).outcomes).toHaveLength(4)
    const over = await undoChanges(await caller(), { groupId: a.groupId }, { ...asks, force: true })
    expect(over.outcomes.map(({ status }) => status)).toEqual(Array(4).fill('UNDONE'))
    // A negative that was added to one of two.
    const place = { campaignId: again[0].campaignId, field: null, before: null, after: { text: 'cheap' } }
    await record(randomUUID(), [{ entity: 'negative', entityId: 987_654_321, ...place }])
    await expect(undoChanges(await caller(), { groupId: both }, asks)).rejects.toMatchObject({
      extra: { blocked: 1, of: 2, newer: [{ entity: 'negative', field: null, name: 'cheap' }] },
    })
    const around = await undoChanges(await caller(), { groupId: both }, { ...asks, skipNewer: true })
    expect(around.outcomes.map(({ status }) => status).toSorted()).toEqual(['NEWER', 'UNDONE'])
    expect((await rowOf('campaign', again[0].campaignId)).state).toBe('ENABLED')
    expect((await rowOf('campaign', again[1].campaignId)).state).toBe('ARCHIVED')
  })
})
