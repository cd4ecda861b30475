import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { addTestAccount, addTestCampaign } from '../../../../../tests/support/campaign-account.ts'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { bulkEndpoints, type BulkItem } from '../../contract.ts'
import { readGroup } from '../changes/read-group.ts'
import { retryGroup } from '../changes/retry-group.ts'
import { undoChanges } from '../changes/undo-changes.ts'
import { bulkEdit } from './bulk-edit.ts'

const scene = editScene()
const { added, caller, bulk, rowOf, changesOf } = scene
const asks = { force: false, skipNewer: false }

/** As a database does by itself once a table has grown. */
const analyze = (table: string) => sql`analyze ${sql.table(table)}`.execute(scene.services.db.system)

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

  test('a group belongs to one person', async () => {
    const { keywordId } = await added('Closed')
    const item = { entity: 'target', id: keywordId, version: 1, set: { bid: 0.8 } } as const
    const { groupId } = await bulk([item])
    const stranger = await scene.stranger()
    const theirs = await bulkEdit(stranger, [{ ...item, version: 2 }], groupId)
    expect(theirs.outcomes[0]?.status).toBe('NOT_FOUND')
    await expect(readGroup(stranger, groupId, { page: 0, size: 10 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(undoChanges(stranger, { groupId }, asks)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('of 1,000 bids is saved and undone as a whole', async () => {
    const { adGroupId, campaignId } = await added('Many')
    const { merchantId, profileId } = scene.account
    const { rows } = await sql<{
      id: number
    }>`insert into target (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text,
        match_type, state, bid_micros)
      select ${merchantId}::bigint, ${profileId}::bigint, ${campaignId}::bigint, ${adGroupId}::bigint, '77' || n, 'KEYWORD', 'many ' || n, 'EXACT',
        'ENABLED', 500000 from generate_series(1, 1000) n returning id`.execute(scene.services.db.system)
    await analyze('target')
    const { groupId, outcomes } = await bulk(
      rows.map(({ id }, i) => ({ entity: 'target', id, version: 1, set: { bid: 0.5 + (i % 9) / 100 + 0.01 } })),
    )
    expect(outcomes.every(({ status }) => status === 'CHANGED')).toBe(true)
    await analyze('entity_change')
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
    await analyze('entity_change')
    expect(await readGroup(await caller(), more, { page: 0, size: 1 })).toMatchObject({ total: 1001, rejected: 1001 })
    expect(await retryGroup(await caller(), more)).toEqual({ groupId: more, retried: 1001, failed: 0, message: null })
    expect(await readGroup(await caller(), more, { page: 10, size: 100 })).toMatchObject({
      total: 1001,
      pending: 1001,
      items: [{ after: expect.anything() }],
    })
    await expect(retryGroup(await caller(), more)).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
    await expect(retryGroup(await scene.stranger(), more)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
