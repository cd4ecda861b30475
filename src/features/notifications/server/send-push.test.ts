import { expect, test } from 'vitest'
import { launchNotification } from './jobs.ts'
import { pushPayload } from './push-payload.ts'
import { waitSeconds } from './send-push.job.ts'

const alert = {
  title: 'Out of budget',
  body: '“Mugs” stopped at 10:40.',
  url: '/notifications?id=7',
  tag: 'budget-42',
  openCount: 3,
  isLoud: true,
  tokens: { PAUSE_CAMPAIGN: 'a'.repeat(32), RAISE_BUDGET_TODAY: 'b'.repeat(32), SNOOZE: 'c'.repeat(32) },
}

test('a push is one that Safari shows by itself, with buttons for browsers that have them', () => {
  const navigate = 'https://tideline.example/notifications?id=7'
  expect(JSON.parse(pushPayload(alert, 'https://tideline.example'))).toEqual({
    web_push: 8030,
    app_badge: 3,
    notification: {
      title: 'Out of budget',
      body: '“Mugs” stopped at 10:40.',
      navigate,
      tag: 'budget-42',
      renotify: true,
      actions: [
        { action: 'PAUSE_CAMPAIGN', title: 'Pause', navigate },
        { action: 'RAISE_BUDGET_TODAY', title: '+20 % today', navigate },
        { action: 'SNOOZE', title: 'Snooze 1 h', navigate },
      ],
      data: { tokens: alert.tokens },
    },
  })
})

test.each(['🎣', '\u0000', '\ud800', '港', '"', 'x'])('no name, however long, makes it too large (%j)', character => {
  const long = character.repeat(5000)
  const payload = pushPayload({ ...alert, title: long, body: long }, 'https://tideline.example')
  expect(Buffer.byteLength(payload)).toBeLessThan(3000)
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
