import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { importDays, importTrade } from '#features/metrics/server/public.ts'
import { seedProfile } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { startSeeding } from '#features/onboarding/server/jobs/seed-profile.job.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type FaultOrder, openProductScene, type ProductScene } from '../../support/product-scene.ts'
import { tableState } from '../../support/table-state.ts'

// Data is brought in by a job while the user watches a card of progress.

let scene: ProductScene
let whole: Record<string, unknown>
let days: { from: string; to: string }
beforeAll(async () => {
  scene = await openProductScene({ login: 'seller@sandbox.test', sellerId: 'A4DRIFTWOODUSX', country: 'US' })
  await scene.sandbox.control('POST', 'reports', { pendingMs: 0, processingMs: 0 })
  // Days that are settled, so that two reads of them must be equal.
  const today = dayIn(scene.services.clock.now(), scene.profile.timezone)
  days = { from: addDays(today, -71), to: addDays(today, -70) }
  await scene.importStructure()
  await figures()
  whole = await held()
  scene.calm()
})
afterEach(() => scene.calm())
afterAll(() => scene.close())

const signal = () => new AbortController().signal
const run = () => ({ id: 'job', attempt: 0, lastAttempt: false, signal: signal() })
const owner = () => ({ merchantId: scene.merchantId, profileId: scene.profile.profileId })
const figures = (until = signal()) =>
  importDays(scene.services, scene.profile, { ...days, signal: until, onProgress: async () => undefined })
const structure = ['campaign', 'ad_group', 'product_ad', 'target', 'negative']
// Of the rows on their way into the days nothing may be left, however an import ends.
const daily = [
  'campaign_day',
  'ad_group_day',
  'target_day',
  'search_term_day',
  'ad_day',
  'placement_day',
  'running_sum',
  'report_row',
]

/** Every row of the account's mirror and figures, but for when it was written. */
async function held(): Promise<Record<string, unknown>> {
  const { system } = scene.services.db
  const states = [...structure, ...daily].map(
    async table => [table, await tableState(system, table, { omit: ['updated_at', 'created_at'] })] as const,
  )
  return Object.fromEntries(await Promise.all(states))
}
async function card(): Promise<{ id: number; status: string; description: string } | undefined> {
  const { body } = await scene.call('GET', '/seeding-status/active')
  return body.find((item: { kind: string }) => item.kind === 'STRUCTURE')
}
const at = (vendor: string, path: string, fault: FaultOrder) =>
  scene.order({ match: { vendor, path }, times: 1000, ...fault })

describe('the card of campaigns and keywords', () => {
  beforeEach(async () => {
    await scene.services.db.system.deleteFrom('seeding_job').execute()
    await startSeeding.run(scene.services, { merchantId: scene.merchantId, profileIds: [owner().profileId] }, run())
    // The other kinds have cards of their own.
    await scene.services.db.system
      .updateTable('seeding_job')
      .set({ status: 'COMPLETED', finished_at: scene.services.clock.now() })
      .where('kind', '<>', 'STRUCTURE')
      .execute()
  })
  /** Once the marketplace is well again the import ends complete, with nothing lost and nothing twice. */
  const endsWhole = async () => {
    scene.calm()
    await seedProfile.run(scene.services, owner(), run())
    expect(await card()).toMatchObject({ status: 'COMPLETED' })
    expect(await held()).toEqual(whole)
  }

  test.each<FaultOrder>([
    { kind: 'throttle', retryAfterSeconds: 0.02, times: 2 },
    { kind: 'throttle', retryAfterSeconds: null, times: 2 },
    { kind: 'status', status: 503, times: 2 },
    { kind: 'slow', delayMs: 50, times: 1 },
    { kind: 'hang', times: 1 },
    { kind: 'drop-before', times: 1 },
    { kind: 'drop-after', times: 1 },
    { kind: 'malformed', times: 1 },
    { kind: 'expired-token', times: 1 },
  ])('completes through a passing %j', async fault => {
    at('ads', '/sp/*/list', fault)
    await seedProfile.run(scene.services, owner(), run())
    expect(await card()).toMatchObject({ status: 'COMPLETED' })
    expect(await held()).toEqual(whole)
  })

  test.each<FaultOrder>([
    { kind: 'throttle', retryAfterSeconds: 60 },
    { kind: 'throttle', retryAfterSeconds: null },
  ])('waits through a lasting %j and goes on by itself', async fault => {
    at('ads', '/sp/keywords/list', fault)
    await seedProfile.run(scene.services, owner(), run())
    expect(await card()).toMatchObject({ status: 'IN_PROGRESS', description: 'Waiting for the marketplace' })
    await endsWhole()
  })

  test.each<FaultOrder>([
    { kind: 'status', status: 500 },
    { kind: 'hang' },
    { kind: 'drop-before' },
    { kind: 'malformed' },
  ])('fails by a lasting %j only after the last try, and can be tried again', async fault => {
    scene.calm({ timeoutMs: 100 })
    at('ads', '/sp/keywords/list', fault)
    const failure = await seedProfile.run(scene.services, owner(), run()).then(
      () => undefined,
      (error: Error) => error,
    )
    expect(failure).toBeDefined()
    expect(await card()).toMatchObject({ status: 'IN_PROGRESS' })
    await seedProfile.onFinalFailure?.(scene.services, owner(), failure as Error)
    const failed = await card()
    expect(failed).toMatchObject({
      status: 'FAILED',
      description: 'This could not be imported. Please try again: nothing imported so far is lost.',
    })
    expect(await scene.call('POST', `/seeding-status/${failed?.id}/retry`)).toMatchObject({ status: 200 })
    await endsWhole()
  })

  test.each<FaultOrder>([{ kind: 'status', status: 403 }, { kind: 'expired-token' }])(
    'says at once what only the user can fix: %j',
    async fault => {
      at('ads', '/sp/keywords/list', fault)
      await seedProfile.run(scene.services, owner(), run())
      const failed = await card()
      expect(failed).toMatchObject({
        status: 'FAILED',
        description: 'The marketplace no longer accepts our permission. Connect the account again.',
      })
      expect(await scene.call('POST', `/seeding-status/${failed?.id}/retry`)).toMatchObject({ status: 200 })
      await endsWhole()
    },
  )
})

describe('daily figures', () => {
  const requests = () => scene.world.journal.list({ vendor: 'ads', method: 'POST', path: '/reporting/reports' }).length
  const openRequests = async () => {
    const open = scene.services.db.system.selectFrom('report_request' as never).selectAll()
    const rows = (await open.execute()) as { applied_at: Date | null; amazon_report_id: string | null }[]
    return rows.filter(row => row.applied_at === null)
  }
  beforeEach(() => scene.world.journal.clear())

  test.each<[string, string, FaultOrder]>([
    ['ads', '/reporting/reports*', { kind: 'throttle', retryAfterSeconds: null, times: 3 }],
    ['ads', '/reporting/reports*', { kind: 'status', status: 503, times: 2 }],
    ['ads', '/reporting/reports', { kind: 'drop-after', times: 2 }],
    ['ads', '/reporting/reports/*', { kind: 'malformed', times: 2 }],
    ['ads', '/reporting/reports', { kind: 'report-failed', times: 1 }],
    ['s3', '*', { kind: 'drop-before', times: 2 }],
  ])('at %s%s come whole through %j', async (vendor, path, fault) => {
    at(vendor, path, fault)
    await figures()
    expect(await held()).toEqual(whole)
    expect(await openRequests()).toEqual([])
  })

  test.each<[string, string, FaultOrder]>([
    ['ads', '/reporting/reports', { kind: 'throttle', retryAfterSeconds: 60 }],
    ['ads', '/reporting/reports', { kind: 'status', status: 500 }],
    ['ads', '/reporting/reports/*', { kind: 'hang' }],
    ['ads', '/reporting/reports', { kind: 'report-failed' }],
    ['s3', '*', { kind: 'malformed' }],
    ['s3', '*', { kind: 'status', status: 403 }],
  ])('at %s%s stay as they were while %j lasts, then come once', async (vendor, path, fault) => {
    scene.calm({ timeoutMs: 100 })
    at(vendor, path, fault)
    // None of these shuts anybody out: the job is tried again.
    await expect(figures()).rejects.not.toMatchObject({ name: 'UpstreamForbidden' })
    expect(await held()).toEqual(whole)
    scene.calm()
    await figures()
    expect(await held()).toEqual(whole)
    expect(await openRequests()).toEqual([])
  })

  test('of a report that is being made when the process ends are taken up by the next, not asked for again', async () => {
    // Of campaigns, targets, searches, ads and places.
    const reports = 5
    at('ads', '/reporting/reports', { kind: 'report-stuck', times: reports })
    await expect(figures(AbortSignal.timeout(400))).rejects.toThrow()
    const reportRequests = await openRequests()
    expect(reportRequests.map(row => row.amazon_report_id)).not.toContain(null)
    await expect(figures(AbortSignal.timeout(400))).rejects.toThrow()
    expect(requests()).toBe(reports)
    // A report that takes far too long is requested again.
    await scene.services.db.system
      .updateTable('report_request' as never)
      .set({ requested_at: new Date(Date.now() - 7 * 3_600_000) } as never)
      .where('applied_at' as never, 'is', null)
      .execute()
    scene.world.faults.clear()
    await figures()
    expect(requests()).toBe(2 * reports)
    expect(await held()).toEqual(whole)
    expect(await openRequests()).toEqual([])
  })
})

describe('all sales of the seller', () => {
  const reportRequests = () => scene.world.journal.list({ vendor: 'sp', method: 'POST', path: '/reports' }).length
  const trade = async () => {
    // The marketplace takes its time for a report, of which a test has none.
    const wait = setInterval(() => scene.world.clock.advance(10_000), 100)
    try {
      await importTrade(scene.services, scene.profile, days.from, days.to, AbortSignal.timeout(20_000))
    } finally {
      clearInterval(wait)
    }
  }
  const rows = () => tableState(scene.services.db.system, 'trade_day')
  const reports = '/reports/2021-06-30/reports'
  let books: unknown
  beforeAll(async () => {
    await trade()
    books = await rows()
    expect(await rows()).toMatchObject({ rows: 2 })
  })
  beforeEach(() => scene.world.journal.clear())

  test.each<[string, string, FaultOrder, number]>([
    ['sp', `${reports}*`, { kind: 'throttle', retryAfterSeconds: null, times: 2 }, 3],
    ['sp', `${reports}/*`, { kind: 'status', status: 500, times: 2 }, 1],
    ['sp', `${reports}/*`, { kind: 'expired-token', times: 1 }, 1],
    ['s3', '*', { kind: 'drop-before', times: 2 }, 1],
    // The answer is lost, the report is not: it is found among the newest.
    ['sp', reports, { kind: 'drop-after', times: 1 }, 1],
  ])('at %s%s come whole through %j', async (vendor, path, fault, calls) => {
    at(vendor, path, fault)
    await trade()
    expect(await rows()).toEqual(books)
    expect(reportRequests()).toBe(calls)
  })

  test('of a failed report are requested again by the next attempt', async () => {
    at('sp', reports, { kind: 'report-failed', times: 1 })
    await expect(trade()).rejects.toThrow('could not make')
    expect(await rows()).toEqual(books)
    await trade()
    expect([await rows(), reportRequests()]).toEqual([books, 2])
  })

  test('of a report that is being made when the process ends are not asked for again', async () => {
    at('sp', reports, { kind: 'report-stuck', times: 1 })
    const cut = () => importTrade(scene.services, scene.profile, days.from, days.to, AbortSignal.timeout(300))
    await expect(cut()).rejects.toThrow()
    await expect(cut()).rejects.toThrow()
    expect(reportRequests()).toBe(1)
    expect(await rows()).toEqual(books)
  })

  // Last, since it takes the connection away.
  test('of a seller who took the permission back end with the connection marked as lost', async () => {
    at('sp', `${reports}*`, { kind: 'revoked-grant', times: 1 })
    await expect(trade()).rejects.toMatchObject({ code: 'UPSTREAM_UNAUTHORIZED' })
    expect(await scene.health()).toMatchObject({ SELLING_PARTNER: 'LOST' })
    expect(await rows()).toEqual(books)
  })
})
