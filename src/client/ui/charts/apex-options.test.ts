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

it('marks the days of a change that it shows, and no others', () => {
  const marks = [
    { day: props.labels[0] ?? '', label: '3' },
    { day: '1999-01-01', label: '1' },
  ]
  const { annotations } = apexOptions({ ...props, marks }, colours, false)
  expect(annotations?.xaxis).toMatchObject([{ borderColor: 'e', label: { text: '3' } }])
})
