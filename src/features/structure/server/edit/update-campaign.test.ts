import { sql } from 'kysely'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { bidControls, type BiddingStrategy } from '#shared/campaign-rules.ts'
import { onceByKey } from '#server/http/idempotency.ts'
import { campaignChange } from '../../contract.ts'
import { addTestAccount, addTestCampaign, testCaller } from '../../../../../tests/support/campaign-account.ts'
import { getCampaign } from '../read-campaigns.ts'
import { editScene } from '../../../../../tests/support/edit-scene.ts'
import { updateAd, updateAdGroup, updateCampaign, updateTarget } from './edit-row.ts'

const scene = editScene()
const { added, caller } = scene

describe('a change of a campaign', () => {
  test('is seen at once as pending, under a new version, with its entry in the audit and its job', async () => {
    const { campaignId } = await added('To change')
    const ctx = await caller()
    const published: unknown[] = []
    const stop = scene.services.events.subscribe(scene.account.accountId, event => published.push(event))
    const changed = await updateCampaign(ctx, { campaignId, state: 'PAUSED', budget: 12.5, biddingStrategy: 'MANUAL' })
    expect(changed).toMatchObject({
      state: 'PAUSED',
      budget: 12.5,
      biddingStrategy: 'MANUAL',
      syncState: 'PENDING',
      version: 2,
    })
    expect(changed.placements).toEqual([{ placement: 'TOP_OF_SEARCH', percentage: 30 }])
    expect(await getCampaign(ctx, String(campaignId))).toEqual(changed)
    const audit = await scene.services.db.system
      .selectFrom('audit_entry')
      .selectAll()
      .where('entity_id', '=', String(campaignId))
      .executeTakeFirstOrThrow()
    expect(audit).toMatchObject({
      action: 'campaign.update',
      account_id: scene.account.accountId,
      before: { state: 'ENABLED', budget: 10 },
      after: { state: 'PAUSED', budget: 12.5 },
    })
    const waiting =
      await sql`select 1 from jobs.job where name = 'push-campaign' and data->>'profileId' = ${String(scene.account.profileId)}`.execute(
        scene.services.db.system,
      )
    expect(waiting.rows).toHaveLength(1)
    await expect.poll(() => published).toContainEqual({ type: 'campaigns', data: { ids: [campaignId] } })
    stop()
  })

  test('whose answer was lost is not made again under its key, though somebody reverted it meanwhile', async () => {
    const { campaignId } = await added('Reverted')
    const body = { campaignId, state: 'PAUSED' } as const
    const send = async () => {
      const ctx = { ...(await caller()), idempotencyKey: 'one intent' }
      return onceByKey(ctx, 'POST /campaign/update', body, save =>
        updateCampaign(ctx, body, (tx, answer) => save(tx, { status: 200, body: answer })).then(() => {
          throw new Error('the process died after the commit')
        }),
      )
    }
    await expect(send()).rejects.toThrow('died')
    const reverted = await updateCampaign(await caller(2), { campaignId, state: 'ENABLED' })
    expect(await send()).toMatchObject({ status: 200, body: { state: 'PAUSED', version: 2 } })
    expect(await getCampaign(await caller(), String(campaignId))).toEqual(reverted)
  })

  test('of the target ACOS is saved, or removed with null, and the marketplace is asked for nothing', async () => {
    const { campaignId } = await added('Targeted')
    const changed = await updateCampaign(await caller(), { campaignId, targetAcos: 27.5 })
    expect(changed).toMatchObject({ targetAcos: 27.5, version: 2 })
    const { rows } = await sql<{ base: object; target: number }>`
      select base, target_acos as target from campaign where id = ${campaignId}`.execute(scene.services.db.system)
    expect(rows[0]?.target).toBe(27.5)
    // What is sent is what differs from the base.
    expect(rows[0]?.base).not.toHaveProperty('target_acos')
    const same = await updateCampaign(await caller(2), { campaignId, targetAcos: 27.5 })
    expect(same.version).toBe(2)
    expect(await updateCampaign(await caller(2), { campaignId, targetAcos: null })).toMatchObject({
      targetAcos: null,
      version: 3,
    })
  })

  test.each([0, 100.1, 12.34, -1])('the call does not take %s as a target ACOS', targetAcos => {
    const { issues } = v.safeParse(campaignChange, { campaignId: 1, targetAcos })
    expect(issues?.map(issue => issue.message)).toEqual([
      'Enter a target ACOS above 0 and up to 100, in steps of 0.1, or leave it empty for none',
    ])
  })

  test.each([
    ['SELLER', 128],
    ['VENDOR', 116],
  ] as const)('a %s can name a campaign with up to %i characters', async (accountType, most) => {
    const account = await addTestAccount(scene.services, { accountType })
    const { campaignId } = await addTestCampaign(scene.services, account, { name: 'To name' })
    const named = async (length: number) =>
      updateCampaign(await testCaller(scene.services, account, 1), { campaignId, name: 'n'.repeat(length) })
    await expect(named(most + 1)).rejects.toMatchObject({ extra: { fields: { name: `At most ${most} characters` } } })
    expect((await named(most)).name).toHaveLength(most)
  })

  test('that changes nothing leaves the row as it is', async () => {
    const { campaignId } = await added('Untouched')
    const same = await updateCampaign(await caller(), { campaignId, state: 'ENABLED', budget: 10, name: 'Untouched' })
    expect(same).toMatchObject({ syncState: 'SYNCED', version: 1 })
  })

  test('of a version that is no longer the current one is refused with the current row', async () => {
    const { campaignId } = await added('Raced')
    const first = await updateCampaign(await caller(), { campaignId, budget: 20 })
    const second = updateCampaign(await caller(1), { campaignId, budget: 30 })
    await expect(second).rejects.toMatchObject({ code: 'VERSION_CONFLICT', extra: { current: first } })
    await expect(updateCampaign(await caller(null), { campaignId, budget: 30 })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
  })

  test('of two at the same moment one is saved and the other reports a conflict', async () => {
    const { campaignId } = await added('Twice at once')
    const ctx = await caller()
    const both = await Promise.allSettled([21, 22].map(budget => updateCampaign(ctx, { campaignId, budget })))
    expect(both.map(one => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('must keep the marketplace’s limits and digits', async () => {
    const { campaignId } = await added('Limited')
    const tried = async (budget: number) =>
      updateCampaign(await caller(), { campaignId, budget }).then(
        () => 'taken',
        (error: { extra: { fields: Record<string, string> } }) => error.extra.fields.budget,
      )
    expect(await tried(0.99)).toBe('The daily budget must be between 1 and 1000000 USD')
    expect(await tried(1_000_000.01)).toBe('The daily budget must be between 1 and 1000000 USD')
    expect(await tried(5.005)).toBe('The daily budget has more decimals than USD has')
    expect(await tried(1)).toBe('taken')
  })

  test('a yen has no decimals', async () => {
    const japan = await addTestAccount(scene.services, { marketplaceId: 22, currency: 'JPY' })
    const { campaignId } = await addTestCampaign(scene.services, japan, { name: 'Yen', budget: 1000 })
    const change = updateCampaign(await testCaller(scene.services, japan, 1), { campaignId, budget: 1500.5 })
    await expect(change).rejects.toMatchObject({ details: ['The daily budget has more decimals than JPY has'] })
  })

  test('may not take the name of another campaign, but may change its own letters', async () => {
    await added('Taken name')
    const { campaignId } = await added('Own name')
    await expect(updateCampaign(await caller(), { campaignId, name: 'taken NAME' })).rejects.toMatchObject({
      extra: { fields: { name: 'Another campaign has this name' } },
    })
    expect(await updateCampaign(await caller(), { campaignId, name: 'OWN NAME' })).toMatchObject({ name: 'OWN NAME' })
  })

  test('is not for archived campaigns or other merchants', async () => {
    const archived = await added('Over', { state: 'ARCHIVED' })
    await expect(updateCampaign(await caller(), { campaignId: archived.campaignId, budget: 5 })).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
    })
    const { campaignId } = await added('Guarded')
    const stranger = await scene.stranger()
    await expect(updateCampaign(stranger, { campaignId, budget: 5 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await getCampaign(await caller(), String(campaignId))).version).toBe(1)
  })
})

describe('a change of how a campaign bids and ends', () => {
  test('sets its placements whole, keeps its strategy, and leaves equal ones alone', async () => {
    const { campaignId } = await added('Placed')
    const placements = [
      { placement: 'TOP_OF_SEARCH', percentage: 900 },
      { placement: 'PRODUCT_PAGE', percentage: 0 },
    ] as const
    const changed = await updateCampaign(await caller(), { campaignId, placements: [...placements] })
    expect(changed).toMatchObject({ placements, biddingStrategy: 'SALES_DOWN_ONLY', syncState: 'PENDING', version: 2 })
    const again = await updateCampaign(await caller(2), { campaignId, placements: [placements[0]] })
    expect(again.version).toBe(2)
    const both = { campaignId, placements: [], biddingStrategy: 'MANUAL' } as const
    expect(await updateCampaign(await caller(2), { ...both, placements: [] })).toMatchObject({
      placements: [],
      biddingStrategy: 'MANUAL',
    })
  })

  test.each(bidControls.SPONSORED_PRODUCTS.placements)('sets the placement %s', async placement => {
    const { campaignId } = await added(`On ${placement}`)
    const placements = [{ placement, percentage: 45 }]
    expect(await updateCampaign(await caller(), { campaignId, placements })).toMatchObject({ placements })
  })

  test('sets every strategy of its ad type but the one that a rule of the marketplace has to set', async () => {
    const { campaignId } = await added('Every strategy')
    const set = async (biddingStrategy: BiddingStrategy) => {
      const { version } = await getCampaign(await caller(), String(campaignId))
      return updateCampaign(await caller(version), { campaignId, biddingStrategy })
    }
    for (const strategy of ['MANUAL', 'SALES_UP_AND_DOWN', 'SALES_DOWN_ONLY'] as const)
      expect((await set(strategy)).biddingStrategy).toBe(strategy)
    const answer = v.safeParse(campaignChange, { campaignId, biddingStrategy: 'RULE_BASED' })
    expect(answer.success).toBe(true)
    await expect(set('RULE_BASED')).rejects.toMatchObject({
      code: 'RULE_VIOLATED',
      message: expect.stringMatching(/create a bidding rule .* 10 days and have 10 conversions/),
    })
  })

  test('keeps a strategy that a rule set while its placements change', async () => {
    const { campaignId } = await added('By a rule')
    const strategy = scene.services.db.system.updateTable('campaign').set({ bidding_strategy: 'RULE_BASED' })
    await strategy.where('id', '=', campaignId).execute()
    const change = { campaignId, biddingStrategy: 'RULE_BASED', placements: [] } as const
    expect(await updateCampaign(await caller(), { ...change, placements: [] })).toMatchObject({
      biddingStrategy: 'RULE_BASED',
      placements: [],
    })
  })

  test('is refused a strategy or placement that its ad type does not have', async () => {
    const { campaignId } = await added('Of another ad type')
    const other = scene.services.db.system.updateTable('campaign').set({ ad_type: 'SPONSORED_DISPLAY' })
    await other.where('id', '=', campaignId).execute()
    await expect(updateCampaign(await caller(), { campaignId, biddingStrategy: 'MANUAL' })).rejects.toMatchObject({
      message: 'This ad type does not have this bidding strategy.',
    })
    const placements = [{ placement: 'TOP_OF_SEARCH' as const, percentage: 10 }]
    await expect(updateCampaign(await caller(), { campaignId, placements })).rejects.toMatchObject({
      extra: { fields: { placements: 'This ad type does not have this placement' } },
    })
  })

  test('wants a strategy that can be sent beside the placements', async () => {
    const { campaignId } = await added('Managed elsewhere')
    const strategy = scene.services.db.system.updateTable('campaign').set({ bidding_strategy: 'OTHER' })
    await strategy.where('id', '=', campaignId).execute()
    const placements = [{ placement: 'TOP_OF_SEARCH' as const, percentage: 10 }]
    await expect(updateCampaign(await caller(), { campaignId, placements })).rejects.toMatchObject({
      extra: { fields: { placements: 'Choose a bidding strategy first: this one is managed at the marketplace' } },
    })
    const chosen = { campaignId, placements, biddingStrategy: 'MANUAL' } as const
    expect(await updateCampaign(await caller(), chosen)).toMatchObject({ placements, biddingStrategy: 'MANUAL' })
  })

  test('sets and removes the last day, never one that lies in the past or before the first', async () => {
    const { campaignId } = await added('Ending')
    const ended = await updateCampaign(await caller(), { campaignId, endDate: '2199-12-31' })
    expect(ended.endDate).toBe('2199-12-31')
    expect((await updateCampaign(await caller(2), { campaignId, endDate: null })).endDate).toBeNull()
    await expect(updateCampaign(await caller(3), { campaignId, endDate: '2020-01-01' })).rejects.toMatchObject({
      extra: { fields: { endDate: 'The last day must not lie in the past' } },
    })
    const begins = scene.services.db.system.updateTable('campaign').set({ start_date: '2199-06-01' })
    await begins.where('id', '=', campaignId).execute()
    await expect(updateCampaign(await caller(3), { campaignId, endDate: '2199-05-31' })).rejects.toMatchObject({
      extra: { fields: { endDate: 'The last day must not come before the first' } },
    })
  })

  test('sets another first day until the campaign starts, and never one in the past or after the last', async () => {
    const { campaignId } = await added('Starting')
    const start = async (version: number, startDate: string, more: object = {}) =>
      updateCampaign(await caller(version), { campaignId, startDate, ...more })
    const rejection = (startDate: string) => ({ extra: { fields: { startDate } } })
    await expect(start(1, '2199-06-01')).rejects.toMatchObject(
      rejection('The campaign has started, so its first day stays'),
    )
    const begins = scene.services.db.system.updateTable('campaign').set({ start_date: '2199-06-01' })
    await begins.where('id', '=', campaignId).execute()
    expect(await start(1, '2199-07-01', { endDate: '2199-07-31' })).toMatchObject({
      startDate: '2199-07-01',
      endDate: '2199-07-31',
      syncState: 'PENDING',
    })
    await expect(start(2, '2020-01-01')).rejects.toMatchObject(rejection('The first day must not lie in the past'))
    await expect(start(2, '2199-08-01')).rejects.toMatchObject(rejection('The first day must not come after the last'))
  })

  test('archives it for good: nothing of it can be changed after', async () => {
    const { campaignId, adGroupId, adId, keywordId } = await added('Archived here')
    expect(await updateCampaign(await caller(), { campaignId, state: 'ARCHIVED' })).toMatchObject({ state: 'ARCHIVED' })
    const late = [
      async () => updateCampaign(await caller(2), { campaignId, state: 'ENABLED' }),
      async () => updateAdGroup(await caller(), adGroupId, { state: 'PAUSED' }),
      async () => updateAd(await caller(), adId, 'PAUSED'),
      async () => updateTarget(await caller(), 'keyword', { id: keywordId, bid: 1 }),
    ]
    for (const change of late) await expect(change()).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
  })
})
