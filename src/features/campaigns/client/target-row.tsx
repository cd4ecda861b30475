import { cashOutline, pauseOutline, playOutline } from 'ionicons/icons'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { SwipeRow } from '#client/ui/lists/swipe-row.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { TargetRow } from '../contract.ts'
import { BidSheet } from './bid-sheet.tsx'
import { RowFigures } from './row-figures.tsx'
import { RowStatus } from './row-status.tsx'
import { matchWords, targetName } from './target-words.ts'
import { otherState, useTargetSwitch } from './use-state-change.ts'

interface TargetRowProps {
  row: TargetRow
  /** Holds where the row has no bid of its own. */
  defaultBid: number | null
  shop: Shop
}

/** A keyword or target: its bid changed, or paused or enabled, by a swipe or behind a button; not while offline. */
export const TargetRowItem = ({ row, defaultBid, shop }: TargetRowProps) => {
  const online = useOnline()
  const [bidding, setBidding] = useState(false)
  const switchState = useTargetSwitch()
  const kind = row.kind === 'KEYWORD' ? 'keyword' : 'target'
  const next = otherState(row.state)
  const name = targetName(row)
  const content = (
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
  )
  if (!online || !next) return content
  return (
    <>
      <SwipeRow
        name={name}
        actions={[
          {
            label: next === 'PAUSED' ? 'Pause' : 'Enable',
            icon: next === 'PAUSED' ? pauseOutline : playOutline,
            onSelect: () => switchState(kind, { ...row, text: name }),
          },
          { label: 'Change bid', icon: cashOutline, onSelect: () => setBidding(true) },
        ]}
      >
        {content}
      </SwipeRow>
      {bidding && (
        <BidSheet
          row={row}
          name={name}
          kind={kind}
          bid={row.bid ?? defaultBid}
          shop={shop}
          onClose={() => setBidding(false)}
        />
      )}
    </>
  )
}
