import { archiveOutline, cashOutline } from 'ionicons/icons'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { TargetRow } from '../../contract.ts'
import { EditSheet } from '../edit/edit-sheet.tsx'
import { ActionRow, useEditableRow } from '../edit/editable-row.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import { matchWords, targetName } from '../form/field-labels.ts'
import { RowStatus } from '../list/row-status.tsx'

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
  const { row, name, href, note, next, switchAction, archive } = useEditableRow(kind, stored, target => ({
    name: targetName(target),
    href: `/adgroup-details?adGroupId=${target.adGroupId}`,
  }))
  const actions: RowAction[] = next
    ? [switchAction, { label: 'Change bid', icon: cashOutline, onSelect: () => setBidding(true) }]
    : []
  // The marketplace keeps the automatic groups; and what is for good is not left waiting.
  if (next && online && row.kind !== 'AUTO')
    actions.push({ label: 'Archive', icon: archiveOutline, tone: 'danger', onSelect: () => void archive() })
  return (
    <>
      <ActionRow name={name} actions={actions}>
        <ListRow
          title={name}
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
        {note}
      </ActionRow>
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
          href={href}
          onClose={() => setBidding(false)}
        />
      )}
    </>
  )
}
