import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuthScene, goodPassword, publicUrl, startAuthScene } from '../../../../tests/support/auth-scene.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const minute = 60_000
const other = 'Lantern=9bay'
const twice = (newPassword: string, confirmPassword = newPassword) => ({ newPassword, confirmPassword })
const reset = (token: string, passwords: object = twice(other)) =>
  scene.call('/auth/reset-password', { token, ...passwords })
const forgot = (email: string) => scene.call('/auth/forgot-password', { email })
const statusOf = async (token: string) =>
  (await scene.call('/user/short', undefined, { token, method: 'GET' })).statusCode
/** A verified account that asked for a new password, and the token of the mail. */
async function forgetful() {
  const email = await scene.newcomer()
  await forgot(email)
  return { email, token: scene.tokenIn(await scene.letter(email, 1)) }
}

describe('a forgotten password', () => {
  test('is answered the same for every address, known or not', async () => {
    const registered = await forgot(await scene.newcomer())
    const unknown = await forgot('nobody@people.test')
    expect([registered.statusCode, unknown.statusCode]).toEqual([202, 202])
    expect(unknown.json()).toEqual({ email: 'nobody@people.test' })
  })

  test('is replaced by the link of the mail, which ends every session, logs nobody in and tells the owner', async () => {
    const email = await scene.newcomer()
    const before = await scene.login(email)
    await forgot(email)
    const letter = await scene.letter(email, 1)
    expect(letter.links).toEqual([`${publicUrl}/reset-password?token=${scene.tokenIn(letter)}`])
    const answer = await reset(scene.tokenIn(letter))
    expect([answer.statusCode, answer.json()]).toEqual([200, { email }])
    expect(await statusOf(before.accessToken)).toBe(401)
    expect((await scene.call('/auth/refresh', { refreshToken: before.refreshToken })).statusCode).toBe(401)
    expect((await scene.call('/auth/login', { email, password: goodPassword })).statusCode).toBe(401)
    await scene.login(email, other)
    expect((await scene.letter(email, 2)).subject).toBe('Your password was changed')
  })

  test('of an account never verified verifies it as well: the mail reached its owner', async () => {
    const email = 'never.verified@people.test'
    await scene.call('/auth/register', scene.registration(email))
    await scene.letter(email)
    await forgot(email)
    expect((await reset(scene.tokenIn(await scene.letter(email, 1)))).statusCode).toBe(200)
    await scene.login(email, other)
  })

  test('says what is wrong with the new one, and the link stays good', async () => {
    const { email, token } = await forgetful()
    expect((await reset(token, twice('Password1!'))).json().fields).toEqual({
      newPassword: 'This password is too common. Please choose another one',
    })
    expect((await reset(token, twice(other, 'Different=9'))).json().fields).toEqual({
      confirmPassword: "Passwords don't match",
    })
    expect((await reset('', {})).json().fields).toEqual({
      token: 'Reset token is required',
      newPassword: 'Password must be between 8 and 100 characters long',
      confirmPassword: 'Please confirm your password',
    })
    expect((await reset(token)).statusCode).toBe(200)
    await scene.login(email, other)
  })
})

describe('the link that lets choose a password', () => {
  const invalid = { errorCode: 'TOKEN_INVALID' }

  test('works once, also for twenty at once', async () => {
    const { token } = await forgetful()
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(token)))
    expect(answers.filter(a => a.statusCode === 200)).toHaveLength(1)
    expect(answers.find(a => a.statusCode === 400)?.json()).toMatchObject(invalid)
  })

  test('gives way to a newer one', async () => {
    const { email, token } = await forgetful()
    await forgot(email)
    const newer = scene.tokenIn(await scene.letter(email, 2))
    expect((await reset(token)).json()).toMatchObject(invalid)
    expect((await reset(newer)).statusCode).toBe(200)
  })

  test('verifies no address', async () => {
    const { token } = await forgetful()
    expect((await scene.call('/auth/verify-email', { token })).json()).toMatchObject(invalid)
    expect((await reset(token)).statusCode).toBe(200)
  })

  test('ends after half an hour', async () => {
    const { token } = await forgetful()
    scene.passTime(30 * minute + 1000)
    expect((await reset(token)).json()).toMatchObject(invalid)
  })
})

describe('changing the password', () => {
  const change = (token: string, body: object) => scene.call('/auth/change-password', body, { token })

  test('keeps this session, ends the others, voids links under way and tells the owner', async () => {
    const { email, token } = await forgetful()
    const [here, there] = [await scene.login(email), await scene.login(email)]
    const answer = await change(here.accessToken, { email, currentPassword: goodPassword, ...twice(other) })
    expect([answer.statusCode, answer.json()]).toEqual([200, { email }])
    expect(await statusOf(here.accessToken)).toBe(200)
    expect(await statusOf(there.accessToken)).toBe(401)
    expect((await scene.call('/auth/refresh', { refreshToken: there.refreshToken })).statusCode).toBe(401)
    expect((await reset(token, twice('Third=3rock'))).statusCode).toBe(400)
    await scene.login(email, other)
    expect((await scene.letter(email, 2)).subject).toBe('Your password was changed')
  })

  test('is refused beside the field at fault, never as signed out', async () => {
    const email = await scene.newcomer()
    const { accessToken } = await scene.login(email)
    const cases = [
      [{ currentPassword: 'Wrong=7tides' }, { currentPassword: 'Current password is incorrect' }],
      [{ currentPassword: '' }, { currentPassword: 'Current password is required' }],
      [{ email: 'someone@else.test' }, { email: 'This is not the email address of your account' }],
      [{ confirmPassword: '' }, { confirmPassword: 'Please confirm your password' }],
      [{ confirmPassword: 'Different=9' }, { confirmPassword: "Passwords don't match" }],
      [twice('short'), { newPassword: 'Password must be between 8 and 100 characters long' }],
      [twice(`Aa1!${'x'.repeat(97)}`), { newPassword: 'Password must be between 8 and 100 characters long' }],
    ] as const
    for (const [wrong, fields] of cases) {
      const answer = await change(accessToken, { email, currentPassword: goodPassword, ...twice(other), ...wrong })
      expect([answer.statusCode, answer.json().fields]).toEqual([400, fields])
    }
    await scene.login(email)
  })

  test('cannot be used to guess the current one', async () => {
    const email = await scene.newcomer()
    const { accessToken } = await scene.login(email)
    const statuses = []
    for (let i = 0; i < 11; i++)
      statuses.push((await change(accessToken, { email, currentPassword: 'Wrong=7tides', ...twice(other) })).statusCode)
    expect(statuses).toEqual([...Array(10).fill(400), 429])
  })

  test('needs a log-in', async () => {
    const answer = await scene.call('/auth/change-password', {
      email: 'a@b.test',
      currentPassword: 'x',
      ...twice(other),
    })
    expect(answer.statusCode).toBe(401)
  })
})
