import { ListRow } from '#client/ui/lists/list-row.tsx'
import { SwipeRow } from '#client/ui/lists/swipe-row.tsx'
import type { AdRow } from '../../contract.ts'
import { RowFigures } from '../figures/row-figures.tsx'
import { RowStatus } from '../list/row-status.tsx'
import { otherState, useStateChange } from '../use-state-change.ts'
import { switchAction } from './switch-action.ts'
import { PendingEditNote, useWithPending } from './pending-edits.tsx'

/** The ad of a product: paused or enabled by a swipe or behind a button. */
export function AdRowItem({ row: stored }: { row: AdRow }) {
  const { shown: row, revert } = useWithPending('ad', stored)
  const { switchState } = useStateChange('ad')
  const name = row.asin ?? row.sku ?? row.amazonId
  const next = otherState(row.state)
  const content = (
    <>
      <ListRow
        title={name}
        detail={
          <div className="row-status">
            <RowStatus {...row} />
            {row.asin && row.sku && <span>{row.sku}</span>}
          </div>
        }
        figures={<RowFigures figures={row} currency={row.currency} />}
      />
      <PendingEditNote revert={revert} />
    </>
  )
  if (!next) return content
  const href = `/adgroup-details?adGroupId=${row.adGroupId}&tab=ads`
  return (
    <SwipeRow name={name} actions={[switchAction(next, () => switchState({ ...row, name, href }))]}>
      {content}
    </SwipeRow>
  )
}
