import { expect, test } from 'vitest'
import { keywordItem, media, smallScene } from '../../../../tests/support/ads-scene.ts'
import { leafOf, listOf } from '../../../../tests/support/ads-world.ts'

const scene = smallScene()

test('a keyword keeps what its advertiser wrote and in which language, and is found by it', async () => {
  const campaignId = await scene.ads.campaign('Translated')
  const adGroupId = await scene.ads.adGroup(campaignId, 'Group')
  const own = { nativeLanguageKeyword: '大蒜压榨机', nativeLanguageLocale: 'zh_CN' }
  await scene.ads.create('keywords', 'keywords', 'spKeyword', [
    { ...keywordItem(campaignId, adGroupId, 'garlic press'), ...own },
    keywordItem(campaignId, adGroupId, 'plain word'),
  ])
  const parents = { campaignId, adGroupId, state: 'ENABLED' }
  const negative = { ...parents, keywordText: 'cheap', matchType: 'NEGATIVE_EXACT', ...own }
  await scene.ads.create('negativeKeywords', 'negativeKeywords', 'spNegativeKeyword', [negative])
  const list = async (resource: string, type: string, filter: object) => {
    const { body } = await scene.ads.call('POST', `/sp/${resource}/list`, media(type), {
      campaignIdFilter: { include: [campaignId] },
      ...filter,
    })
    return listOf(body[resource])
  }
  const all = await list('keywords', 'spKeyword', {})
  expect(all[0]).toMatchObject({ keywordText: 'garlic press', ...own })
  expect(all[1]).not.toHaveProperty('nativeLanguageKeyword')
  const chinese = await list('keywords', 'spKeyword', { locale: 'zh_CN' })
  expect(chinese.map(row => leafOf(row.keywordText))).toEqual(['garlic press'])
  expect(await list('keywords', 'spKeyword', { locale: 'en_GB' })).toEqual([])
  expect((await list('negativeKeywords', 'spNegativeKeyword', { locale: 'zh_CN' }))[0]).toMatchObject(own)
})

test('exports and the account’s recommendations word errors with a message', async () => {
  const type = 'application/vnd.campaignsexport.v1+json'
  const nobody = { authorization: 'Bearer nobody' }
  const forbidden = await scene.ads.call('POST', '/campaigns/export', type, {}, nobody)
  expect(forbidden).toMatchObject({ status: 401, body: { message: expect.any(String) } })
  const advice = await scene.ads.call('POST', '/recommendations/list', 'application/json', { maxResults: -1 })
  expect([advice.status, advice.body]).toEqual([400, { code: '400', message: expect.any(String) }])
})
