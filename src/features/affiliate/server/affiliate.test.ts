import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registeredByCode } from '#features/auth/server/public.ts'
import type { JobDefinition } from '#server/jobs/define-job.ts'
import type { Reaction } from '#server/jobs/jobs.ts'
import { type AuthScene, publicUrl, startAuthScene } from '../../../../tests/support/auth-scene.ts'
import { waitUntil } from '../../../../tests/support/wait-until.ts'
import type { Affiliate } from '../contract.ts'
import { noteReferral } from './referrals.ts'
import { affiliateRoutes } from './routes.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene({
    routes: affiliateRoutes,
    jobs: [noteReferral as unknown as JobDefinition<never>],
    reactions: [{ signal: registeredByCode, job: noteReferral } as unknown as Reaction],
  })
})
afterAll(() => scene.close())

const openAffiliate = async (email: string) => {
  const { accessToken } = await scene.login(email)
  return async () =>
    (await scene.call('/affiliate', undefined, { token: accessToken, method: 'GET' })).json<Affiliate>()
}
const register = (email: string, affiliateCode: string) =>
  scene.call('/auth/register', scene.registration(email, { affiliateCode }))

describe('the code of an account', () => {
  test('is the same at every call, also at the first two at once, and leads to the registration', async () => {
    const own = await openAffiliate(await scene.newcomer())
    const [one, two] = await Promise.all([own(), own()])
    expect(one.code).toMatch(/^[A-Z]{10}$/)
    expect([two.code, (await own()).code]).toEqual([one.code, one.code])
    expect(one).toMatchObject({
      link: `${publicUrl}/register?affiliate=${one.code}`,
      referralCount: 0,
      referrals: [],
      commissions: [],
      totals: [],
    })
    const other = await (await openAffiliate(await scene.newcomer()))()
    expect(other.code).not.toBe(one.code)
  })

  test('asks for a log-in', async () => {
    expect((await scene.call('/affiliate', undefined, { method: 'GET' })).statusCode).toBe(401)
  })
})

describe('registering with a code', () => {
  test('is counted once for its affiliate alone, who sees no address', async () => {
    const own = await openAffiliate(await scene.newcomer())
    const { code } = await own()
    const other = await openAffiliate(await scene.newcomer())
    const written = ` ${code.slice(0, 4).toLowerCase()} ${code.slice(4)}`
    const email = await scene.newcomer({ affiliateCode: written })
    await waitUntil(async () => expect((await own()).referralCount).toBe(1))
    // The address is taken by now: nothing new is registered.
    expect((await register(email, code)).statusCode).toBe(201)
    await register('marker.referral@people.test', code)
    await waitUntil(async () => expect((await own()).referralCount).toBe(2))
    const answer = await own()
    expect(answer.referrals).toEqual([
      { name: 'm•••@p•••.test', registeredDate: expect.any(String), firstPaidDate: null, earnsUntilDate: null },
      {
        name: `${email.charAt(0)}•••@p•••.test`,
        registeredDate: expect.any(String),
        firstPaidDate: null,
        earnsUntilDate: null,
      },
    ])
    expect(JSON.stringify(answer)).not.toContain(email.split('@')[0])
    expect((await other()).referralCount).toBe(0)
  })

  test('that nobody has is a problem of that field, for free and taken addresses alike', async () => {
    const taken = await scene.newcomer()
    const message = 'This affiliate code does not exist. Check it, or leave the field empty'
    for (const email of ['unknown.code@people.test', taken]) {
      const answer = await register(email, 'NOBODYHASX')
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { errorCode: 'VALIDATION_FAILED', details: [message], fields: { affiliateCode: message } },
      ])
    }
    expect(
      (await scene.call('/auth/register', scene.registration('empty.code@people.test', { affiliateCode: ' ' })))
        .statusCode,
    ).toBe(201)
  })

  test('of the own mailbox makes no referral', async () => {
    const email = 'mara.own@people.test'
    await scene.call('/auth/register', scene.registration(email))
    await scene.call('/auth/verify-email', { token: scene.tokenIn(await scene.letter(email)) })
    const own = await openAffiliate(email)
    const { code } = await own()
    expect((await register('mara.own+second@people.test', code)).statusCode).toBe(201)
    await register('marker.own@people.test', code)
    await waitUntil(async () => expect((await own()).referralCount).toBeGreaterThan(0))
    // Jobs of one queue are worked on in their order.
    expect((await own()).referrals.map(one => one.name)).toEqual(['m•••@p•••.test'])
    const rows = await scene.services.db.system
      .selectFrom('account')
      .select('id')
      .where('email', '=', 'mara.own+second@people.test')
      .execute()
    expect(rows).toHaveLength(1)
  })
})
