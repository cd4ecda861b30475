import { describe, expect, test } from 'vitest'
import { media, smallScene } from '../../../tests/support/ads-scene.ts'

const scene = smallScene()
const JSON_TYPE = 'application/json'
const vnd = (name: string): string => `application/vnd.${name}+json`
const asins = ['B0TEST0001']

/** Asks with these two headers, or without one that is null. */
const ask = async (method: string, path: string, content: string | null, accept: string | null, body?: unknown) => {
  const { status, body: answer } = await scene.ads.call(method, path, null, body as object, {
    ...(content && { 'content-type': content }),
    // A client without this header is one that takes anything, which is what fetch says when nothing is set.
    ...(accept && { accept }),
  })
  return { status, body: answer }
}

describe('Sponsored Products entities', () => {
  const type = media('spCampaign')
  const list = async (content: string | null, accept: string | null) =>
    (await ask('POST', '/sp/campaigns/list', content, accept, {})).status

  test.each([
    ['the vendor type twice', type, type],
    ['an Accept of plain JSON', type, JSON_TYPE],
    ['an Accept of anything', type, '*/*'],
    ['no Accept', type, null],
    ['the Accept of axios', type, 'application/json, text/plain, */*'],
    ['parameters and capital letters', `${type.toUpperCase()}; charset=utf-8`, type],
    ['a body of plain JSON next to the vendor type in Accept', JSON_TYPE, type],
  ])('take %s', async (_, content, accept) => {
    expect(await list(content, accept)).toBe(200)
  })

  test.each([
    ['plain JSON twice, which names no version', JSON_TYPE, JSON_TYPE],
    ['plain JSON without an Accept', JSON_TYPE, null],
    ['the type of another resource as the body', media('spAdGroup'), type],
    ['the type of another resource in Accept', type, media('spAdGroup')],
    ['a web page in Accept', type, 'text/html'],
  ])('refuse %s', async (_, content, accept) => {
    const { status, body } = await ask('POST', '/sp/campaigns/list', content, accept, {})
    expect([status, body]).toEqual([415, { code: 'UNSUPPORTED_MEDIA_TYPE', message: expect.any(String) }])
  })
})

// As the official collection of requests sends them: JSON by default, and Accept only where it matters.
describe('the official examples', () => {
  test.each([
    ['POST', '/sb/v4/campaigns/list', JSON_TYPE, vnd('sbcampaignresource.v4'), {}, 200],
    ['PUT', '/sb/v4/campaigns', JSON_TYPE, vnd('updatecampaignsresponse.v4'), { campaigns: [] }, 207],
    ['POST', '/sb/targets/list', JSON_TYPE, vnd('sblisttargetsresponse.v3'), {}, 200],
    ['POST', '/sb/keywords', JSON_TYPE, null, [], 207],
    ['GET', '/sb/keywords', null, vnd('sbkeyword.v3.2'), undefined, 200],
    ['GET', '/sd/campaigns', null, '*/*', undefined, 200],
    ['POST', '/sp/targets/categories/recommendations', vnd('spproducttargeting.v3'), JSON_TYPE, { asins }, 200],
    [
      'POST',
      '/sp/targets/products/recommendations',
      JSON_TYPE,
      vnd('spproductrecommendationresponse.asins.v3'),
      { adAsins: asins },
      200,
    ],
    ['POST', '/product/metadata', JSON_TYPE, null, { asins, pageIndex: 0, pageSize: 5 }, 200],
    ['POST', '/sp/campaigns/budget/usage', JSON_TYPE, vnd('spcampaignbudgetusage.v1'), { campaignIds: ['1'] }, 207],
  ])('%s %s is answered', async (method, path, content, accept, body, status) => {
    const answer = await ask(method, path, content, accept, body)
    expect(answer, JSON.stringify(answer.body)).toMatchObject({ status })
  })
})

describe('a wrong type is rejected in the family’s wording', () => {
  test.each([
    ['POST', '/sb/targets/list', vnd('sblisttargetsresponse.v3'), null, 415, 'Cannot consume content type'],
    ['POST', '/sd/campaigns', vnd('spCampaign.v3'), null, 415, 'Cannot consume content type'],
    ['GET', '/sd/campaigns', null, vnd('spCampaign.v3'), 406, 'No match for accept header'],
    ['GET', '/sb/keywords', null, vnd('sbtarget.v3'), 406, 'No match for accept header'],
    [
      'POST',
      '/sp/targets/bid/recommendations',
      JSON_TYPE,
      vnd('spCampaign.v3'),
      406,
      expect.stringContaining('Accept'),
    ],
    [
      'POST',
      '/sp/targets/keywords/recommendations',
      vnd('spkeywordsrecommendation.v2'),
      null,
      415,
      expect.stringContaining('Content-Type'),
    ],
  ])('%s %s', async (method, path, content, accept, status, details) => {
    const answer = await ask(method, path, content, accept, method === 'GET' ? undefined : {})
    expect(answer).toEqual({ status, body: { code: expect.any(String), details } })
  })
})
