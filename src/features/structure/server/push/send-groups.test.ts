import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { changesScene } from '../../../../../tests/support/changes-scene.ts'
import type { EntityName } from '../../contract.ts'
import { readChanges } from '../changes/list-changes.ts'
import { readGroup } from '../changes/read-group.ts'
import { newGroup, recordChanges } from '../changes/record-changes.ts'
import { retryGroup } from '../changes/retry-group.ts'
import { undoChanges } from '../changes/undo-changes.ts'
import { bulkEdit } from '../edit/bulk-edit.ts'
import { listPortfolios, pickCampaigns } from '../read-campaigns.ts'

const { scene, own, door, push, campaign, atMarketplace, fail } = changesScene()

test('a rejection is a line of the ledger that undoes the change; what is tried again counts with its last try', async () => {
  const [one, two] = [await campaign(), await campaign()]
  const budgets = [one, two].map(({ id, version, budget }) => ({
    entity: 'campaign' as const,
    id,
    version,
    set: { budget: (budget ?? 0) + 3 },
  }))
  const { groupId } = await bulkEdit(scene.ctx, budgets, undefined)
  const group = () => readGroup(scene.ctx, groupId, { page: 0, size: 10 })
  expect(await group()).toMatchObject({ total: 2, pending: 2 })
  fail('partial', { items: [0], selector: 'budgetError', reason: 'BUDGET_TOO_LOW' })
  await push('campaign')
  const answered = await group()
  expect(answered).toMatchObject({ total: 2, pending: 0, accepted: 1, rejected: 1 })
  const [rejected] = answered.items
  expect(rejected).toMatchObject({ status: 'REJECTED', message: 'The budget is below the marketplace’s minimum.' })
  const id = rejected?.entityId ?? 0
  const { changes } = await scene.services.db.reading(scene.profile.merchantId, tx =>
    readChanges(tx, scene.profile, [sql`c.entity_id = ${id} and c.field = 'budget'`], { page: 0, size: 10 }),
  )
  expect(changes[0]).toMatchObject({ origin: 'MARKETPLACE', undoes: rejected?.changeId, after: rejected?.before })
  await expect(
    undoChanges(scene.ctx, { id: rejected?.changeId ?? 0 }, { force: false, skipNewer: false }),
  ).rejects.toMatchObject({
    message: 'The marketplace rejected this, so there is nothing to undo.',
  })
  scene.sandbox.world.faults.clear()
  const again = {
    entity: 'campaign' as const,
    id,
    version: rejected?.version ?? 0,
    set: { budget: Number(rejected?.after) },
  }
  await bulkEdit(scene.ctx, [again], groupId)
  await push('campaign')
  expect(await group()).toMatchObject({ total: 2, pending: 0, accepted: 2, rejected: 0 })
  const undone = await undoChanges(scene.ctx, { groupId }, { force: false, skipNewer: false })
  // Its first, rejected try is no change that was left.
  expect(undone.outcomes.map(({ status }) => status)).toEqual(['UNDONE', 'UNDONE'])
  await push('campaign')
  for (const was of [one, two])
    expect((await atMarketplace(was.amazonId)).dailyBudgetMicros).toBe(Math.round((was.budget ?? 0) * 1e6))
})

test('campaigns of every ad type are moved to a portfolio and out of it again', async () => {
  await door().portfolios.create([{ name: 'Summer' }, { name: 'Autumn' }])
  const [, portfolio] = await listPortfolios(scene.ctx)
  if (portfolio?.name !== 'Summer') throw new Error('portfolios are listed by name')
  const campaigns = await pickCampaigns(scene.ctx)
  const chosen = [
    ['SPONSORED_PRODUCTS', door().campaigns],
    ['SPONSORED_BRANDS', door().brands.campaigns],
    ['SPONSORED_DISPLAY', door().display.campaigns],
  ] as const
  for (const [adType, collection] of chosen) {
    const one = await own(campaigns.find(c => c.adType === adType && c.state === 'ENABLED')?.id ?? 0)
    const atPlace = async () => {
      const found: { campaignId: string; portfolioId: string | null }[] = []
      for await (const page of collection.pages({ states: ['ENABLED'] })) found.push(...page)
      return found.find(({ campaignId }) => campaignId === one.amazonId)?.portfolioId
    }
    const move = async (version: number, portfolioId: string | null) => {
      await bulkEdit(scene.ctx, [{ entity: 'campaign', id: one.id, version, set: { portfolioId } }], undefined)
      await push('campaign', {}, adType)
    }
    await move(one.version, portfolio.id)
    expect([adType, await atPlace()]).toEqual([adType, portfolio.id])
    const moved = await own(one.id)
    expect(moved).toMatchObject({ portfolioId: portfolio.id, syncState: 'SYNCED' })
    await move(moved.version, null)
    expect([adType, await atPlace()]).toEqual([adType, null])
  }
})

describe('what was created is archived by its undo', () => {
  const creation = (entity: EntityName, row: { id: number; campaignId: number }) =>
    ({ entity, entityId: row.id, campaignId: row.campaignId, field: null, before: null, after: null }) as const
  const record = async (lines: ReturnType<typeof creation>[]) => {
    const groupId = newGroup()
    const act = { origin: 'MARKETPLACE', accountId: null, groupId, at: scene.services.clock.now() } as const
    await scene.services.db.tenant(scene.profile.merchantId, tx => recordChanges(tx, scene.profile, act, lines))
    return groupId
  }
  const asks = { force: false, skipNewer: false }
  /** A running row of an ad type that waits for nothing, in a campaign and ad group that run. */
  const running = async (table: string, adType: string) => {
    const isInGroup = table === 'product_ad'
    const { rows } = await sql<{ id: number; campaignId: number; amazonId: string }>`
      select t.id, c.id as "campaignId", t.amazon_id as "amazonId" from ${sql.table(table)} t
      join campaign c on c.merchant_id = t.merchant_id and c.id = ${table === 'campaign' ? sql`t.id` : sql`t.campaign_id`}
      where t.profile_id = ${scene.profile.profileId} and t.ad_type = ${adType} and t.state = 'ENABLED' and c.state = 'ENABLED'
        and t.sync_state = 'SYNCED' and t.gone_at is null
        ${isInGroup ? sql`and exists (select 1 from ad_group g where g.merchant_id = t.merchant_id and g.id = t.ad_group_id and g.state = 'ENABLED')` : sql``}
      order by t.id limit 1`.execute(scene.services.db.system)
    if (!rows[0]) throw new Error(`no ${table} of ${adType} runs`)
    return rows[0]
  }
  const collectionsOf = {
    SPONSORED_PRODUCTS: { campaign: 'campaigns', adGroup: 'adGroups', ad: 'productAds' },
    SPONSORED_BRANDS: { campaign: 'brandCampaigns', adGroup: 'brandAdGroups', ad: 'brandAds' },
    SPONSORED_DISPLAY: { campaign: 'displayCampaigns', adGroup: 'displayAdGroups', ad: 'displayAds' },
  } as const

  test.each(Object.entries(collectionsOf))('%s', async (adType, collections) => {
    // What is inside first, so that its parents still run.
    for (const entity of ['ad', 'adGroup', 'campaign'] as const) {
      const table = { ad: 'product_ad', adGroup: 'ad_group', campaign: 'campaign' }[entity]
      const row = await running(table, adType)
      const groupId = await record([creation(entity, row)])
      const { outcomes } = await undoChanges(scene.ctx, { groupId }, { ...asks, force: true })
      expect([entity, outcomes.map(({ status }) => status)]).toEqual([entity, ['UNDONE']])
      await push(entity, {}, adType)
      const { rows } =
        await sql`select state, sync_state, sync_error from ${sql.table(table)} where id = ${row.id}`.execute(
          scene.services.db.system,
        )
      expect([entity, rows[0]]).toEqual([entity, { state: 'ARCHIVED', sync_state: 'SYNCED', sync_error: null }])
      expect(scene.sandbox.world.store[collections[entity]].get(row.amazonId)).toMatchObject({ state: 'ARCHIVED' })
    }
  })

  test('what the marketplace refuses to archive counts as not undone, and is tried again with the undo', async () => {
    const [one, two] = [await campaign(), await campaign()]
    const child = await scene.services.db.system
      .selectFrom('target')
      .select(['id', 'campaign_id as campaignId'])
      .where('campaign_id', '=', one.id)
      .executeTakeFirstOrThrow()
    const rows = [one, two].map(({ id }) => creation('campaign', { id, campaignId: id }))
    const groupId = await record([...rows, creation('target', child)])
    const { groupId: undoGroup } = await undoChanges(scene.ctx, { groupId }, asks)
    const view = (id: string) => readGroup(scene.ctx, id, { page: 0, size: 10 })
    expect(await view(groupId)).toMatchObject({ total: 3, undone: 3 })
    scene.sandbox.world.faults.add({
      match: { vendor: 'ads', method: 'POST', path: '/sp/campaigns/delete' },
      kind: 'partial',
      items: [0],
      selector: 'malformedValueError',
      reason: 'MALFORMED_VALUE',
    })
    await push('campaign')
    scene.sandbox.world.faults.clear()
    const states = async () =>
      Promise.all([one, two].map(async ({ amazonId }) => (await atMarketplace(amazonId)).state))
    const [first, second] = one.id < two.id ? [one, two] : [two, one]
    expect((await atMarketplace(first.amazonId)).state).toBe('ENABLED')
    expect((await atMarketplace(second.amazonId)).state).toBe('ARCHIVED')
    expect(await view(undoGroup)).toMatchObject({ total: 2, accepted: 1, rejected: 1 })
    const left = await view(groupId)
    expect(left).toMatchObject({ total: 3, accepted: 3, rejected: 0, undone: first === one ? 1 : 2 })
    expect(left.items.find(item => item.entityId === first.id)).toMatchObject({ isUndone: false })
    await expect(undoChanges(scene.ctx, { groupId }, asks)).rejects.toMatchObject({
      message: expect.stringContaining('rejected the undo'),
    })
    await retryGroup(scene.ctx, undoGroup)
    await push('campaign')
    expect(await states()).toEqual(['ARCHIVED', 'ARCHIVED'])
    expect(await view(groupId)).toMatchObject({ total: 3, undone: 3 })
  })
})
