import { ListRow } from '#client/ui/lists/list-row.tsx'
import type { Negative } from '#features/structure/contract.ts'
import { matchWords } from '../ad-groups/target-words.ts'
import { RowStatus } from './row-status.tsx'

/** One negative with its state and match type. */
export function NegativeRowItem({ row }: { row: Negative }) {
  return (
    <ListRow
      title={row.text}
      detail={
        <div className="row-status">
          <RowStatus {...row} />
          <span>{row.kind === 'PRODUCT' ? 'Product' : matchWords(row.matchType)}</span>
        </div>
      }
    />
  )
}
