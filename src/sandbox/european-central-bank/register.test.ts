import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { daysOf } from '#shared/time.ts'
import type { World } from '../core/world.ts'
import { registerEuropeanCentralBank } from './register.ts'

let now: string
const app = Fastify()
registerEuropeanCentralBank(app, { clock: { now: () => new Date(now) } } as World)

async function fileAt(moment: string): Promise<string> {
  now = moment
  return (await app.inject('/ecb/stats/eurofxref/eurofxref-daily.xml')).body
}
const ratesOf = async (day: string): Promise<number[]> =>
  [...(await fileAt(`${day}T18:00:00Z`)).matchAll(/rate="([\d.]+)"/g)].map(([, rate]) => Number(rate))

test.each([
  ['a working day before 16:00 in Frankfurt', '2026-11-20T14:59:00Z', '2026-11-19'],
  ['a working day from 16:00 on', '2026-11-20T15:00:00Z', '2026-11-20'],
  ['summer time', '2026-07-15T14:00:00Z', '2026-07-15'],
  ['a Sunday', '2026-11-22T18:00:00Z', '2026-11-20'],
  ['Boxing Day, a Saturday, after Christmas', '2026-12-26T18:00:00Z', '2026-12-24'],
])('on %s the newest table is that of the last publication', async (_when, moment, day) => {
  expect(await fileAt(moment)).toContain(`time="${day}"`)
})

test('a day has the same rates each time, and neighboring days differ by little', async () => {
  expect(await ratesOf('2026-11-20')).toEqual(await ratesOf('2026-11-20'))
  expect(await ratesOf('2026-11-20')).not.toEqual(await ratesOf('2026-11-19'))
  let before = await ratesOf('2026-01-02')
  expect(before.length).toBeGreaterThan(20)
  for (const day of daysOf('2026-01-03', '2027-12-31')) {
    const rates = await ratesOf(day)
    for (const [n, rate] of rates.entries()) expect(Math.abs(rate / Number(before[n]) - 1)).toBeLessThan(0.02)
    before = rates
  }
})
