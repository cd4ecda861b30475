import { expect, it } from 'vitest'
import { apexOptions } from './apex-options.ts'

const colours = { series: ['a', 'b'], ink: 'c', line: 'd', accent: 'e' }
const props = {
  heading: 'Spend',
  labels: ['2026-03-01', '2026-03-02', '2026-03-03'],
  series: [{ name: 'Spend', values: [9, 10, 2], format: String }],
}

it('dashes the way to a last point that is not complete, and nothing else', () => {
  expect(apexOptions({ ...props, running: true }, colours, false).forecastDataPoints).toMatchObject({ count: 1 })
  expect(apexOptions(props, colours, false).forecastDataPoints).toMatchObject({ count: 0 })
})
