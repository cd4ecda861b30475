import './negatives.css'
import { alertCircleOutline, checkmarkCircleOutline, warningOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { Button } from '#client/ui/states/button.tsx'
import { matchWords } from '../form/field-labels.ts'
import type { NegativeOutcome, PreviewedNegative } from './negative-drafts.ts'
import type { useNegating } from './use-negating.ts'

interface LineProps {
  name: string
  detail?: ReactNode
  note?: { tone: 'good' | 'plain' | 'danger' | 'accent'; text: string } | null | undefined
  children?: ReactNode
}

const icons = { good: checkmarkCircleOutline, plain: null, danger: alertCircleOutline, accent: warningOutline }

/** One of the things that are about to be done, or were: with what is to be said of it. */
export function ActLine({ name, detail, note, children }: LineProps) {
  const icon = note && icons[note.tone]
  return (
    <li className="act-line">
      <strong>{name}</strong>
      {detail && <small>{detail}</small>}
      {note && (
        <span className={`act-note act-note-${note.tone}`}>
          {icon && <Icon icon={icon} />} {note.text}
        </span>
      )}
      {children}
    </li>
  )
}

/** What a preview says of one negative. */
export function previewNote(item: PreviewedNegative | undefined): LineProps['note'] {
  if (!item) return null
  if (item.status === 'EXISTS')
    return { tone: 'plain', text: item.message ?? 'Already a negative there. Left as it is.' }
  if (item.status === 'INVALID') return { tone: 'danger', text: item.message ?? 'The marketplace would reject it.' }
  const count = item.blockedCount
  return count > 0
    ? {
        tone: 'accent',
        text: count === 1 ? 'Stops a running keyword:' : `Stops ${formatNumber(count)} running keywords:`,
      }
    : null
}

/** What became of one negative or keyword. */
export function outcomeNote({ status, message }: Pick<NegativeOutcome, 'status' | 'message'>): LineProps['note'] {
  if (status === 'WAITS') return { tone: 'plain', text: 'Queued until you are online' }
  if (status === 'CREATED') return { tone: 'good', text: message ?? 'Added' }
  if (status === 'EXISTS') return { tone: 'plain', text: message ?? 'Was there already' }
  return { tone: 'danger', text: message ?? 'Not added' }
}

/** The running keywords that a negative would block, with what they bring. */
export function Blocked({ item, currency }: { item: PreviewedNegative; currency: string }) {
  const { blocks, blockedCount } = item
  if (!blocks.length) return null
  return (
    <ul className="act-blocked">
      {blocks.map(({ targetId, text, matchType, adGroupName, campaignName, orders, cost }) => (
        <li key={targetId}>
          “{text}” {matchType && matchWords(matchType).toLowerCase()} in {campaignName} · {adGroupName}:{' '}
          {formatNumber(orders)} {orders === 1 ? 'order' : 'orders'} for {formatMoney(cost, currency)} in 30 days
        </li>
      ))}
      {blockedCount > blocks.length && <li>and {formatNumber(blockedCount - blocks.length)} more</li>}
    </ul>
  )
}

/** "1 term", "12 terms" */
export const countOf = (count: number, noun: string): string =>
  `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`

interface NegatingProps {
  negating: ReturnType<typeof useNegating>
}

/** Adds the negatives that are new; afterwards it only closes. */
export function NegateFooter({ negating, what, onClose }: NegatingProps & { what: string; onClose: () => void }) {
  const { isUnchecked, preview, news, stops, outcomes, isAdding, submit } = negating
  if (outcomes)
    return (
      <Button tone="primary" onClick={onClose}>
        Close
      </Button>
    )
  return (
    <Button
      tone="primary"
      busy={isAdding}
      busyLabel="Adding…"
      disabled={(!isUnchecked && !preview.data) || news.length === 0}
      onClick={() => void submit()}
    >
      {`Negate ${what}${isUnchecked ? ' once online' : stops > 0 ? ' anyway' : ''}`}
    </Button>
  )
}

/** Of negatives that are to be added without network. */
export const uncheckedNote =
  'You are offline: which running keywords this would stop is not checked. It is sent once you are online.'

/** Why nothing can be said of the negatives, or not yet. */
export function NegateNotes({ isUnchecked, preview }: Pick<NegatingProps['negating'], 'isUnchecked' | 'preview'>) {
  if (isUnchecked) return <p aria-live="polite">{uncheckedNote}</p>
  if (preview.error) return <p className="field-error">{failureMessage(preview.error)}</p>
  return preview.isFetching && <p aria-live="polite">Checking which keywords this would stop…</p>
}
