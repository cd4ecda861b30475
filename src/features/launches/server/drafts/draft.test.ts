import { afterAll, beforeAll, expect, test } from 'vitest'
import * as v from 'valibot'
import { type LaunchScene, openLaunchScene } from '../../../../../tests/support/launch-scene.ts'
import { addAccount } from '../../../../../tests/support/people.ts'
import { type Draft, draftEndpoints } from '../../draft-contract.ts'
import { getDraft, removeDraft, saveDraft } from './draft.ts'

let scene: LaunchScene
beforeAll(async () => {
  scene = await openLaunchScene()
})
afterAll(() => scene.close())

function draft(id: string, changedAt: string, campaignName = 'Mats'): Draft {
  return {
    id,
    changedAt,
    state: {
      currentStep: 3,
      setupMode: 'SMART',
      template: 'SINGLE_PRODUCT_CAMPAIGN_FUNNEL',
      strategy: 'NORMAL',
      products: [{ asin: 'B0TESTASIN', sku: 'S', title: 'Yoga mat', imageUrl: null }],
      keywords: {},
      categories: {},
      productTargets: {},
      negativeKeywords: [],
      campaignName,
      budget: 12.5,
      targetAcos: 30,
      automationMode: null,
      keywordMatchType: null,
      productTargetType: null,
      productMatchType: null,
      selectedCategory: null,
      selectedProduct: null,
      categoryBid: null,
      productBid: null,
      includeHighImpact: true,
      includeRanking: true,
      separateBrandTerms: false,
      namePattern: null,
      budgetShares: null,
    },
  }
}

test('a draft comes back whole, on any device of the user', async () => {
  const saved = draft('draft-001', '2026-03-01T10:00:00.000Z')
  expect(await getDraft(await scene.caller())).toEqual({ draft: null })
  expect(await saveDraft(await scene.caller(), saved)).toEqual({ draft: { ...saved, version: 1 } })
  const answer = await getDraft(await scene.caller())
  expect(v.parse(draftEndpoints.get.response, answer)).toEqual({ draft: { ...saved, version: 1 } })
})

test('of two changes the later one stands, whichever comes last, and is answered', async () => {
  const early = draft('draft-002', '2026-03-01T11:00:00.000Z', 'Early')
  const late = draft('draft-002', '2026-03-01T12:00:00.000Z', 'Late')
  await saveDraft(await scene.caller(), late)
  expect(await saveDraft(await scene.caller(), early)).toMatchObject({ draft: late })
  expect(await getDraft(await scene.caller())).toMatchObject({ draft: late })
})

test('a change made from the newest version stands, however slow its device’s clock is', async () => {
  const { draft: first } = await saveDraft(
    await scene.caller(),
    draft('draft-005', '2026-03-01T15:00:00.000Z', 'First'),
  )
  const slow = { ...draft('draft-005', '2026-03-01T09:00:00.000Z', 'Slow clock'), version: first.version }
  const { draft: second } = await saveDraft(await scene.caller(), slow)
  expect(second).toMatchObject({ version: (first.version ?? 0) + 1, state: { campaignName: 'Slow clock' } })
  expect(second.changedAt).toBe(first.changedAt)
  const stale = { ...draft('draft-005', '2026-03-01T10:00:00.000Z', 'Stale'), version: first.version }
  expect(await saveDraft(await scene.caller(), stale)).toEqual({ draft: second })
})

test('a clock that is ahead does not shut the other devices out', async () => {
  const ahead = new Date(Date.now() + 86_400_000).toISOString()
  const { draft: first } = await saveDraft(await scene.caller(), draft('draft-006', ahead, 'Ahead'))
  expect(Date.parse(first.changedAt)).toBeLessThanOrEqual(Date.now())
  const next = draft('draft-006', new Date().toISOString(), 'Next')
  expect((await saveDraft(await scene.caller(), next)).draft.state.campaignName).toBe('Next')
})

test('one of a shape that is no longer understood counts as none, and stands in nobody’s way', async () => {
  const { draft: old } = await saveDraft(await scene.caller(), draft('draft-old', '2026-03-02T12:00:00.000Z', 'Old'))
  const drafts = scene.services.db.system.updateTable('campaign_draft').where('draft_id', '=', old.id)
  await drafts.set({ state: '{"step":"one"}' }).execute()
  expect(await getDraft(await scene.caller())).toEqual({ draft: null })
  const fresh = draft('draft-new', '2026-03-02T11:00:00.000Z', 'New')
  expect(await saveDraft(await scene.caller(), fresh)).toMatchObject({ draft: fresh })
})

test('a draft of another shop than the one worked in is neither saved, nor given, nor thrown away', async () => {
  const ctx = { ...(await scene.caller()), shop: `${scene.merchantId}/${scene.market.id + 1}` }
  const foreign = draft('draft-007', new Date().toISOString())
  for (const ask of [() => saveDraft(ctx, foreign), () => getDraft(ctx), () => removeDraft(ctx, 'draft-006')])
    await expect(ask()).rejects.toMatchObject({ code: 'RULE_VIOLATED' })
})

test('throwing a draft away leaves one of another id alone', async () => {
  const saved = draft('draft-003', new Date().toISOString())
  await saveDraft(await scene.caller(), saved)
  await removeDraft(await scene.caller(), 'draft-002')
  expect(await getDraft(await scene.caller())).toMatchObject({ draft: saved })
  await removeDraft(await scene.caller(), 'draft-003')
  await removeDraft(await scene.caller(), 'draft-003')
  expect(await getDraft(await scene.caller())).toEqual({ draft: null })
})

test('a draft is its user’s own', async () => {
  await saveDraft(await scene.caller(), draft('draft-004', new Date().toISOString()))
  const colleague = await addAccount(scene.services)
  await scene.services.db.system
    .insertInto('membership')
    .values({ account_id: colleague, merchant_id: scene.merchantId, role: 'OWNER', ended_at: null })
    .execute()
  await scene.services.db.system
    .updateTable('account')
    .set({ current_merchant_id: scene.merchantId, current_marketplace_id: scene.market.id })
    .where('id', '=', colleague)
    .execute()
  const own = await scene.caller()
  const theirs = { ...own, actor: { ...own.actor, accountId: colleague } }
  expect(await getDraft(theirs)).toEqual({ draft: null })
})
