import './bulk.css'
import {
  archiveOutline,
  cashOutline,
  ellipsisHorizontalOutline,
  folderOutline,
  pauseOutline,
  playOutline,
  removeCircleOutline,
  repeatOutline,
} from 'ionicons/icons'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { navigateHref } from '#client/ui/ionic/navigate-href.ts'
import { actionSheet } from '#client/ui/overlays/dialogs.ts'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import type { TargetRow } from '../../contract.ts'
import { MAX_NEGATIVES } from '#features/negatives/contract.ts'
import { MAX_CAMPAIGNS } from '#features/optimizer/contract.ts'
import { type ListQuery, useLoadedRows } from '../figures/figures-list.tsx'
import type { RowKind } from '../form/field-labels.ts'
import type { ListSelection } from '../list/selection.ts'
import { type ActionName, amountFields, type BulkAction } from './bulk-actions.ts'
import { MOST_ROWS } from './bulk-queries.ts'

const NegateRows = lazy(() => import('./negate-rows.tsx').then(m => ({ default: m.NegateRows })))
const BulkSheet = lazy(() => import('./bulk-sheet.tsx').then(m => ({ default: m.BulkSheet })))

interface BulkBarProps {
  /** Of a list of keywords `keyword`, of one of product targets and automatic groups `target`. */
  entity: RowKind
  /** What the rows are, in the plural: "campaigns". */
  what: string
  selection: ListSelection
  /** The list's query. */
  filter: object
  currency: string
  query: ListQuery<object>
}

interface Choice {
  name: ActionName
  label: string
  /** What stands below the icon, where the label is too long. */
  short?: string
  icon: string
  tone?: 'danger'
}

const choices: Record<ActionName, Omit<Choice, 'name'>> = {
  PAUSED: { label: 'Pause', icon: pauseOutline },
  ENABLED: { label: 'Enable', icon: playOutline },
  AMOUNT: { label: 'Change bid', icon: cashOutline },
  NEGATE: { label: 'Negate', icon: removeCircleOutline },
  TAKE_OVER: { label: 'Take over', icon: repeatOutline },
  PORTFOLIO: { label: 'Move to portfolio', short: 'Portfolio', icon: folderOutline },
  ARCHIVED: { label: 'Archive', icon: archiveOutline, tone: 'danger' },
}
// Ads are paused, never archived, from here. What is done most comes first: a phone has room for three.
const namesOf: Record<RowKind, readonly ActionName[]> = {
  campaign: ['PAUSED', 'ENABLED', 'AMOUNT', 'TAKE_OVER', 'PORTFOLIO', 'ARCHIVED'],
  adGroup: ['PAUSED', 'ENABLED', 'AMOUNT', 'ARCHIVED'],
  ad: ['PAUSED', 'ENABLED'],
  keyword: ['PAUSED', 'AMOUNT', 'NEGATE', 'ENABLED', 'ARCHIVED'],
  target: ['PAUSED', 'AMOUNT', 'NEGATE', 'ENABLED', 'ARCHIVED'],
}

function choicesOf(entity: RowKind): Choice[] {
  const amount =
    entity === 'campaign' ? { label: 'Change budget', short: 'Budget' } : { label: 'Change bid', short: 'Bid' }
  return namesOf[entity].map(name => ({ name, ...choices[name], ...(name === 'AMOUNT' && amount) }))
}

/** What the address says is being done with the chosen rows; null for nothing, and for negating, which has its own sheet. */
function actionOf(name: unknown, entity: RowKind): BulkAction | null {
  const amount = amountFields[entity]
  if (name === 'PAUSED' || name === 'ENABLED' || name === 'ARCHIVED') return { name: 'STATE', to: name }
  if (name === 'AMOUNT' && amount) return { name, field: amount.field }
  return name === 'PORTFOLIO' ? { name } : null
}

const onPhone = 3

/** What can be done with the chosen rows of a list, in the thumb's reach at the bottom of the screen. */
export function BulkBar({ entity, what, selection, filter, currency, query }: BulkBarProps) {
  const { opened, open, close } = useSheetAddress('sheet', 'action')
  // After a reload nothing is chosen: then the address alone opens nothing.
  const [isStarted, setStarted] = useState(false)
  const wide = useWide()
  const online = useOnline()
  const router = useRouter()
  const loaded = useLoadedRows(query as ListQuery<{ id: number }>)
  const { total, isAll, ids, clear } = selection
  const all = choicesOf(entity)
  const [shown, more] = wide || all.length <= onPhone + 1 ? [all, []] : [all.slice(0, onPhone), all.slice(onPhone)]
  const rows = `${formatNumber(total)} ${what}`
  const chosen = isStarted && opened.sheet === 'bulk' ? all.find(({ name }) => name === opened.action)?.name : undefined
  const action = actionOf(chosen, entity)
  const start = ({ name }: Choice): void => {
    const most = name === 'NEGATE' ? MAX_NEGATIVES : name === 'TAKE_OVER' ? MAX_CAMPAIGNS : MOST_ROWS
    if (total > most)
      toast({
        title: 'Too many rows at once',
        message: `Choose at most ${formatNumber(most)}: narrow the list first.`,
        tone: 'warning',
      })
    else if (name === 'TAKE_OVER')
      void navigateHref(router, `/take-over?campaigns=${(isAll ? loaded.map(({ id }) => id) : ids).join(',')}`)
    else {
      setStarted(true)
      open({ sheet: 'bulk', action: name })
    }
  }
  const openMore = async (): Promise<void> => {
    const actions = more.map(({ label, tone }) => ({ label, ...(tone && { tone }) }))
    const label = await actionSheet({ title: rows, actions })
    const choice = more.find(one => one.label === label)
    if (choice) start(choice)
  }
  return (
    <>
      <section className="bulk-bar" aria-label={`Change ${rows}`}>
        {shown.map(choice => (
          <BarButton
            key={choice.label}
            {...choice}
            {...(wide && { short: undefined })}
            isOff={!online}
            onClick={() => start(choice)}
          />
        ))}
        {more.length > 0 && (
          <BarButton label="More" icon={ellipsisHorizontalOutline} isOff={!online} onClick={() => void openMore()} />
        )}
        {!online && <p>You are offline. Many rows can only be changed online.</p>}
      </section>
      {action && (
        <Suspense>
          <BulkSheet
            scope={{ entity, ids: isAll ? null : ids, filter }}
            action={action}
            what={what}
            count={total}
            currency={currency}
            onStarted={clear}
            onClose={close}
          />
        </Suspense>
      )}
      {chosen === 'NEGATE' && (entity === 'keyword' || entity === 'target') && (
        <Suspense>
          {/* The rows of these lists are targets. */}
          <NegateRows
            noun={entity}
            query={query as ListQuery<unknown> as ListQuery<TargetRow>}
            selection={selection}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}

interface BarButtonProps {
  label: string
  short?: string | undefined
  icon: string
  tone?: 'danger'
  isOff: boolean
  onClick: () => void
}

const BarButton = ({ label, short, icon, tone, isOff, onClick }: BarButtonProps) => (
  <button
    type="button"
    className={tone ? 'bulk-action bulk-action-danger' : 'bulk-action'}
    disabled={isOff}
    {...(short && { 'aria-label': label })}
    onClick={onClick}
  >
    <Icon icon={icon} />
    {short ?? label}
  </button>
)
