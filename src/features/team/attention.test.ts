import { expect, test } from 'vitest'
import { attentionOf } from './attention.ts'

const steady = { cost: 100, sales: 400 }
const situation: Parameters<typeof attentionOf>[0] = {
  now: steady,
  before: steady,
  strongestAlert: null,
  isConnectionLost: false,
}
const reasonOf = (change: Partial<typeof situation>) => attentionOf({ ...situation, ...change })?.reason ?? null

test('a client needs attention for what is most unusual, and for nothing in a usual week', () => {
  expect(reasonOf({})).toBeNull()
  expect(reasonOf({ now: { cost: 105, sales: 400 } })).toBeNull()
  expect(reasonOf({ now: { cost: 150, sales: 400 } })).toBe('ACOS_UP')
  expect(reasonOf({ now: { cost: 50, sales: 200 } })).toBe('SALES_DOWN')
  expect(reasonOf({ now: { cost: 300, sales: 1200 } })).toBe('SPEND_UP')
  expect(reasonOf({ now: { cost: 150, sales: 0 } })).toBe('NO_SALES')
  expect(reasonOf({ now: { cost: 0, sales: 0 } })).toBe('SPEND_STOPPED')
  expect(reasonOf({ strongestAlert: 1.2 })).toBe('ALERTS')
  expect(reasonOf({ strongestAlert: 1.2, isConnectionLost: true })).toBe('CONNECTION_LOST')
})

test('nothing is unusual about a client without figures, or with its first ones', () => {
  const nothing = { cost: 0, sales: 0 }
  expect(reasonOf({ now: nothing, before: nothing })).toBeNull()
  expect(reasonOf({ before: nothing })).toBeNull()
})

test('the more it changed, the more unusual it is', () => {
  const anomalyOf = (cost: number) => attentionOf({ ...situation, now: { cost, sales: 400 } })?.anomaly ?? 0
  expect(anomalyOf(200)).toBeCloseTo(Math.log(2))
  expect(anomalyOf(400)).toBeGreaterThan(anomalyOf(200))
})
