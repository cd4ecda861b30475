import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkOfFile } from '../models.ts'
import { at, textAt } from '../selling-partner-world.ts'
import type { Judge } from './judge.ts'

/** Feeds. */
export function feedCases({ ask, product, world, app, sellerId, marketplaceId }: Judge): void {
  test('a feed from its file to what came of it', async () => {
    const place = await ask('createFeedDocument', { body: { contentType: 'application/json; charset=UTF-8' } })
    expect((await ask('createFeedDocument', { body: {} })).status).toBe(400)
    const value = [{ value: 'Fed', marketplace_id: marketplaceId }]
    const file = {
      header: {
        sellerId,
        version: '2.0',
        report: { includedData: ['summaries', 'issues'], apiVersion: '2021-08-01' },
      },
      messages: [
        {
          messageId: 1,
          sku: product().sku,
          operationType: 'PARTIAL_UPDATE',
          productType: 'PRODUCT',
          attributes: { item_name: value },
        },
        { messageId: 2, sku: 'none', operationType: 'DELETE' },
      ],
    }
    const uploaded = await app().inject({
      method: 'PUT',
      url: textAt(place.body, 'url').replace('http://sandbox.test', ''),
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      payload: gzipSync(JSON.stringify(file)),
    })
    expect(uploaded.statusCode).toBe(200)
    const inputFeedDocumentId = textAt(place.body, 'feedDocumentId')
    const order = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [marketplaceId], inputFeedDocumentId }
    const created = await ask('createFeed', { body: order })
    expect((await ask('createFeed', { body: { ...order, inputFeedDocumentId: 'none' } })).status).toBe(400)
    const feedId = textAt(created.body, 'feedId')
    world().clock.advance(10_000)
    expect(at((await ask('getFeeds', { query: { feedTypes: order.feedType } })).body, 'feeds')).toHaveLength(1)
    const done = await ask('getFeed', { path: { feedId } })
    expect(at(done.body, 'processingStatus')).toBe('DONE')
    const document = await ask('getFeedDocument', {
      path: { feedDocumentId: textAt(done.body, 'resultFeedDocumentId') },
    })
    const result = await app().inject(textAt(document.body, 'url').replace('http://sandbox.test', ''))
    const report = JSON.parse(gunzipSync(result.rawPayload).toString()) as Record<string, unknown>
    expect(report).toMatchObject({ summary: { messagesAccepted: 1, messagesInvalid: 1 } })
    const check = checkOfFile('feeds/listings-feed-processing-report-schema-v2.json')
    check?.(report)
    expect(check?.errors ?? []).toEqual([])
    expect(product().title).toBe('Fed')
    expect((await ask('cancelFeed', { path: { feedId } })).status).toBe(400)
  })

  test('a feed that is still in the queue is cancelled', async () => {
    const place = await ask('createFeedDocument', { body: { contentType: 'application/json; charset=UTF-8' } })
    await app().inject({
      method: 'PUT',
      url: textAt(place.body, 'url').replace('http://sandbox.test', ''),
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      payload: '{}',
    })
    const inputFeedDocumentId = textAt(place.body, 'feedDocumentId')
    const order = { feedType: 'JSON_LISTINGS_FEED', marketplaceIds: [marketplaceId], inputFeedDocumentId }
    const path = { feedId: textAt((await ask('createFeed', { body: order })).body, 'feedId') }
    expect((await ask('cancelFeed', { path })).status).toBe(200)
    world().clock.advance(10_000)
    expect(at((await ask('getFeed', { path })).body, 'processingStatus')).toBe('CANCELLED')
  })
}
