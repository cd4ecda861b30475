import { expect, test } from 'vitest'
import { at, listAt, textAt } from '../selling-partner-world.ts'
import type { Judge } from './judge.ts'

/** Sales, and orders with whose data they carry. */
export function orderCases({ ask, timezone, marketplaceId }: Judge): void {
  const marketplaceIds = marketplaceId
  test('sales and single orders', async () => {
    const offset = { 'America/Los_Angeles': '-08:00', 'Europe/Paris': '+01:00', 'Asia/Tokyo': '+09:00' }[timezone]
    const interval = `2026-11-10T00:00:00${offset}--2026-11-13T00:00:00${offset}`
    const query = { marketplaceIds, interval, granularity: 'Day', granularityTimeZone: timezone }
    const metrics = await ask('getOrderMetrics', { query })
    expect(at(metrics.body, 'payload')).toHaveLength(3)
    expect((await ask('getOrderMetrics', { query: { ...query, granularity: 'Fortnight' } })).status).toBe(400)
    const includedData =
      'BUYER,RECIPIENT,PROCEEDS,EXPENSE,PROMOTION,CANCELLATION,FULFILLMENT,PACKAGES,TAX,PAYMENT,FULFILLMENT_ORDERS'
    const window = {
      createdAfter: `2026-11-10T00:00:00${offset}`,
      createdBefore: `2026-11-12T23:59:59${offset}`,
      marketplaceIds,
    }
    const { body } = await ask('searchOrders', { query: { ...window, includedData } })
    expect(listAt(body, 'orders').length).toBeGreaterThan(0)
    const orderId = textAt(body, 'orders', 0, 'orderId')
    expect(
      textAt((await ask('getOrder', { path: { orderId }, query: { includedData } })).body, 'order', 'orderId'),
    ).toBe(orderId)
    expect((await ask('getOrder', { path: { orderId: '111-0000000-0000000' } })).status).toBe(404)
    expect((await ask('searchOrders', {})).status).toBe(400)
    const resource = { method: 'GET', path: '/orders/2026-01-01/orders' }
    const rdt = await ask('createRestrictedDataToken', { body: { restrictedResources: [resource] } })
    expect(rdt.body).toMatchObject({ expiresIn: 3600 })
    const shown = await ask(
      'searchOrders',
      { query: { ...window, includedData } },
      textAt(rdt.body, 'restrictedDataToken'),
    )
    expect(at(shown.body, 'orders', 0, 'buyer', 'buyerName')).toBeTruthy()
    expect((await ask('createRestrictedDataToken', { body: {} })).status).toBe(400)
  })
}
