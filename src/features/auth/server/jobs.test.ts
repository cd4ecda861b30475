import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AuthScene, startAuthScene } from '../../../../tests/support/auth-scene.ts'
import { accountMailJob } from './account-mails.ts'
import { purgeAuthJob } from './jobs.ts'

let scene: AuthScene
beforeAll(async () => {
  scene = await startAuthScene()
})
afterAll(() => scene.close())

const run = (id: string) => ({ id, attempt: 0, lastAttempt: false, signal: new AbortController().signal })

test('a mail job worked on again, after a kill, sends no second mail and leaves the first link good', async () => {
  const email = await scene.newcomer()
  const job = run(randomUUID())
  await accountMailJob.run(scene.services, { kind: 'RESET_PASSWORD', email }, job)
  await accountMailJob.run(scene.services, { kind: 'RESET_PASSWORD', email }, job)
  const token = scene.tokenIn(await scene.letter(email, 1))
  const passwords = { newPassword: 'Lantern=9bay', confirmPassword: 'Lantern=9bay' }
  expect((await scene.call('/auth/reset-password', { token, ...passwords })).statusCode).toBe(200)
  expect((await scene.letter(email, 2)).subject).toBe('Your password was changed')
})

test.each(['VERIFY_EMAIL', 'RESET_PASSWORD', 'ADDRESS_TAKEN'] as const)(
  'a suspended account is mailed nothing (%s)',
  async kind => {
    const email = await scene.newcomer()
    const { system } = scene.services.db
    await system.updateTable('account').set({ status: 'SUSPENDED' }).where('email', '=', email).execute()
    await accountMailJob.run(scene.services, { kind, email }, run(randomUUID()))
    const rows = await system.selectFrom('mail_outbox').select('id').where('to_address', '=', email).execute()
    expect(rows).toHaveLength(1)
  },
)

test('links, counters and sessions are removed once nobody can use them, and not before', async () => {
  const email = await scene.newcomer()
  await scene.login(email)
  await scene.call('/auth/forgot-password', { email })
  await scene.letter(email, 1)
  const { system } = scene.services.db
  const counts = async () => {
    const account = system.selectFrom('account').select('id').where('email', '=', email)
    const links = await system.selectFrom('auth_token').select('purpose').where('account_id', '=', account).execute()
    const sessions = await system.selectFrom('session').select('id').where('account_id', '=', account).execute()
    return [links.length, sessions.length]
  }
  await purgeAuthJob.run(scene.services, {}, run('now'))
  expect(await counts()).toEqual([1, 1])
  scene.passTime(31 * 60_000)
  await purgeAuthJob.run(scene.services, {}, run('later'))
  expect(await counts()).toEqual([0, 1])
  scene.passTime(61 * 86_400_000)
  await purgeAuthJob.run(scene.services, {}, run('much later'))
  expect(await counts()).toEqual([0, 0])
})
