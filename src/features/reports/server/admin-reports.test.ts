import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { promoteUser } from '#features/auth/server/public.ts'
import type { AuditEntry } from '#features/managing/contract.ts'
import { rollUpProducts } from '#features/metrics/server/sql/read-products.ts'
import type { Services } from '#server/context.ts'
import { openIntegrations } from '../../../main/integrations.ts'
import { addCaller, openProcess, type Process } from '../../../../tests/support/answers-scene.ts'
import { addTestCampaign, testCaller } from '../../../../tests/support/campaign-account.ts'
import { testServices } from '../../../../tests/support/services.ts'
import type { AdminReport } from '../admin-contract.ts'
import type { Report } from '../contract.ts'
import { makeReport } from './make-report.job.ts'
import { reportJobs, requestReport } from './request-report.ts'

let services: Services & { close(): Promise<void> }
let server: Process

beforeAll(async () => {
  services = await testServices({ jobs: reportJobs })
  services.integrations = openIntegrations(services)
  server = await openProcess(services)
})
afterAll(async () => {
  await server.close()
  await services.close()
})

const root = '/admin/performance-reports'
const days = { dateFrom: '2026-03-01', dateTo: '2026-03-10' }
const [advertised, other, unknown] = ['B0TEST0001', 'B0TEST0002', 'B0TEST0009'] as const
const run = { id: '1', attempt: 0, lastAttempt: true, signal: new AbortController().signal }
const system = () => services.db.system

async function addManager(role: 'CAMPAIGN_MANAGER' | 'ADMIN' = 'CAMPAIGN_MANAGER') {
  const manager = await addCaller(services)
  const { email } = await system()
    .selectFrom('account')
    .select('email')
    .where('id', '=', manager.accountId)
    .executeTakeFirstOrThrow()
  await promoteUser(services, email, role)
  return manager
}
/** A user with two products of which one was advertised for 5 dollars. */
async function addUser() {
  const user = await addCaller(services)
  const { merchantId, profileId } = user
  await sql`insert into product (merchant_id, marketplace_id, sku, asin, title, price_micros, currency)
    values (${merchantId}, 1, 'SKU-1', ${advertised}, 'Garden hose', 20000000, 'USD'),
      (${merchantId}, 1, 'SKU-2', ${other}, 'Desk lamp', 10000000, 'USD')`.execute(system())
  await addTestCampaign(services, user, { name: 'Hoses', day: [100, 10, 5, 20, 1], days: ['2026-03-05'] })
  await sql`insert into metrics_state (merchant_id, profile_id, data_version, daily_as_of, daily_from, daily_to)
    values (${merchantId}, ${profileId}, 1, now(), '2026-02-01', '2026-03-10')`.execute(system())
  await services.db.tenant(merchantId, tx =>
    rollUpProducts(tx, { ...user, marketplaceId: 1 }, { from: '2026-02-01', to: '2026-03-31' }),
  )
  return user
}

let keys = 0
interface Changes {
  key?: string
  [field: string]: unknown
}
function request(token: string, userId: number, { key = `key-${++keys}`, ...changes }: Changes = {}) {
  const body = { userId, asins: [advertised, unknown], ...days, format: 'CSV', ...changes }
  return server.call(token, `${root}/request-asin-report`, { method: 'POST', body, key })
}
const listed = async (token: string) => ((await server.call(token, root)).json() as { content: AdminReport[] }).content
const logOf = async (token: string) =>
  ((await server.call(token, '/user/audit-log')).json() as { content: AuditEntry[] }).content

test('a manager requests a report of a user’s products and reads it; the user’s log says so, and nothing else does', async () => {
  const [manager, colleague, admin, user] = [
    await addManager(),
    await addManager(),
    await addManager('ADMIN'),
    await addUser(),
  ]
  const answer = await request(manager.token, user.accountId)
  expect(answer.status).toBe(202)
  const { id } = answer.json() as { id: number }
  expect(await listed(manager.token)).toMatchObject([
    {
      id,
      kind: 'ASIN',
      status: 'QUEUED',
      asins: [advertised, unknown],
      user: { id: user.accountId },
      accountName: 'Test seller',
    },
  ])
  expect((await server.call(manager.token, `${root}/${id}/download`)).status).toBe(422)

  await makeReport.run(services, { merchantId: user.merchantId, reportId: id }, run)
  expect(await listed(manager.token)).toMatchObject([{ id, status: 'READY', progress: 100 }])
  const file = await server.call(manager.token, `${root}/${id}/download`)
  expect(file.status).toBe(200)
  const rows = parse(file.text, { columns: true, bom: true }) as Record<string, string>[]
  // What was not asked for is left out; what the account does not have is named, and its figures are unknown.
  expect(rows.map(row => [row['ASIN'], row['Product'], row['Ad spend (USD)']])).toEqual([
    [advertised, 'Garden hose', '5'],
    [unknown, '', ''],
  ])

  // A user who has lost the merchant leaves its manager nothing to read.
  const member = system().updateTable('membership').where('account_id', '=', user.accountId)
  await member.set({ ended_at: new Date() }).execute()
  expect((await server.call(manager.token, `${root}/${id}/download`)).status).toBe(404)
  await member.set({ ended_at: null }).execute()

  // Neither colleagues nor the user's own pages have it, and the user is not notified.
  for (const { token } of [colleague, admin]) {
    expect(await listed(token)).toEqual([])
    expect((await server.call(token, `${root}/${id}/download`)).status).toBe(404)
  }
  const own = await server.call(user.token, '/performance-reports')
  expect((own.json() as { content: Report[] }).content).toEqual([])
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/download'],
    ['GET', '/download-url'],
    ['POST', '/retry'],
    ['DELETE', ''],
  ] as const)
    expect((await server.call(user.token, `/performance-reports/${id}${path}`, { method })).status).toBe(404)
  const notices = await system().selectFrom('notification').select('id').where('cause', '=', `report-${id}`).execute()
  const mails = await sql`select 1 from mail_outbox where dedupe_key like 'report:%'`.execute(system())
  expect([notices, mails.rows]).toEqual([[], []])
  expect(
    (await logOf(user.token)).map(({ method, path, details, outcome }) => [method, path, details, outcome]),
  ).toEqual([
    ['GET', `${root}/:id/download`, { id: [id] }, 'DONE'],
    [
      'POST',
      `${root}/request-asin-report`,
      {
        profileId: [user.profileId],
        asins: [advertised, unknown],
        format: ['CSV'],
        dateFrom: [days.dateFrom],
        dateTo: [days.dateTo],
      },
      'DONE',
    ],
  ])
})

test('only managers request, and only for users whom they may see; what they may no longer see is closed to them', async () => {
  const [manager, admin, user, assigned] = [
    await addManager(),
    await addManager('ADMIN'),
    await addUser(),
    await addUser(),
  ]
  const { id } = (await request(manager.token, user.accountId)).json() as { id: number }
  await makeReport.run(services, { merchantId: user.merchantId, reportId: id }, run)
  const assignment = `/admin/user-management/managers/${manager.accountId}/users`
  const body = { seesAll: false, userIds: [assigned.accountId] }
  expect((await server.call(admin.token, assignment, { method: 'PUT', body })).status).toBe(200)
  expect((await request(manager.token, user.accountId)).status).toBe(404)
  expect(await listed(manager.token)).toEqual([])
  expect((await server.call(manager.token, `${root}/${id}/download`)).status).toBe(404)
  expect((await request(manager.token, 999_999)).status).toBe(404)
  expect((await request(manager.token, assigned.accountId)).status).toBe(202)
  expect((await request(admin.token, user.accountId)).status).toBe(202)
  expect((await request(admin.token, manager.accountId)).status).toBe(403)

  for (const [method, path] of [
    ['GET', root],
    ['GET', `${root}/${id}/download`],
  ] as const)
    expect((await server.call(user.token, path, { method })).status).toBe(403)
  expect((await request(user.token, user.accountId)).status).toBe(403)
  // While managing, the calls are the managed user's, and admin pages are closed.
  await server.call(manager.token, `/admin/user-management/manage/${assigned.accountId}`, { method: 'POST' })
  expect((await request(manager.token, assigned.accountId)).status).toBe(403)
  expect((await server.call(manager.token, root)).status).toBe(403)
})

test('a report is of an account that the user owns and pays for, and of ASINs that can be some', async () => {
  const [manager, user, stranger] = [await addManager(), await addUser(), await addUser()]
  for (const asins of [[], ['B0TEST'], [advertised, 'B0-TEST-01'], Array.from({ length: 201 }, () => advertised)])
    expect((await request(manager.token, user.accountId, { asins })).status).toBe(400)
  expect((await request(manager.token, user.accountId, { dateFrom: '2026-03-11' })).status).toBe(400)
  const { id } = (
    await request(manager.token, user.accountId, { asins: [advertised.toLowerCase(), advertised] })
  ).json()
  expect((await listed(manager.token)).find(one => one.id === id)?.asins).toEqual([advertised])
  expect((await request(manager.token, user.accountId, { profileId: user.profileId })).status).toBe(202)
  expect((await request(manager.token, user.accountId, { profileId: stranger.profileId })).status).toBe(404)
  const ownReport = { kind: 'CAMPAIGNS', format: 'CSV', ...days, asins: [advertised] }
  const own = await server.call(user.token, '/performance-reports', { method: 'POST', body: ownReport, key: 'own' })
  expect(own.status).toBe(400)

  const member = system().updateTable('membership').where('account_id', '=', user.accountId)
  await member.set({ role: 'VIEWER' }).execute()
  expect((await request(manager.token, user.accountId)).status).toBe(422)
  await member.set({ role: 'OWNER' }).execute()
  await system().deleteFrom('subscription').where('account_id', '=', user.accountId).execute()
  expect((await request(manager.token, user.accountId)).json()).toMatchObject({
    errorCode: 'RULE_VIOLATED',
    message: expect.stringContaining('No subscription'),
  })
})

test('a request that is sent again makes one report, another one makes another, and a failure says why', async () => {
  const [manager, user] = [await addManager(), await addUser()]
  const first = await request(manager.token, user.accountId, { key: 'same' })
  const again = await request(manager.token, user.accountId, { key: 'same' })
  expect([again.status, again.json()]).toEqual([202, first.json()])
  expect(await listed(manager.token)).toHaveLength(1)
  expect(await logOf(user.token)).toHaveLength(1)
  const second = (await request(manager.token, user.accountId, { format: 'PDF' })).json() as { id: number }
  expect(await listed(manager.token)).toHaveLength(2)
  const key = { merchantId: user.merchantId, reportId: second.id }
  await makeReport.run(services, key, run)
  expect((await listed(manager.token))[0]).toMatchObject({
    id: second.id,
    status: 'READY',
    fileName: expect.stringMatching(/\.pdf$/),
  })
  await makeReport.onFinalFailure?.(
    services,
    { ...key, reportId: (first.json() as { id: number }).id },
    new Error('full'),
  )
  expect((await listed(manager.token))[1]).toMatchObject({
    status: 'FAILED',
    problem: expect.stringContaining('our side'),
  })
  // What managers request takes none of the user's room, and the user's own limited report none of theirs.
  const ctx = await testCaller(services, user)
  const ownBody = { kind: 'ASIN', format: 'CSV', ...days, brandingProfileId: null } as const
  const own = await requestReport(ctx, { ...ownBody, asins: [other] })
  await makeReport.run(services, { merchantId: user.merchantId, reportId: own.id }, run)
  const file = await server.call(user.token, `/performance-reports/${own.id}/download`)
  const rows = parse(file.text, { columns: true, bom: true }) as Record<string, string>[]
  expect(rows.map(row => row['ASIN'])).toEqual([other])
})
