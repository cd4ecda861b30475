import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '#server/db/open-database.ts'
import { addSums } from '#shared/metrics.ts'
import { dailyRows } from '../../../../../tests/support/daily-rows.ts'
import { openTestDatabase } from '../../../../../tests/support/database.ts'
import { profileDays } from '../sql/read-figures.ts'
import { replaceDays } from '../sql/replace-days.ts'

const owner = { merchantId: 1, profileId: 1 }
const range = { from: '2026-10-01', to: '2026-10-03', adType: 'SPONSORED_PRODUCTS' } as const
const rows = Array.from({ length: 300 }, (_, i) => ({
  campaign_id: 1 + (i % 100),
  date: ['2026-10-01', '2026-10-02', '2026-10-03'][Math.floor(i / 100)] ?? '',
  impressions: 10,
  clicks: 1,
  cost_micros: 500_000,
  sales_micros: 0,
  orders: 0,
  units: 0,
}))

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('pulls of the same days at the same moment count once', async () => {
  // Without their number rows are compared as those of a large account are.
  const pull = (count?: number) =>
    db.tenant(owner.merchantId, tx => replaceDays(tx, 'campaign_day', owner, range, dailyRows(rows), count))
  for (let round = 0; round < 5; round++) await Promise.all([pull(), pull(300), pull(), pull(300)])
  const days = await db.tenant(owner.merchantId, tx =>
    profileDays(tx, owner.merchantId, [owner.profileId], range.from, range.to),
  )
  const totals = addSums(days)
  expect([totals.clicks, totals.costMicros]).toEqual([300, 150_000_000])
})
