import { expect, test } from 'vitest'
import { launchNotification } from './notify.ts'
import { pushPayload, waitSeconds } from './send-push.job.ts'

const news = { title: 'Created', body: '“Mugs” is switched on.', url: '/create-campaign-logs', cause: 'launch-42' }

test('a push is one that Safari shows by itself', () => {
  expect(JSON.parse(pushPayload(news, 'https://tideline.example'))).toEqual({
    web_push: 8030,
    notification: {
      title: 'Created',
      body: '“Mugs” is switched on.',
      navigate: 'https://tideline.example/create-campaign-logs',
      tag: 'launch-42',
    },
  })
})

test.each(['🎣', '\u0000', '\ud800', '港', '"', 'x'])('no name, however long, makes it too large (%j)', character => {
  const long = character.repeat(5000)
  const payload = pushPayload({ ...news, title: long, body: long }, 'https://tideline.example')
  expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(3000)
  expect(JSON.parse(payload)).toMatchObject({ notification: { title: `${character.repeat(79)}…` } })
})

test('tries are spread out, and never before the service said', () => {
  expect([0, 1, 5, 20].map(attempts => waitSeconds(attempts, undefined))).toEqual([1, 2, 32, 300])
  expect(waitSeconds(1, 90_500)).toBe(91)
  expect(waitSeconds(9, 1000)).toBe(300)
})

test('each end of a launch has a text of its own, and only a failure reads as one', () => {
  expect(launchNotification({ name: 'Mugs', status: 'COMPLETED' })).toMatchObject({ kind: 'LAUNCH_FINISHED' })
  expect(launchNotification({ name: 'Mugs', status: 'PARTIAL' })).toMatchObject({ kind: 'LAUNCH_FAILED' })
  expect(launchNotification({ name: 'Mugs', status: 'FAILED' }).body).toContain('“Mugs”: nothing was enabled')
})
