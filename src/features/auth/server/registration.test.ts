import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthScene, goodPassword, publicUrl, startAuthScene } from '../../../../tests/support/auth-scene.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const hour = 3_600_000
const register = (email: string, more: object = {}) => scene.call('/auth/register', scene.registration(email, more))
const verify = (token: string) => scene.call('/auth/verify-email', { token })

describe('registering', () => {
  test('answers 201 with the address in lower case, and mails a link to verify it', async () => {
    const answer = await register(' New.Person@People.TEST ')
    expect([answer.statusCode, answer.json()]).toEqual([201, { email: 'new.person@people.test' }])
    const letter = await scene.letter('new.person@people.test')
    expect(letter.subject).toBe('Verify your email address')
    expect(letter.links).toEqual([`${publicUrl}/verify-email?token=${scene.tokenIn(letter)}`])
  })

  test('with an address already taken answers the same, changes nothing and tells the owner', async () => {
    const email = await scene.newcomer()
    const fresh = await register('nobody.yet@people.test')
    const taken = await register(email.toUpperCase(), { password: 'Another=7tide', firstName: 'Eve' })
    expect(taken.statusCode).toBe(fresh.statusCode)
    expect(Object.keys(taken.json())).toEqual(Object.keys(fresh.json()))
    expect((await scene.letter(email, 1)).subject).toBe('Someone tried to register with your address')
    expect((await scene.call('/auth/login', { email, password: 'Another=7tide' })).statusCode).toBe(401)
    await scene.login(email)
  })

  test('once more before verifying lets only the owner of the address choose the password', async () => {
    const email = 'squatted@people.test'
    await register(email, { password: 'Squatter=7tide' })
    await scene.letter(email)
    await register(email, { password: 'Rightful=7tide' })
    const letter = await scene.letter(email, 1)
    expect(letter.subject).toBe('Finish your registration')
    const passwords = { newPassword: 'Rightful=7tide', confirmPassword: 'Rightful=7tide' }
    expect((await scene.call('/auth/reset-password', { token: scene.tokenIn(letter), ...passwords })).statusCode).toBe(
      200,
    )
    expect((await scene.call('/auth/login', { email, password: 'Squatter=7tide' })).statusCode).toBe(401)
    await scene.login(email, 'Rightful=7tide')
  })

  test('makes the first account of twenty at once, and one only', async () => {
    const email = 'twenty@people.test'
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(email)))
    expect(new Set(answers.map(a => a.body))).toEqual(new Set([JSON.stringify({ email })]))
    const rows = await scene.services.db.system.selectFrom('account').select('id').where('email', '=', email).execute()
    expect(rows).toHaveLength(1)
  })

  test.each(['roles', 'stripeCustomerId', 'hasUsedTrial', 'emailVerifiedAt'])('refuses the field %s', async field => {
    const answer = await register('mass@people.test', { [field]: true })
    expect([answer.statusCode, answer.json().details]).toEqual([400, [`Unknown field ${field}`]])
  })

  test('tells each field at fault once, in the words of the form', async () => {
    const answer = await scene.call('/auth/register', { email: 'x', password: 'short', firstName: 'R2', lastName: '' })
    expect(answer.json()).toMatchObject({
      errorCode: 'VALIDATION_FAILED',
      fields: {
        email: 'Email must be a valid email address',
        password: 'Password must be between 8 and 100 characters long',
        firstName: 'First name must contain only letters and spaces',
        lastName: 'Last name must be between 1 and 100 characters long',
      },
    })
  })

  test('keeps passwords as argon2id with a salt each, and no token in clear', async () => {
    const [one, two] = [await scene.newcomer(), await scene.newcomer()]
    await register('pending@people.test')
    const token = scene.tokenIn(await scene.letter('pending@people.test'))
    const { refreshToken } = await scene.login(one)
    const { db } = scene.services
    const hashes = await db.system
      .selectFrom('account')
      .select('password_hash')
      .where('email', 'in', [one, two])
      .execute()
    expect(hashes[0]?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(hashes[0]?.password_hash).not.toBe(hashes[1]?.password_hash)
    const dump = JSON.stringify([
      await db.system.selectFrom('auth_token').selectAll().execute(),
      await db.system.selectFrom('refresh_token').selectAll().execute(),
      await db.system.selectFrom('mail_outbox').selectAll().where('state', '=', 'DELIVERED').execute(),
    ])
    expect(dump).not.toContain(token)
    expect(dump).not.toContain(refreshToken)
    expect(dump).not.toContain(goodPassword)
  })
})

describe('the link that verifies an address', () => {
  const pending = async (email: string) => {
    await register(email)
    return scene.tokenIn(await scene.letter(email))
  }
  const invalid = { errorCode: 'TOKEN_INVALID' }

  test('is needed before the first log-in, which says so only to who knows the password', async () => {
    const token = await pending('unverified@people.test')
    const email = 'unverified@people.test'
    expect((await scene.call('/auth/login', { email, password: goodPassword })).json()).toMatchObject({
      errorCode: 'EMAIL_NOT_VERIFIED',
    })
    expect((await scene.call('/auth/login', { email, password: 'Wrong=7tides' })).json()).toMatchObject({
      errorCode: 'INVALID_CREDENTIALS',
    })
    const answer = await verify(token)
    expect([answer.statusCode, answer.json()]).toEqual([200, { email }])
    await scene.login(email)
  })

  test('works once', async () => {
    const token = await pending('once@people.test')
    expect((await verify(token)).statusCode).toBe(200)
    expect((await verify(token)).json()).toMatchObject(invalid)
  })

  test('of twenty at once serves one', async () => {
    const token = await pending('race@people.test')
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(answers.filter(a => a.statusCode === 200)).toHaveLength(1)
  })

  test('is not used up by looking at it', async () => {
    const token = await pending('prefetched@people.test')
    for (const method of ['GET', 'HEAD'] as const)
      await scene.app.inject({ method, url: `/verify-email?token=${token}` })
    expect((await verify(token)).statusCode).toBe(200)
  })

  test('gives way to a newer one', async () => {
    const older = await pending('newer@people.test')
    const answer = await scene.call('/auth/resend-verification', { email: 'newer@people.test' })
    expect(answer.statusCode).toBe(202)
    const newer = scene.tokenIn(await scene.letter('newer@people.test', 1))
    expect((await verify(older)).json()).toMatchObject(invalid)
    expect((await verify(newer)).statusCode).toBe(200)
  })

  test('sets no password', async () => {
    const token = await pending('purpose@people.test')
    const passwords = { newPassword: 'Another=7tide', confirmPassword: 'Another=7tide' }
    expect((await scene.call('/auth/reset-password', { token, ...passwords })).json()).toMatchObject(invalid)
    expect((await verify(token)).statusCode).toBe(200)
  })

  test('ends after a day', async () => {
    const token = await pending('late@people.test')
    scene.passTime(24 * hour + 1000)
    expect((await verify(token)).json()).toMatchObject(invalid)
  })
})

test('sending the link again is answered alike for unknown and verified addresses, who get no mail', async () => {
  const verified = await scene.newcomer()
  for (const email of [verified, 'unknown@people.test']) {
    const answer = await scene.call('/auth/resend-verification', { email })
    expect([answer.statusCode, answer.json()]).toEqual([202, { email }])
  }
  // A mail asked for later has arrived, so one asked for before would have as well.
  await register('marker@people.test')
  await scene.letter('marker@people.test')
  expect(await scene.letters(verified)).toHaveLength(1)
  expect(await scene.letters('unknown@people.test')).toEqual([])
})

test('an address gets no more than five mails of a kind a quarter of an hour that anybody can ask for', async () => {
  const email = 'bombed@people.test'
  await register(email)
  for (let i = 0; i < 8; i++) await scene.call('/auth/resend-verification', { email })
  await scene.letter(email, 4)
  await register('marker2@people.test')
  await scene.letter('marker2@people.test')
  expect((await scene.letters(email)).length).toBeLessThanOrEqual(5)
})

test('requests for one kind of mail leave the budget of another alone, and what sends nothing costs nothing', async () => {
  const unverified = 'silenced@people.test'
  await register(unverified)
  const verified = await scene.newcomer()
  for (const email of [unverified, verified])
    for (let i = 0; i < 8; i++) await scene.call('/auth/resend-verification', { email }, { ip: '10.4.0.1' })
  await scene.letter(unverified, 4)
  for (const [email, before] of [
    [unverified, 5],
    [verified, 1],
  ] as const) {
    await scene.call('/auth/forgot-password', { email })
    expect((await scene.letter(email, before)).subject).toBe('Choose a new password')
  }
})

test('requests for mails from one place are limited, for all recipients together', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 70 }, async (_, i) => {
      const path = i % 2 ? '/auth/forgot-password' : '/auth/resend-verification'
      return (await scene.call(path, { email: `nobody${i}@people.test` }, { ip: '10.4.1.1' })).statusCode
    }),
  )
  expect(statuses.filter(status => status === 202)).toHaveLength(60)
  expect(statuses.filter(status => status === 429)).toHaveLength(10)
})
