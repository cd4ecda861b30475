import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { promoteUser } from '#features/auth/server/public.ts'
import { exportData } from '#features/data-export/server/export-data.ts'
import { structureJobs } from '#features/structure/server/push/send-changes.ts'
import type { Services } from '#server/context.ts'
import { addTestCampaign, testCaller } from '../../../../tests/support/campaign-account.ts'
import { addCaller, openProcess, type Process } from '../../../../tests/support/answers-scene.ts'
import { testServices } from '../../../../tests/support/services.ts'
import type { AuditEntry } from '../contract.ts'
import { checkLogJob, findBreaks, knownBreaks } from './check-log.job.ts'

let services: Services & { close(): Promise<void> }
let server: Process

beforeAll(async () => {
  services = await testServices({ jobs: structureJobs })
  server = await openProcess(services)
})
afterAll(async () => {
  await server.close()
  await services.close()
})

const root = '/admin/user-management'
const system = () => services.db.system
const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }

/** A manager who manages a user with a campaign. */
async function beginManaging() {
  const [manager, user] = [await addCaller(services), await addCaller(services)]
  const { email } = await system()
    .updateTable('account')
    .set({ first_name: 'Noa', last_name: 'Berg' })
    .where('id', '=', manager.accountId)
    .returning('email')
    .executeTakeFirstOrThrow()
  await promoteUser(services, email, 'CAMPAIGN_MANAGER')
  const { keywordId } = await addTestCampaign(services, user, { name: 'Lamps' })
  const call = (path: string, options: Parameters<Process['call']>[2] = {}) => server.call(manager.token, path, options)
  expect((await call(`${root}/manage/${user.accountId}`, { method: 'POST' })).status).toBe(200)
  return { manager: { ...manager, email }, user, keywordId, call }
}
const logOf = async (token: string, query = '') =>
  ((await server.call(token, `/user/audit-log${query}`)).json() as { content: AuditEntry[] }).content
const brief = ({ method, path, outcome, errorCode }: AuditEntry) => [`${method} ${path}`, outcome, errorCode]

test('the user reads who did what: changes, reads, and what was rejected or failed', async () => {
  const { manager, user, keywordId, call } = await beginManaging()
  const keyword = `/keywords/${keywordId}?bid=0.85`
  expect((await call(keyword, { method: 'PUT', ifMatch: 1, key: 'a-key' })).status).toBe(200)
  expect((await call('/keywords/999999?bid=0.85', { method: 'PUT', ifMatch: 1, key: 'b-key' })).status).toBe(404)
  expect((await call('/user', { method: 'PATCH', body: { locale: 'no such language' } })).status).toBe(400)
  expect((await call('/auth/change-password', { method: 'POST', body: { newPassword: 'Secret=9bay' } })).status).toBe(
    403,
  )
  expect((await call('/campaign/cm')).status).toBe(200)
  // The second comes from the cache.
  expect((await call('/campaign/cm')).status).toBe(200)
  await call(`${root}/manage/clear`, { method: 'POST' })
  // No longer for the user.
  await call('/campaign/cm')

  const log = await logOf(user.token)
  expect(log.map(brief)).toEqual([
    [`POST ${root}/manage/clear`, 'DONE', null],
    ['GET /campaign/cm', 'DONE', null],
    ['GET /campaign/cm', 'DONE', null],
    ['POST /auth/change-password', 'REJECTED', 'FORBIDDEN'],
    ['PATCH /user', 'REJECTED', 'VALIDATION_FAILED'],
    ['PUT /keywords/:id', 'REJECTED', 'NOT_FOUND'],
    ['PUT /keywords/:id', 'DONE', null],
    [`POST ${root}/manage/:id`, 'DONE', null],
  ])
  expect(log[6]).toMatchObject({ managerName: 'Noa Berg', managerEmail: manager.email })
  expect(log[6]?.details).toEqual({ id: [String(keywordId)], bid: ['0.85'] })
  expect(JSON.stringify(log)).not.toContain('Secret=9bay')
  expect((await logOf(user.token, '?kind=CHANGES')).map(brief)).toHaveLength(6)
  expect(await logOf(manager.token)).toEqual([])

  const exported: string[] = []
  const decoder = new TextDecoder()
  for await (const part of exportData(await testCaller(services, user)).content) exported.push(decoder.decode(part))
  const file = JSON.parse(exported.join('')) as { managedCalls: AuditEntry[] }
  expect(file.managedCalls.map(entry => entry.path)).toEqual(log.map(entry => entry.path).toReversed())
})

test('a change that cannot be recorded is not made, and a read not answered', async () => {
  const { user, keywordId, call } = await beginManaging()
  const bidOf = async () =>
    (await system().selectFrom('target').select('bid_micros').where('id', '=', keywordId).executeTakeFirstOrThrow())
      .bid_micros
  const before = await bidOf()
  await sql`alter table managed_call add constraint broken check (account_id <> ${sql.lit(user.accountId)}) not valid`.execute(
    system(),
  )
  try {
    const change = await call(`/keywords/${keywordId}?bid=0.91`, { method: 'PUT', ifMatch: 1, key: 'c-key' })
    expect([change.status, change.json().errorCode]).toEqual([503, 'UNAVAILABLE'])
    expect((await call('/campaign/cm')).status).toBe(503)
    expect(await bidOf()).toBe(before)
  } finally {
    await sql`alter table managed_call drop constraint broken`.execute(system())
  }
  expect((await call(`/keywords/${keywordId}?bid=0.91`, { method: 'PUT', ifMatch: 1, key: 'd-key' })).status).toBe(200)
  expect(await bidOf()).not.toBe(before)
})

test('a change whose outcome was never recorded is shown as unknown', async () => {
  const { user } = await beginManaging()
  await sql`insert into managed_call (account_id, phase, request_id, session_id, manager_id, manager_email, manager_name, method, path,
    summary, details) values (${user.accountId}, 'BEGUN', 'cut', 's', 1, 'm@people.test', 'M', 'PUT', '/keywords/:id', 'Change', '{}')`.execute(
    system(),
  )
  expect((await logOf(user.token))[0]).toMatchObject({ outcome: 'UNKNOWN', number: 2 })
})

test('nobody can change, delete or truncate entries, and simultaneous calls make one chain', async () => {
  const { user, call } = await beginManaging()
  await Promise.all(Array.from({ length: 12 }, () => call('/user/short')))
  const own = sql`where account_id = ${user.accountId}`
  for (const statement of [
    sql`update managed_call set summary = 'Nothing' ${own}`,
    sql`delete from managed_call ${own}`,
    sql`truncate managed_call`,
    sql`update managed_call_head set number = 1 ${own}`,
    sql`delete from managed_call_head ${own}`,
    sql`truncate managed_call_head`,
  ])
    await expect(statement.execute(system())).rejects.toThrow(/log of managed calls/)
  const asTenant = (work: string) => services.db.tenant(user.merchantId, tx => sql.raw(work).execute(tx))
  await expect(asTenant('select * from managed_call')).rejects.toThrow(/permission denied/)
  await expect(asTenant(`delete from managed_call`)).rejects.toThrow(/permission denied/)
  // Neither number nor time nor hash can be given.
  await sql`insert into managed_call (account_id, number, at, hash, previous_hash, phase, request_id, session_id, manager_id, manager_email,
    manager_name, method, path, summary, details, status)
    values (${user.accountId}, 500, '2020-01-01', 'x', 'x', 'WHOLE', 'forged', 's', 1, 'm', 'm', 'GET', '/', 's', '{}', 200)`.execute(
    system(),
  )
  const { rows } = await sql<{
    number: number
    isNow: boolean
  }>`select number, at > now() - interval '1 hour' as "isNow"
    from managed_call ${own} order by number`.execute(system())
  expect(rows.map(row => row.number)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
  expect(rows.every(row => row.isNow)).toBe(true)
  expect(await findBreaks(system())).toEqual([])
})

/** Does what only someone can do who owns the database. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await services.db.transaction(async tx => {
    await sql`alter table managed_call disable trigger user`.execute(tx)
    await sql`alter table managed_call_head disable trigger user`.execute(tx)
    await statement.execute(tx)
    await sql`alter table managed_call enable trigger user`.execute(tx)
    await sql`alter table managed_call_head enable trigger user`.execute(tx)
  })
}

test('the check finds what was changed, removed or put in behind the triggers, and tells operators', async () => {
  const worlds = [await beginManaging(), await beginManaging(), await beginManaging()]
  for (const { call } of worlds) for (let n = 0; n < 4; n++) await call('/user/short')
  const [changed = 0, gap = 0, cut = 0] = worlds.map(world => world.user.accountId)
  const error = vi.spyOn(services.log, 'error').mockImplementation(() => undefined)
  await tamper(sql`update managed_call set manager_name = 'Somebody else' where account_id = ${changed} and number = 2`)
  await tamper(sql`delete from managed_call where account_id = ${gap} and number = 3`)
  await tamper(sql`delete from managed_call where account_id = ${cut} and number = 5`)
  const breaks = await findBreaks(system())
  expect(breaks.toSorted((a, b) => a.accountId - b.accountId)).toEqual([
    { accountId: changed, number: 2, problem: 'CHANGED' },
    { accountId: gap, number: 4, problem: 'MISSING' },
    { accountId: cut, number: 5, problem: 'MISSING' },
  ])
  expect(await knownBreaks(system())).toBe(0)
  await checkLogJob.run(services, {}, job)
  await checkLogJob.run(services, {}, job)
  expect(await knownBreaks(system())).toBe(3)
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ accountId: changed }),
    expect.stringContaining('tampered'),
  )
  error.mockRestore()
})

test('entries are deleted after seven years, and the chain goes on from there', async () => {
  const { user, call } = await beginManaging()
  await call('/user/short')
  const first = sql`account_id = ${user.accountId} and number = 1`
  // As it would be after the years: with the hash of its time.
  await tamper(sql`update managed_call set at = now() - interval '7 years 1 day' where ${first}`)
  await tamper(sql`update managed_call c set hash = sha256(convert_to(managed_call_text(c), 'UTF8')) where ${first}`)
  await tamper(sql`update managed_call c set previous_hash = (select hash from managed_call f where f.account_id = c.account_id and f.number = 1)
    where account_id = ${user.accountId} and number = 2`)
  await tamper(
    sql`update managed_call c set hash = sha256(convert_to(managed_call_text(c), 'UTF8')) where account_id = ${user.accountId} and number = 2`,
  )
  await tamper(sql`update managed_call_head h set hash = (select hash from managed_call f where f.account_id = h.account_id and f.number = 2)
    where account_id = ${user.accountId}`)
  const ownBreaks = async () => (await findBreaks(system())).filter(one => one.accountId === user.accountId)
  expect(await ownBreaks()).toEqual([])
  await checkLogJob.run(services, {}, job)
  expect((await logOf(user.token)).map(entry => entry.number)).toEqual([2])
  expect(await ownBreaks()).toEqual([])
  await tamper(sql`delete from managed_call where account_id = ${user.accountId}`)
  expect(await ownBreaks()).toEqual([{ accountId: user.accountId, number: 2, problem: 'MISSING' }])
})
