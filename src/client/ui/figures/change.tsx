import { arrowDownOutline, arrowForwardOutline, arrowUpOutline } from 'ionicons/icons'
import { Icon } from '../ionic/icon.tsx'
import { formatPercent } from './format.ts'

export interface ChangeProps {
  now: number | null
  before: number | null
  /** Which way is good; costs have none. */
  good?: 'up' | 'down' | 'neither'
  /** What it is compared with. */
  period?: string
}

/** Change in percent of the value before; null when either is not known or the value before is 0. */
export function changePercent(now: number | null, before: number | null): number | null {
  return now === null || before === null || before === 0 ? null : ((now - before) / Math.abs(before)) * 100
}

/** Change against the period before: arrow, sign and words, so that colour is never alone. */
export function Change({ now, before, good = 'neither', period = 'the period before' }: ChangeProps) {
  const percent = changePercent(now, before)
  if (percent === null)
    return (
      <span className="change">
        – <span className="visually-hidden">no comparison with {period}</span>
      </span>
    )
  const rounded = Math.round(percent * 10) / 10
  const way = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'same'
  const tone = way === 'same' || good === 'neither' ? '' : way === good ? 'change-good' : 'change-bad'
  const icon = { up: arrowUpOutline, down: arrowDownOutline, same: arrowForwardOutline }[way]
  const words = { up: `more than ${period}`, down: `less than ${period}`, same: `the same as ${period}` }[way]
  return (
    <span className={`change ${tone}`}>
      <Icon icon={icon} />
      {rounded > 0 ? '+' : ''}
      {formatPercent(rounded, 1)}
      <span className="visually-hidden"> {words}</span>
    </span>
  )
}
