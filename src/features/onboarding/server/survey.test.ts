import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { addCaller, openProcess } from '../../../../tests/support/answers-scene.ts'
import { testServices } from '../../../../tests/support/services.ts'

let services: Services & { close(): Promise<void> }
let server: Awaited<ReturnType<typeof openProcess>>
beforeAll(async () => {
  services = await testServices({
    env: {
      PUBLIC_URL: 'https://tideline.example',
      TOKEN_SECRET: 'a'.repeat(64),
      ENCRYPTION_KEYS: `test:${Buffer.alloc(32).toString('base64')}`,
    },
  })
  server = await openProcess(services)
})
afterAll(async () => {
  await server.close()
  await services.close()
})

const path = '/onboarding-survey'
const answers = { goal: 'WASTE_LESS', experience: 'NEW', catalogueSize: null, showsSteps: true }
const unanswered = { goal: null, experience: null, catalogueSize: null, showsSteps: true, answeredAt: null }
const answer = (token: string, body: object) => server.call(token, path, { method: 'POST', body })
const read = async (token: string) => (await server.call(token, path)).json()

test('answers are kept once for each user, the last ones, and are nobody else’s', async () => {
  const [{ token, accountId }, other] = [await addCaller(services), await addCaller(services)]
  expect(await read(token)).toEqual(unanswered)
  const sent = await Promise.all([answer(token, answers), answer(token, answers)])
  expect(sent.map(({ status }) => status)).toEqual([204, 204])
  expect(await read(token)).toEqual({ ...answers, answeredAt: expect.any(String) })
  await answer(token, { ...answers, goal: 'SAVE_TIME', showsSteps: false })
  expect(await read(token)).toMatchObject({ goal: 'SAVE_TIME', experience: 'NEW', showsSteps: false })
  expect(await read(other.token)).toEqual(unanswered)
  const rows = await services.db.system.selectFrom('onboarding_survey').select('account_id').execute()
  expect(rows).toEqual([{ account_id: accountId }])
})

test('who skips it has answered, with nothing', async () => {
  const { token } = await addCaller(services)
  const { answeredAt: _, ...nothing } = unanswered
  expect((await answer(token, nothing)).status).toBe(204)
  expect(await read(token)).toEqual({ ...nothing, answeredAt: expect.any(String) })
})

test.each([
  ['a goal that was not offered', { ...answers, goal: 'WORLD_PEACE' }],
  ['a question left out', { goal: 'WASTE_LESS', showsSteps: true }],
  ['an answer to no question', { ...answers, accountId: 1 }],
])('%s is rejected and nothing is kept', async (_name, body) => {
  const { token } = await addCaller(services)
  expect((await answer(token, body)).status).toBe(400)
  expect(await read(token)).toEqual(unanswered)
})

test('without a log-in nothing is read or kept', async () => {
  expect((await answer('nobody', answers)).status).toBe(401)
  expect((await server.call('nobody', path)).status).toBe(401)
})
