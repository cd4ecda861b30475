import { expect, test } from 'vitest'
import { launchNotification, waitSeconds } from './rules.ts'

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
