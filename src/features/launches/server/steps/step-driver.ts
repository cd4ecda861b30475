import type { ItemOutcome } from '#integrations/amazon-ads/index.ts'
import type { StepName } from '../../contract.ts'
import type { ItemContent } from '../../plan/launch-items.ts'
import type { JournalItem } from '../sql/items.ts'
import type { LaunchRun } from '../run/launch-run.ts'

/** An item with the marketplace's ids of what it hangs under. */
export interface PlacedItem extends JournalItem {
  campaignId: string
  adGroupId: string
}

/** How one step talks to the marketplace. */
export interface StepDriver {
  name: StepName
  /** Sends all items in one call; outcomes in their order. Throws what the integration throws. */
  send(run: LaunchRun, items: readonly PlacedItem[]): Promise<ItemOutcome<unknown>[]>
  /** The marketplace's ids, by item number, of the items that it has already as planned. */
  find(run: LaunchRun, items: readonly PlacedItem[]): Promise<Map<number, string>>
  /** True where sending twice is sending once, so that what is not found is sent again without waiting. */
  isRepeatable?: boolean
}

/** The content of an item of the expected kind. Throws when the journal has another: a defect of ours. */
export function contentOf<K extends ItemContent['kind']>(
  item: JournalItem,
  kind: K,
): Extract<ItemContent, { kind: K }> {
  if (item.content.kind !== kind) throw new Error(`item ${item.key} is not a ${kind}`)
  return item.content as Extract<ItemContent, { kind: K }>
}

/** Pairs items with what the marketplace lists, by a text that is the same for both. */
export function matchBy<E>(
  items: readonly PlacedItem[],
  listed: readonly E[],
  keyOfItem: (item: PlacedItem) => string,
  keyOfEntity: (entity: E) => string,
  idOf: (entity: E) => string,
): Map<number, string> {
  const ids = new Map(listed.map(entity => [keyOfEntity(entity), idOf(entity)]))
  return new Map(
    items.flatMap(item => {
      const id = ids.get(keyOfItem(item))
      return id === undefined ? [] : [[item.no, id] as const]
    }),
  )
}

/** The campaigns that items hang under, once each. */
export const campaignIdsOf = (items: readonly PlacedItem[]): string[] => [...new Set(items.map(i => i.campaignId))]
