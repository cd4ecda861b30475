import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { listInventory } from '#features/catalogue/server/inventory.ts'
import { getPerformance } from '#features/home/server/get-performance.ts'
import { onboardingJobs } from '#features/onboarding/server/jobs.ts'
import { seedProfile } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { startSeeding } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { listActiveSeeding } from '#features/onboarding/server/seeding.ts'
import { connectSeller } from '../support/connected-seller.ts'
import { servicesWithOutside } from '../support/outside.ts'

// An account made of nothing but the marketplace's own published examples; they are read where SPAPI_MODELS_DIR says.
const folder = process.env['SPAPI_MODELS_DIR'] ?? ''
let close: (() => Promise<void>) | undefined
afterEach(async () => {
  await close?.()
})

test('the account of published examples comes in unchanged; what they leave open stays open', async context => {
  if (!existsSync(folder)) context.skip('SPAPI_MODELS_DIR names no folder: the published examples were not imported')
  const { services, sandbox } = await servicesWithOutside({ jobs: onboardingJobs })
  close = () => services.close()
  const login = sandbox.world.store.logins.find(l => l.email === 'published@sandbox.test')
  const sellerId = login?.sellerIds[0] ?? ''
  const seller = await connectSeller(services, { login: 'published@sandbox.test', sellerId })
  const [profile] = seller.profiles
  if (!profile) throw new Error('the examples made no advertising account')
  const { merchantId, profileId } = profile
  const run = { id: 'test', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
  await startSeeding.run(services, { merchantId, profileIds: [profileId] }, run)
  await seedProfile.run(services, { merchantId, profileId }, run)
  const seeding = await listActiveSeeding(seller.ctx)
  expect(seeding.map(item => [item.kind, item.status])).toEqual([
    ['STRUCTURE', 'COMPLETED'],
    ['INVENTORY', 'COMPLETED'],
    ['DAILY_FIGURES', 'COMPLETED'],
    ['HOURLY_FIGURES', 'COMPLETED'],
  ])
  const first = await listInventory(seller.ctx, { page: 0, size: 20 })
  expect(first.page.totalElements).toBeGreaterThan(0)
  const suitcase = first.content.find(product => product.sku === 'GM-ZDPI-9B4E')
  expect(suitcase).toMatchObject({
    asin: 'B071VG5N9D',
    title: 'Hardside Carry-On Spinner Suitcase Luggage',
    customerPrice: 100,
    customerCurrency: 'USD',
    available: 100,
    bestSellerRank: null,
    brand: null,
    fnsku: null,
    cogs: null,
    inboundQuantity: null,
  })
  // Nothing was advertised, so there is nothing from which to learn how days settle.
  const days = { dateFrom: '2026-01-01', dateTo: '2026-01-31', granularity: 'DAY' } as const
  const { points } = await getPerformance(seller.ctx, days)
  expect(points.map(({ cost, band }) => [cost, band])).toEqual(Array.from({ length: 31 }, () => [0, null]))
  await services.db.system.updateTable('seeding_job').set({ status: 'PENDING' }).execute()
  await seedProfile.run(services, { merchantId, profileId }, run)
  expect({ ...(await listInventory(seller.ctx, { page: 0, size: 20 })), asOf: null }).toEqual({ ...first, asOf: null })
})
