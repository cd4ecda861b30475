import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { addTestAccount, addTestCampaign } from '../../../../../tests/support/campaign-account.ts'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { bulkEndpoints, type BulkItem, changeEndpoints } from '../../contract.ts'
import { listChanges } from '../changes/list-changes.ts'
import { readGroup } from '../changes/read-group.ts'
import { recordChanges, type RecordedChange } from '../changes/record-changes.ts'
import { retryGroup } from '../changes/retry-group.ts'
import { undoChanges } from '../changes/undo-changes.ts'
import { bulkEdit } from './bulk-edit.ts'
import { updateTarget } from './edit-row.ts'

const scene = editScene()
const { added, caller } = scene
const bulk = async (items: BulkItem[], groupId?: string) => bulkEdit(await caller(null), items, groupId)
const asks = { force: false, skipNewer: false }

const rowOf = async (table: 'campaign' | 'target' | 'ad_group', id: number) => {
  const { rows } = await sql<
    Record<string, unknown> & { version: number }
  >`select * from ${sql.table(table)} where id = ${id}`.execute(scene.services.db.system)
  if (!rows[0]) throw new Error(`no ${table} ${id}`)
  return rows[0]
}
const changesOf = async (query: object) =>
  v.parse(changeEndpoints.list.response, await listChanges(await caller(), { page: 0, size: 50, ...query })).content

/** As if the marketplace had rejected everything of a group. */
async function rejectAll(groupId: string): Promise<void> {
  const { system } = scene.services.db
  await sql`insert into entity_change (merchant_id, profile_id, group_id, entity, entity_id, campaign_id, field, before, after,
      undoes, note, origin, at)
    select merchant_id, profile_id, ${randomUUID()}::uuid, entity, entity_id, campaign_id, field, after, before, id, 'No.', 'MARKETPLACE',
      at from entity_change where group_id = ${groupId}::uuid`.execute(system)
  await sql`update target set bid_micros = 500000, sync_state = 'FAILED', base = null where sync_state = 'PENDING'`.execute(
    system,
  )
  await sql`update campaign set daily_budget_micros = 10000000, sync_state = 'FAILED', base = null where sync_state = 'PENDING'`.execute(
    system,
  )
}

describe('a bulk change', () => {
  test('has an outcome for each item in order, and a bad one harms no other', async () => {
    const [a, b] = [await added('Bulk a'), await added('Bulk b')]
    const other = await addTestCampaign(scene.services, await addTestAccount(scene.services), { name: 'Not ours' })
    const answer = await bulk([
      { entity: 'target', id: a.keywordId, version: 1, set: { bid: 0.9 } },
      { entity: 'target', id: b.keywordId, version: 7, set: { bid: 0.9 } },
      { entity: 'campaign', id: a.campaignId, version: 1, set: { budget: 0.5 } },
      { entity: 'campaign', id: other.campaignId, version: 1, set: { budget: 50 } },
      { entity: 'campaign', id: b.campaignId, version: 1, set: { state: 'ENABLED' } },
      { entity: 'ad', id: a.adId, version: 1, set: { state: 'ARCHIVED' } },
      { entity: 'ad', id: b.adId, version: 1, set: { asin: 'B0OTHER001' } },
      { entity: 'adGroup', id: a.adGroupId, version: 1, set: { defaultBid: 'much' } },
      { entity: 'adGroup', id: b.adGroupId, version: 1, set: { defaultBid: 0.4, name: 'Bulk b renamed' } },
    ])
    expect(v.parse(bulkEndpoints.bulk.response, answer)).toEqual(answer)
    expect(answer.outcomes.map(({ status, message }) => [status, message])).toEqual([
      ['CHANGED', null],
      ['CONFLICT', expect.stringContaining('changed in the meantime')],
      ['INVALID', expect.stringContaining('The daily budget must be between')],
      ['NOT_FOUND', 'There is no such campaign.'],
      ['SAME', null],
      ['INVALID', 'Must be ENABLED or PAUSED'],
      ['INVALID', 'asin cannot be changed here.'],
      ['INVALID', 'Default bid is required'],
      ['CHANGED', null],
    ])
    expect(answer.outcomes[1]?.row).toMatchObject({ id: b.keywordId, bid: 0.7, version: 1, currency: 'USD' })
    expect(await rowOf('target', a.keywordId)).toMatchObject({ bid_micros: 900_000, sync_state: 'PENDING', version: 2 })
    expect(await rowOf('ad_group', b.adGroupId)).toMatchObject({ name: 'Bulk b renamed', default_bid_micros: 400_000 })
    const ledger = await changesOf({ groupId: answer.groupId })
    expect(ledger.map(({ field, before, after, origin }) => [field, before, after, origin])).toEqual([
      ['bid', 0.7, 0.9, 'USER'],
      ['defaultBid', 0.5, 0.4, 'USER'],
      ['name', 'Bulk b group', 'Bulk b renamed', 'USER'],
    ])
  })

  test('changes no row that it names twice', async () => {
    const { keywordId, campaignId } = await added('Twice')
    const { outcomes } = await bulk([
      { entity: 'target', id: keywordId, version: 1, set: { bid: 0.5 } },
      { entity: 'campaign', id: campaignId, version: 1, set: { state: 'PAUSED' } },
      { entity: 'target', id: keywordId, version: 1, set: { bid: 0.6 } },
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['INVALID', 'CHANGED', 'INVALID'])
    expect((await rowOf('target', keywordId)).bid_micros).toBe(700_000)
  })

  test('gives a name to the first of two campaigns that want it', async () => {
    const [a, b] = [await added('Namesake a'), await added('Namesake b')]
    const named = (id: number) => ({ entity: 'campaign', id, version: 1, set: { name: 'The only one' } }) as const
    const { outcomes } = await bulk([named(a.campaignId), named(b.campaignId)])
    expect(outcomes.map(({ message }) => message)).toEqual([null, 'Another campaign has this name'])
  })

  test('of more than 1,000 rows, or of none, is rejected with a sentence', () => {
    const item = { entity: 'target', id: 1, version: 1, set: {} }
    const problemOf = (count: number) =>
      v.safeParse(
        bulkEndpoints.bulk.body,
        Array.from({ length: count }, () => item),
      ).issues?.[0].message
    expect([problemOf(1001), problemOf(1000), problemOf(0)]).toEqual([
      'At most 1,000 rows at a time',
      undefined,
      'Choose at least one row',
    ])
  })

  test('is closed to viewers, and a group belongs to one person', async () => {
    const { keywordId } = await added('Closed')
    const item = { entity: 'target', id: keywordId, version: 1, set: { bid: 0.8 } } as const
    await expect(bulkEdit(await scene.powerless(), [item], undefined)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const { groupId } = await bulk([item])
    const stranger = await scene.stranger()
    const theirs = await bulkEdit(stranger, [{ ...item, version: 2 }], groupId)
    expect(theirs.outcomes[0]?.status).toBe('NOT_FOUND')
    await expect(readGroup(stranger, groupId, { page: 0, size: 10 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(undoChanges(stranger, { groupId }, asks)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of 1,000 bids is saved in a few seconds, and undone as a whole', async () => {
    const { adGroupId, campaignId } = await added('Many')
    const { merchantId, profileId } = scene.account
    const { rows } = await sql<{
      id: number
    }>`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text,
        match_type, state, bid_micros)
      select ${merchantId}::bigint, ${profileId}::bigint, ${campaignId}::bigint, ${adGroupId}::bigint, '77' || n, 'KEYWORD', 'many ' || n, 'EXACT',
        'ENABLED', 500000 from generate_series(1, 1000) n returning id`.execute(scene.services.db.system)
    const began = performance.now()
    const { groupId, outcomes } = await bulk(
      rows.map(({ id }, i) => ({ entity: 'target', id, version: 1, set: { bid: 0.5 + (i % 9) / 100 + 0.01 } })),
    )
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(outcomes.every(({ status }) => status === 'CHANGED')).toBe(true)
    const group = await readGroup(await caller(), groupId, { page: 0, size: 10 })
    expect(group).toMatchObject({ total: 1000, pending: 1000, accepted: 0, rejected: 0, undone: 0 })
    expect(group.items).toHaveLength(10)
    const undone = await undoChanges(await caller(), { groupId }, asks)
    expect(undone.outcomes.filter(({ status }) => status === 'UNDONE')).toHaveLength(1000)
    expect(await readGroup(await caller(), groupId, { page: 0, size: 1 })).toMatchObject({ undone: 1000 })

    // A group may have more than one call, and all that the marketplace rejected is sent again at once.
    const more = randomUUID()
    const now = (id: number, bid: number): BulkItem => ({ entity: 'target', id, version: 3, set: { bid } })
    await bulk(
      rows.slice(0, 999).map(({ id }) => now(id, 0.8)),
      more,
    )
    await bulk(
      [now(rows[999]?.id ?? 0, 0.8), { entity: 'campaign', id: campaignId, version: 1, set: { budget: 33 } }],
      more,
    )
    await rejectAll(more)
    expect(await readGroup(await caller(), more, { page: 0, size: 1 })).toMatchObject({ total: 1001, rejected: 1001 })
    expect(await retryGroup(await caller(), more)).toEqual({ groupId: more, retried: 1001, failed: 0, message: null })
    expect(await readGroup(await caller(), more, { page: 10, size: 100 })).toMatchObject({
      total: 1001,
      pending: 1001,
      items: [{ after: expect.anything() }],
    })
    await expect(retryGroup(await caller(), more)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    await expect(retryGroup(await scene.stranger(), more)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(retryGroup(await scene.powerless(), more)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

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
    await expect(undoChanges(await scene.powerless(), { groupId }, asks)).rejects.toMatchObject({ code: 'FORBIDDEN' })
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
    await expect(undoChanges(await scene.powerless(), { groupId }, asks)).rejects.toMatchObject({ code: 'FORBIDDEN' })
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
