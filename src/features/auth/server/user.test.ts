import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthScene, startAuthScene } from '../../../../tests/support/auth-scene.ts'
import { promoteUser } from './user.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

async function signIn(more: object = {}) {
  const email = await scene.newcomer(more)
  const { accessToken: token } = await scene.login(email)
  return { email, token }
}

test('the user is answered with roles and what they allow, and without what nobody else needs', async () => {
  const affiliate = { account_id: 1_000_000, code: 'HARBRPLMXT', created_at: new Date() }
  await scene.services.db.system.insertInto('affiliate').values(affiliate).execute()
  const { email, token } = await signIn({ accountType: 'AGENCY', affiliateCode: 'HARBRPLMXT' })
  const user = (await scene.call('/user', undefined, { token, method: 'GET' })).json()
  expect(user).toMatchObject({
    email,
    firstName: 'Mara',
    lastName: 'Lind',
    accountType: 'AGENCY',
    affiliateCode: 'HARBRPLMXT',
    amazonProfiles: [],
    hasUsedTrial: false,
    timezone: 'UTC',
    locale: 'en-US',
    roles: [{ name: 'AGENCY', authorities: [{ name: 'ACCOUNT_MANAGER' }, { name: 'AGENCY' }] }],
  })
  expect(JSON.stringify(user)).not.toContain('argon2')
})

test('the chosen marketplace is answered whole', async () => {
  const { email, token } = await signIn()
  await scene.services.db.system
    .updateTable('account')
    .set({ current_merchant_id: 7, current_marketplace_id: 1 })
    .where('email', '=', email)
    .execute()
  const user = (await scene.call('/user', undefined, { token, method: 'GET' })).json()
  expect(user).toMatchObject({
    currentMerchantId: 7,
    currentMarketplace: { id: 1, amazonId: expect.any(String), currency: expect.any(String) },
  })
})

test('name, language and time zone can be changed, one alone too', async () => {
  const { token, email } = await signIn()
  const change = (body: object) => scene.call('/user', body, { token, method: 'PATCH' })
  expect((await change({ firstName: 'Ida' })).json()).toMatchObject({ firstName: 'Ida', lastName: 'Lind' })
  expect((await change({ timezone: 'Asia/Tokyo', locale: 'ja-JP' })).json()).toMatchObject({
    firstName: 'Ida',
    timezone: 'Asia/Tokyo',
    locale: 'ja-JP',
  })
  expect((await scene.call('/user/short', undefined, { token, method: 'GET' })).json()).toEqual({
    firstName: 'Ida',
    lastName: 'Lind',
    email,
  })
})

test.each([{ email: 'x@y.test' }, { roles: ['ADMIN'] }, { timezone: 'Mars/Olympus' }, { firstName: '' }])(
  'the change %o is refused',
  async body => {
    const { token } = await signIn()
    expect((await scene.call('/user', body, { token, method: 'PATCH' })).statusCode).toBe(400)
  },
)

test('the first admin is made by an operator; a role or an address that does not exist is refused', async () => {
  const { email, token } = await signIn()
  await promoteUser(scene.services, ` ${email.toUpperCase()}`, 'ADMIN')
  await promoteUser(scene.services, email, 'ADMIN')
  const user = (await scene.call('/user', undefined, { token, method: 'GET' })).json()
  expect(user.roles.map((r: { name: string }) => r.name)).toEqual(['ADMIN', 'OWNER'])
  await expect(promoteUser(scene.services, email, 'PIRATE')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await expect(promoteUser(scene.services, 'x@y.test', 'ADMIN')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('nothing of the user is answered without a log-in', async () => {
  for (const path of ['/user', '/user/short'])
    expect((await scene.call(path, undefined, { method: 'GET' })).statusCode).toBe(401)
})
