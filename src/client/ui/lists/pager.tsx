import { chevronBackOutline, chevronForwardOutline } from 'ionicons/icons'
import { formatNumber } from '../figures/format.ts'
import { Icon } from '../ionic/icon.tsx'
import './pager.css'

interface PagerProps {
  /** The `page` member of a paged answer. */
  page: { number: number; size: number; totalElements: number; totalPages: number }
  onPage: (number: number) => void
  sizes?: readonly number[]
  onSize?: (size: number) => void
  label?: string
}

export function Pager({ page, onPage, sizes, onSize, label = 'Pages' }: PagerProps) {
  const { number, size, totalElements, totalPages } = page
  const first = totalElements === 0 ? 0 : number * size + 1
  const last = Math.min(totalElements, (number + 1) * size)
  const step = (name: string, icon: string, to: number, disabled: boolean) => (
    <button type="button" className="icon-button" aria-label={name} disabled={disabled} onClick={() => onPage(to)}>
      <Icon icon={icon} />
    </button>
  )
  return (
    <nav className="pager" aria-label={label}>
      {step('Page before', chevronBackOutline, number - 1, number <= 0)}
      <span aria-live="polite">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(totalElements)}
      </span>
      {step('Next page', chevronForwardOutline, number + 1, number + 1 >= totalPages)}
      {sizes && onSize && (
        <select aria-label="Rows on a page" value={size} onChange={event => onSize(Number(event.target.value))}>
          {sizes.map(one => (
            <option key={one} value={one}>
              {one} rows
            </option>
          ))}
        </select>
      )}
    </nav>
  )
}
