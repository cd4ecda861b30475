import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { RecommendedRow } from './bid-rows.tsx'
import type { ChosenItem } from './chosen-items.tsx'

interface RecommendedItemsProps {
  label: string
  items: readonly (ChosenItem & { why: string })[]
  /** Ids of what is chosen already. */
  known: ReadonlySet<string>
  currency: string
  onAdd: (index: number) => void
}

/** Recommendations of one kind, in the marketplace's order. */
export function RecommendedItems({ label, items, known, currency, onAdd }: RecommendedItemsProps) {
  return (
    <ScrollList count={items.length} itemKey={index => items[index]?.id ?? index} label={label} estimate={132}>
      {index => {
        const item = items[index]
        return (
          item && <RecommendedRow {...item} currency={currency} added={known.has(item.id)} onAdd={() => onAdd(index)} />
        )
      }}
    </ScrollList>
  )
}
