import './bulk.css'
import {
  archiveOutline,
  cashOutline,
  ellipsisHorizontalOutline,
  folderOutline,
  pauseOutline,
  playOutline,
} from 'ionicons/icons'
import { lazy, Suspense, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { actionSheet } from '#client/ui/overlays/dialogs.ts'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import type { RowKind } from '../form/field-labels.ts'
import type { Selection } from '../list/selection.ts'
import { amountFields, type BulkAction } from './bulk-actions.ts'
import { MOST_ROWS } from './bulk-queries.ts'

const BulkSheet = lazy(() => import('./bulk-sheet.tsx').then(m => ({ default: m.BulkSheet })))

interface BulkBarProps {
  /** Of a list of keywords `keyword`, of one of product targets and automatic groups `target`. */
  entity: RowKind
  /** What the rows are, in the plural: "campaigns". */
  what: string
  selection: Selection
  /** The list's query. */
  filter: object
  currency: string
}

interface Choice {
  label: string
  icon: string
  action: BulkAction
  tone?: 'danger'
}

function choicesOf(entity: RowKind): Choice[] {
  const amount = amountFields[entity]
  return [
    { label: 'Pause', icon: pauseOutline, action: { name: 'STATE', to: 'PAUSED' } },
    { label: 'Enable', icon: playOutline, action: { name: 'STATE', to: 'ENABLED' } },
    ...(amount
      ? [
          {
            label: amount.field === 'budget' ? 'Change budget' : 'Change bid',
            icon: cashOutline,
            action: { name: 'AMOUNT', field: amount.field } as const,
          },
        ]
      : []),
    ...(entity === 'campaign'
      ? [{ label: 'Move to portfolio', icon: folderOutline, action: { name: 'PORTFOLIO' } as const }]
      : []),
    // Ads are paused, never archived, from here.
    ...(entity === 'ad'
      ? []
      : [
          {
            label: 'Archive',
            icon: archiveOutline,
            action: { name: 'STATE', to: 'ARCHIVED' } as const,
            tone: 'danger' as const,
          },
        ]),
  ]
}

const onPhone = 3

/** What can be done with the chosen rows of a list, in the thumb's reach at the bottom of the screen. */
export function BulkBar({ entity, what, selection, filter, currency }: BulkBarProps) {
  const [action, setAction] = useState<BulkAction | null>(null)
  const wide = useWide()
  const online = useOnline()
  const { total, isAll, ids, clear } = selection
  const choices = choicesOf(entity)
  const [shown, more] =
    wide || choices.length <= onPhone + 1 ? [choices, []] : [choices.slice(0, onPhone), choices.slice(onPhone)]
  const rows = `${formatNumber(total)} ${what}`
  const start = (choice: Choice): void => {
    if (total > MOST_ROWS)
      toast({
        title: 'Too many rows at once',
        message: `Choose at most ${formatNumber(MOST_ROWS)}: narrow the list first.`,
        tone: 'warning',
      })
    else setAction(choice.action)
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
          <BarButton key={choice.label} {...choice} isOff={!online} onClick={() => start(choice)} />
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
            onClose={() => setAction(null)}
          />
        </Suspense>
      )}
    </>
  )
}

interface BarButtonProps {
  label: string
  icon: string
  tone?: 'danger'
  isOff: boolean
  onClick: () => void
}

const BarButton = ({ label, icon, tone, isOff, onClick }: BarButtonProps) => (
  <button
    type="button"
    className={tone ? 'bulk-action bulk-action-danger' : 'bulk-action'}
    disabled={isOff}
    onClick={onClick}
  >
    <Icon icon={icon} />
    {label}
  </button>
)
