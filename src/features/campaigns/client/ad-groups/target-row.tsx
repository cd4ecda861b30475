import { archiveOutline, cashOutline } from 'ionicons/icons'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import { SwipeRow } from '#client/ui/lists/swipe-row.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { TargetRow } from '../../contract.ts'
import { EditSheet } from '../edit/edit-sheet.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import { RowStatus } from '../list/row-status.tsx'
import { matchWords, targetName } from './target-words.ts'
import { switchAction } from '../edit/switch-action.ts'
import { PendingEditNote, useWithPending } from '../edit/pending-edits.tsx'
import { otherState, useStateChange } from '../use-state-change.ts'

interface TargetRowProps {
  row: TargetRow
  /** Holds where the row has no bid of its own. */
  defaultBid: number | null
  shop: Shop
}

/** A keyword or target: its bid changed, paused, enabled, or archived, by a swipe or behind a button. */
export function TargetRowItem({ row: stored, defaultBid, shop }: TargetRowProps) {
  const online = useOnline()
  const [bidding, setBidding] = useState(false)
  const kind = stored.kind === 'KEYWORD' ? 'keyword' : 'target'
  const { shown: row, revert } = useWithPending(kind, stored)
  const { switchState, archive } = useStateChange(kind)
  const next = otherState(row.state)
  const name = targetName(row)
  const switched = { ...row, name, href: `/adgroup-details?adGroupId=${row.adGroupId}` }
  const content = (
    <>
      <TargetLine row={row} defaultBid={defaultBid} />
      <PendingEditNote revert={revert} />
    </>
  )
  if (!next) return content
  const actions: RowAction[] = [
    switchAction(next, () => switchState(switched)),
    { label: 'Change bid', icon: cashOutline, onSelect: () => setBidding(true) },
  ]
  // The marketplace keeps the automatic groups; and what is for good is not left waiting.
  if (online && row.kind !== 'AUTO')
    actions.push({ label: 'Archive', icon: archiveOutline, tone: 'danger', onSelect: () => void archive(switched) })
  return (
    <>
      <SwipeRow name={name} actions={actions}>
        {content}
      </SwipeRow>
      {bidding && (
        <EditSheet
          kind={kind}
          row={row}
          {...(row.bid === null && { inherited: { bid: defaultBid } })}
          name={name}
          names={['bid']}
          title={`Bid for ${name}`}
          submitLabel="Save bid"
          savedTitle="Bid saved"
          shop={shop}
          href={switched.href}
          onClose={() => setBidding(false)}
        />
      )}
    </>
  )
}

function TargetLine({ row, defaultBid }: Pick<TargetRowProps, 'row' | 'defaultBid'>) {
  return (
    <ListRow
      title={targetName(row)}
      detail={
        <div className="row-status">
          <RowStatus {...row} />
          {row.kind === 'KEYWORD' && <span>{matchWords(row.matchType)}</span>}
          <span>
            {row.bid === null ? 'Default bid ' : 'Bid '}
            <Money amount={row.bid ?? defaultBid} currency={row.currency} />
          </span>
        </div>
      }
      figures={<RowFigures figures={row} currency={row.currency} />}
    />
  )
}
