import { expect, it } from 'vitest'
import { apexOptions } from './apex-options.ts'
import { describeDay } from './chart-data.ts'

const colors = { series: ['a', 'b'], ink: 'c', line: 'd', mark: 'e' }
const props = {
  heading: 'Spend',
  labels: ['2026-03-01', '2026-03-02', '2026-03-03'],
  series: [{ name: 'Spend', values: [9, 10, 2], format: String }],
}

it('does not draw a last point that is not over, and nothing else', () => {
  const drawn = (running: boolean) => apexOptions({ ...props, running }, colors, false).series
  expect(drawn(true)).toMatchObject([{ data: [{ y: 9 }, { y: 10 }, { y: null }] }])
  expect(drawn(false)).toMatchObject([{ data: [{ y: 9 }, { y: 10 }, { y: 2 }] }])
})

it('marks the days that it shows, each kind with its sign in a line of its own, and no others', () => {
  const marks = [
    { day: '2026-03-01', label: '3' },
    { day: '2026-03-01', kind: 'stock', label: '' },
    { day: '1999-01-01', label: '1' },
  ] as const
  const [change, stock, ...others] = apexOptions({ ...props, marks }, colors, false).annotations?.xaxis ?? []
  expect(others).toEqual([])
  expect([change?.label?.text, stock?.label?.text]).toEqual(['◆3', '■'])
  expect(change?.label?.offsetY).not.toBe(stock?.label?.offsetY)
  expect(change?.strokeDashArray).not.toBe(stock?.strokeDashArray)
})

it('draws the band of each day in which it will end, on the axis of its series', () => {
  const series = [{ ...props.series[0]!, bands: [null, { low: 9, high: 12 }, { low: 3, high: 8 }] }]
  const drawn = apexOptions({ ...props, series }, colors, false)
  expect(drawn.series).toMatchObject([
    { type: 'rangeArea', data: [{ y: [9, 9] }, { y: [9, 12] }, { y: [3, 8] }] },
    { type: 'line' },
  ])
  expect(drawn.yaxis).toMatchObject([{ seriesName: ['Spend', 'Spend, where it will end'] }])
})

it('says a whole day in words: its values, its bands and what happened', () => {
  const series = [
    { ...props.series[0]!, format: (value: number) => `$${value}`, bands: [null, null, { low: 3, high: 8 }] },
  ]
  const marks = [
    { day: '2026-03-03', label: '2' },
    { day: '2026-03-03', kind: 'price', label: '', detail: 'Mug: $10 to $12' },
  ] as const
  expect(describeDay({ ...props, series, marks, running: true }, 2)).toBe(
    'Mar 3, not over. Spend $2, will end between $3 and $8. 2 changes; Mug: $10 to $12',
  )
  expect(describeDay({ ...props, series, marks }, 0)).toBe('Mar 1. Spend $9')
})
