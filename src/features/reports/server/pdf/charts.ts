import { figureText } from '#shared/figure-text.ts'
import { compactText, currentRegion } from '#shared/region-format.ts'
import { hairline, type Element, muted, type Paper } from './paper.ts'

export interface Series {
  label: string
  color: string
  values: readonly number[]
}
interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A step of 1, 2 or 5 times a power of ten, so that about four of them reach the value. */
function niceStep(most: number): number {
  const raw = most / 4 || 1
  const power = 10 ** Math.floor(Math.log10(raw))
  return power * ([1, 2, 5, 10].find(factor => factor * power >= raw) ?? 10)
}

interface LineChart extends Box {
  series: readonly Series[]
  /** What the axis says of each point; a few of them are shown. */
  labels: readonly string[]
  /** The first point that may still change; null where all are final. */
  movingFrom: number | null
  currency: string
  /** What the chart says, for those who cannot see it. */
  alt: string
}

/** Lines of money over time. The part that may still change is shaded and dashed. */
export function lineChart(paper: Paper, parent: Element, chart: LineChart): void {
  const { doc } = paper
  const { x, y, width, height, series, labels, movingFrom, currency, alt } = chart
  const draw = () => {
    const step = niceStep(Math.max(...series.flatMap(one => one.values), 0))
    const top = step * Math.max(1, Math.ceil(Math.max(...series.flatMap(one => one.values), 0) / step))
    const [left, right, bottom, ceiling] = [x + 46, x + width - 8, y + height - 22, y + 22]
    const xOf = (index: number) => left + (labels.length < 2 ? 0.5 : index / (labels.length - 1)) * (right - left)
    const yOf = (value: number) => bottom - (value / top) * (bottom - ceiling)
    if (movingFrom !== null)
      doc
        .rect(xOf(Math.max(0, movingFrom - 0.5)), ceiling, right - xOf(Math.max(0, movingFrom - 0.5)), bottom - ceiling)
        .fill('#f3efe4')
    for (let value = 0; value <= top * 1.0001; value += step) {
      doc.moveTo(left, yOf(value)).lineTo(right, yOf(value)).lineWidth(0.5).stroke(hairline)
      const text = compactText(currentRegion().locale, value, { style: 'currency', currency })
      paper.line(text, x, yOf(value) - 5, { size: 7.5, color: muted, width: 40, align: 'right' })
    }
    const every = Math.ceil(labels.length / 7)
    labels.forEach((label, index) => {
      if (index % every === 0)
        paper.line(label, xOf(index) - 30, bottom + 6, { size: 7.5, color: muted, width: 60, align: 'center' })
    })
    for (const { color, values } of series) drawLine(doc, values, { xOf, yOf, color, movingFrom })
    let at = left
    for (const { label, color } of series) {
      doc.rect(at, y + 6, 14, 3).fill(color)
      paper.line(label, at + 19, y + 1, { size: 8.5 })
      at += 34 + paper.widthOf(label, { size: 8.5 })
    }
  }
  paper.tag(parent, 'Figure', draw, { alt, bbox: [x, y, x + width, y + height], placement: 'Block' })
}

interface Drawn {
  xOf: (index: number) => number
  yOf: (value: number) => number
  color: string
  movingFrom: number | null
}

function drawLine(doc: Paper['doc'], values: readonly number[], { xOf, yOf, color, movingFrom }: Drawn): void {
  const last = values.length - 1
  const settledTo = movingFrom === null ? last : Math.max(0, movingFrom - 1)
  const stretch = (from: number, to: number) => {
    if (to <= from) return
    doc.moveTo(xOf(from), yOf(values[from] ?? 0))
    for (let index = from + 1; index <= to; index++) doc.lineTo(xOf(index), yOf(values[index] ?? 0))
    doc.lineWidth(1.6).lineJoin('round').stroke(color)
  }
  stretch(0, settledTo)
  doc.dash(3, { space: 2 })
  stretch(settledTo, last)
  doc.undash()
  if (last === 0) doc.circle(xOf(0), yOf(values[0] ?? 0), 2.5).fill(color)
}

interface BarChart extends Omit<Box, 'height'> {
  rows: readonly { label: string; values: readonly number[] }[]
  series: readonly Omit<Series, 'values'>[]
  currency: string
  alt: string
}
const rowHeight = 27

export const barChartHeight = (rows: number): number => 20 + rows * rowHeight

/** Bars of money, a row for each label, with the amounts next to them. */
export function barChart(paper: Paper, parent: Element, chart: BarChart): void {
  const { doc } = paper
  const { x, y, width, rows, series, currency, alt } = chart
  const draw = () => {
    const most = Math.max(...rows.flatMap(row => row.values), 1)
    const [left, right] = [x + width * 0.36, x + width - 72]
    let at = left
    for (const { label, color } of series) {
      doc.rect(at, y + 4, 8, 8).fill(color)
      paper.line(label, at + 12, y + 2, { size: 8.5 })
      at += 28 + paper.widthOf(label, { size: 8.5 })
    }
    rows.forEach(({ label, values }, row) => {
      const top = y + 20 + row * rowHeight
      paper.line(label, x, top + 5, { size: 8.5, width: left - x - 10 })
      values.forEach((value, index) => {
        const long = (Math.max(0, value) / most) * (right - left)
        doc.rect(left, top + index * 11, Math.max(long, 0.5), 8).fill(series[index]?.color ?? muted)
        paper.line(figureText(value, 'money', currency), left + long + 5, top + index * 11 - 1, {
          size: 7.5,
          color: muted,
        })
      })
    })
  }
  const height = barChartHeight(rows.length)
  paper.tag(parent, 'Figure', draw, { alt, bbox: [x, y, x + width, y + height], placement: 'Block' })
}
