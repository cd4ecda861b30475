import { ListRow } from '#client/ui/lists/list-row.tsx'
import type { AdRow } from '../../contract.ts'
import { RowFigures } from '../figures/row-figures.tsx'
import { RowStatus } from '../list/row-status.tsx'
import { ActionRow, useEditableRow } from './editable-row.tsx'

/** The ad of a product: paused or enabled by a swipe or behind a button. */
export function AdRowItem({ row: stored }: { row: AdRow }) {
  const { row, name, note, next, switchAction } = useEditableRow('ad', stored, ad => ({
    name: ad.asin ?? ad.sku ?? ad.amazonId,
    href: `/adgroup-details?adGroupId=${ad.adGroupId}&tab=ads`,
  }))
  return (
    <ActionRow name={name} actions={next ? [switchAction] : []}>
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
      {note}
    </ActionRow>
  )
}
