import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { testServices } from '../../../../../tests/support/services.ts'
import {
  addTestAccount,
  addTestCampaign,
  type TestAccount,
  testCaller,
} from '../../../../../tests/support/campaign-account.ts'
import { listNegatives } from './list-negatives.ts'

let services: Services & { close(): Promise<void> }
let account: TestAccount
let campaign: Awaited<ReturnType<typeof addTestCampaign>>

beforeAll(async () => {
  services = await testServices()
  account = await addTestAccount(services)
  campaign = await addTestCampaign(services, account, { name: 'Lamp' })
  const add = (text: string, adGroupId: number | null) =>
    sql`insert into negative (merchant_id, profile_id, campaign_id, ad_group_id, amazon_id, kind, text, match_type, state)
      values (${account.merchantId}, ${account.profileId}, ${campaign.campaignId}, ${adGroupId}, ${text}, 'KEYWORD', ${text},
        'NEGATIVE_EXACT', 'ENABLED')`.execute(services.db.system)
  await add('of the campaign', null)
  await add('of the ad group', campaign.adGroupId)
})
afterAll(() => services.close())

test('a negative names its campaign and ad group, and lists are narrowed by ad type, kind and what became of it', async () => {
  const ctx = await testCaller(services, account)
  const usual = { page: 0, size: 20, state: 'ALL', sortBy: 'text', sortDir: 'asc' } as const
  const list = async (more: Partial<Parameters<typeof listNegatives>[1]>) =>
    (await listNegatives(ctx, { ...usual, ...more })).content.map(row => row.text)
  const all = await listNegatives(ctx, usual)
  expect(all.content).toMatchObject([
    { campaignName: 'Lamp', adGroupName: 'Lamp group', adType: 'SPONSORED_PRODUCTS' },
    { campaignName: 'Lamp', adGroupName: null },
  ])
  expect(await list({ adType: 'SPONSORED_BRANDS' })).toEqual([])
  expect(await list({ adType: 'SPONSORED_PRODUCTS', kind: 'KEYWORD', syncState: 'SYNCED' })).toHaveLength(2)
  expect(await list({ kind: 'PRODUCT' })).toEqual([])
  expect(await list({ state: 'NOT_ARCHIVED' })).toHaveLength(2)
  expect(await list({ state: 'ARCHIVED' })).toEqual([])
  expect(await list({ syncState: 'FAILED' })).toEqual([])
})

test.each([
  [undefined, ['of the ad group', 'of the campaign']],
  ['CAMPAIGN', ['of the campaign']],
  ['AD_GROUP', ['of the ad group']],
] as const)('with the level %s the negatives are %j', async (level, texts) => {
  const { campaignId } = campaign
  const { content } = await listNegatives(await testCaller(services, account), {
    page: 0,
    size: 20,
    campaignId,
    ...(level && { level }),
    state: 'ALL',
    sortBy: 'text',
    sortDir: 'asc',
  })
  expect(content.map(row => row.text)).toEqual(texts)
})
