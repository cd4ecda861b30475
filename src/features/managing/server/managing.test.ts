import { afterAll, beforeAll, expect, test } from 'vitest'
import { promoteUser } from '#features/auth/server/public.ts'
import type { Services } from '#server/context.ts'
import { addCaller, addSession, openProcess, type Process } from '../../../../tests/support/answers-scene.ts'
import { testServices } from '../../../../tests/support/services.ts'
import type { ImpersonationStatus, ManagedUser } from '../contract.ts'

let services: Services & { close(): Promise<void> }
let server: Process
let aheadMs = 0

beforeAll(async () => {
  services = await testServices({ clock: { now: () => new Date(Date.now() + aheadMs) } })
  server = await openProcess(services)
})
afterAll(async () => {
  await server.close()
  await services.close()
})

type Options = NonNullable<Parameters<Process['call']>[2]>
const root = '/admin/user-management'
const post = (token: string, path: string, options: Options = {}) =>
  server.call(token, path, { method: 'POST', ...options })
const emailOf = async (accountId: number) =>
  (await services.db.system.selectFrom('account').select('email').where('id', '=', accountId).executeTakeFirstOrThrow())
    .email
const userOf = async (token: string) => (await server.call(token, '/user')).json() as { id: number }
const statusOf = async (token: string) =>
  (await server.call(token, `${root}/impersonation/status`)).json() as ImpersonationStatus

async function addManager(role: 'CAMPAIGN_MANAGER' | 'ADMIN' = 'CAMPAIGN_MANAGER') {
  const manager = await addCaller(services)
  await promoteUser(services, await emailOf(manager.accountId), role)
  return manager
}

test('a manager acts for a user until stopping, on one device only', async () => {
  const [manager, user] = [await addManager(), await addCaller(services)]
  const tablet = await addSession(services, manager.accountId)
  expect(await statusOf(manager.token)).toEqual({
    impersonating: false,
    adminUser: null,
    managedUser: null,
    endsAt: null,
  })
  expect((await server.call(manager.token, `${root}/managed/current`)).json()).toBeNull()

  const begun = await post(manager.token, `${root}/manage/${user.accountId}`)
  expect([begun.status, begun.json().id]).toEqual([200, user.accountId])
  expect((await userOf(manager.token)).id).toBe(user.accountId)
  expect((await userOf(tablet.token)).id).toBe(manager.accountId)
  const status = await statusOf(manager.token)
  expect(status).toMatchObject({
    impersonating: true,
    adminUser: { email: await emailOf(manager.accountId) },
    managedUser: { id: user.accountId, email: await emailOf(user.accountId) },
  })
  const minutes = (Date.parse(status.endsAt ?? '') - Date.now()) / 60_000
  expect(minutes > 58 && minutes <= 60).toBe(true)
  expect((await server.call(manager.token, `${root}/managed/current`)).json().id).toBe(user.accountId)
  // Its merchants, and none of the manager's.
  const profile = (await server.call(manager.token, '/profile')).json() as { id: number }[]
  expect(profile.map(merchant => merchant.id)).toEqual([user.merchantId])

  expect((await post(manager.token, `${root}/manage/clear`)).status).toBe(204)
  expect((await userOf(manager.token)).id).toBe(manager.accountId)
  expect((await post(manager.token, `${root}/manage/clear`)).status).toBe(204)
})

test('while managing, there is no nesting, and what is the user’s own affair is rejected', async () => {
  const [manager, user, other] = [await addManager('ADMIN'), await addCaller(services), await addCaller(services)]
  await post(manager.token, `${root}/manage/${user.accountId}`)
  const rejected: [Options['method'], string, object?][] = [
    ['POST', `${root}/manage/${other.accountId}`],
    ['GET', `${root}/users`],
    ['PUT', `${root}/managers/${user.accountId}/users`, { seesAll: true, userIds: [] }],
    ['POST', '/auth/change-password', {}],
    ['GET', '/user/export'],
    ['POST', '/subscriptions/cancel'],
    ['POST', '/checkout/subscription', {}],
    ['DELETE', '/billing/payment-methods/1'],
    ['POST', '/billing/payment-methods/setup-intent', {}],
    ['DELETE', `/profile/merchant/${user.merchantId}`],
    ['POST', '/push/subscriptions', {}],
  ]
  for (const [method = 'GET', path, body] of rejected) {
    const answer = await server.call(manager.token, path, { method, ...(body && { body }) })
    expect([path, answer.status, answer.json().errorCode]).toEqual([path, 403, 'FORBIDDEN'])
  }
  expect((await userOf(manager.token)).id).toBe(user.accountId)
})

test('nobody acts for a manager or an admin, and users without the role for nobody', async () => {
  const [manager, other, admin, user] = [
    await addManager(),
    await addManager(),
    await addManager('ADMIN'),
    await addCaller(services),
  ]
  for (const { accountId } of [manager, other, admin])
    expect((await post(manager.token, `${root}/manage/${accountId}`)).status).toBe(403)
  expect((await post(manager.token, `${root}/manage/999999`)).status).toBe(404)
  for (const path of [
    '/users',
    `/users/${user.accountId}`,
    '/users/search?query=a',
    '/managed/current',
    '/impersonation/status',
  ])
    expect([path, (await server.call(user.token, root + path)).status]).toEqual([path, 403])
  expect((await post(user.token, `${root}/manage/${other.accountId}`)).status).toBe(403)
  expect((await post(user.token, `${root}/manage/clear`)).status).toBe(403)

  // A user who gets the role in the middle of it is managed no longer.
  await post(manager.token, `${root}/manage/${user.accountId}`)
  expect((await userOf(manager.token)).id).toBe(user.accountId)
  await promoteUser(services, await emailOf(user.accountId), 'CAMPAIGN_MANAGER')
  expect((await userOf(manager.token)).id).toBe(manager.accountId)
})

test('managing ends after an hour, with the role, and with the session', async () => {
  const user = await addCaller(services)
  const late = await addManager()
  await post(late.token, `${root}/manage/${user.accountId}`)
  aheadMs += 61 * 60_000
  // The same session, by a token that has not expired.
  const renewed = await services.db.system
    .selectFrom('session')
    .select('id')
    .where('id', '=', late.sessionId)
    .executeTakeFirstOrThrow()
  const { issueAccessToken } = await import('#features/auth/server/authenticate.ts')
  const token = await issueAccessToken(services, { accountId: late.accountId, sessionId: renewed.id })
  expect((await userOf(token)).id).toBe(late.accountId)
  expect((await statusOf(token)).impersonating).toBe(false)
  aheadMs = 0

  const demoted = await addManager()
  await post(demoted.token, `${root}/manage/${user.accountId}`)
  await services.db.system
    .deleteFrom('account_role')
    .where('account_id', '=', demoted.accountId)
    .where('role', '=', 'CAMPAIGN_MANAGER')
    .execute()
  expect((await userOf(demoted.token)).id).toBe(demoted.accountId)
  expect((await server.call(demoted.token, `${root}/users`)).status).toBe(403)

  const leaving = await addManager()
  await post(leaving.token, `${root}/manage/${user.accountId}`)
  expect((await post(leaving.token, '/auth/logout', { body: { refreshToken: 'unknown' } })).status).toBe(204)
  expect((await server.call(leaving.token, '/user')).status).toBe(401)
  expect((await userOf(user.token)).id).toBe(user.accountId)
})

test('a call that is meant for another context is rejected, and answers of the two never mix', async () => {
  const [manager, user] = [await addManager(), await addCaller(services)]
  const list = '/campaign/cm'
  const own = await server.call(manager.token, list, { managing: 'own' })
  expect(own.status).toBe(200)
  await post(manager.token, `${root}/manage/${user.accountId}`)
  const managed = String(user.accountId)
  const before = (await userOf(user.token)) as { id: number; firstName?: string }
  const stale = await server.call(manager.token, '/user', {
    method: 'PATCH',
    body: { firstName: 'Oops' },
    managing: 'own',
  })
  expect([stale.status, stale.json().errorCode]).toEqual([409, 'MANAGING_CHANGED'])
  expect((await server.call(manager.token, list, { managing: 'own', etag: own.etag })).status).toBe(409)
  expect(await userOf(user.token)).toEqual(before)
  expect((await userOf(manager.token)).id).toBe(user.accountId)
  expect((await server.call(manager.token, list, { managing: managed })).status).toBe(200)
  await post(manager.token, `${root}/manage/clear`, { managing: managed })
  expect((await server.call(manager.token, list, { managing: managed })).status).toBe(409)
  // The log-out and the way back are open in either.
  expect((await post(manager.token, `${root}/manage/clear`, { managing: managed })).status).toBe(204)
})

test('a manager finds all users or the assigned ones, as an admin has set, and an admin finds everybody', async () => {
  const [admin, manager] = [await addManager('ADMIN'), await addManager()]
  const [user, other] = [await addCaller(services), await addCaller(services)]
  const { system } = services.db
  await system.updateTable('account').set({ first_name: '100%_Zoë' }).where('id', '=', user.accountId).execute()
  await system.updateTable('account').set({ account_type: 'AGENCY' }).where('id', '=', other.accountId).execute()
  await system.deleteFrom('subscription').where('account_id', '=', other.accountId).execute()
  const found = async (token: string, path: string) =>
    ((await server.call(token, root + path)).json() as ManagedUser[]).map(one => one.id)

  expect(await found(manager.token, '/users/search?query=100%25_z')).toEqual([user.accountId])
  expect((await server.call(manager.token, `${root}/users/search?query=`)).status).toBe(400)
  expect(await found(manager.token, '/users?accountType=AGENCY&subscription=NONE')).toEqual([other.accountId])
  expect(await found(manager.token, '/users?role=ADMIN')).toContain(admin.accountId)
  const all = await found(manager.token, '/users?size=2&page=0')
  expect(all).toHaveLength(2)
  const one = (await server.call(manager.token, `${root}/users/${user.accountId}`)).json() as ManagedUser
  expect(one).toMatchObject({ id: user.accountId, subscriptionState: 'TRIAL', canBeManaged: true })
  expect(one.amazonProfiles).toHaveLength(1)
  expect(Object.keys(one)).not.toContain('trialEndDate')

  await post(manager.token, `${root}/manage/${other.accountId}`)
  const assignment = `${root}/managers/${manager.accountId}/users`
  const body = { seesAll: false, userIds: [user.accountId] }
  expect((await server.call(other.token, assignment, { method: 'PUT', body })).status).toBe(403)
  expect((await server.call(admin.token, assignment, { method: 'PUT', body })).json()).toEqual({
    seesAll: false,
    users: [{ id: user.accountId, firstName: '100%_Zoë', lastName: one.lastName, email: one.email }],
  })
  // What is no longer assigned is managed no longer.
  expect((await userOf(manager.token)).id).toBe(manager.accountId)
  expect(await found(manager.token, '/users')).toEqual([user.accountId])
  expect((await post(manager.token, `${root}/manage/${other.accountId}`)).status).toBe(404)
  expect((await server.call(manager.token, `${root}/users/${other.accountId}`)).status).toBe(404)
  expect(await found(admin.token, `/users/search?query=${await emailOf(other.accountId)}`)).toEqual([other.accountId])
  await server.call(admin.token, assignment, { method: 'PUT', body: { seesAll: true, userIds: [] } })
  expect((await post(manager.token, `${root}/manage/${other.accountId}`)).status).toBe(200)
  expect((await server.call(admin.token, `${root}/managers/${user.accountId}/users`)).status).toBe(404)
})
