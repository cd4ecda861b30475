import type { Db } from '#server/db/tables.ts'
import type { StepName } from '../../contract.ts'
import { type JournalItem, journal } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launches.ts'

/** An item with the marketplace's ids of what it hangs under. */
export interface PlacedItem extends JournalItem {
  campaignId: string
  adGroupId: string
}

/** The items of a step with the ids of their parents, which are among `all`; `orphans` are those whose parent was not created. */
export function placed(all: readonly JournalItem[], name: StepName) {
  const byKey = new Map(all.map(item => [item.key, item]))
  const parentOf = (item: JournalItem | undefined) => (item?.parentKey ? byKey.get(item.parentKey) : undefined)
  const step: { placed: PlacedItem[]; orphans: JournalItem[] } = { placed: [], orphans: [] }
  for (const item of all.filter(i => i.step === name)) {
    const above = parentOf(item)
    const campaign = above?.step === 'CAMPAIGNS' ? above : parentOf(above)
    if (item.parentKey && above?.state !== 'CREATED') step.orphans.push(item)
    else step.placed.push({ ...item, campaignId: campaign?.amazonId ?? '', adGroupId: above?.amazonId ?? '' })
  }
  return step
}

/** What is left to do in a step; of campaigns and ad groups those that are done as well. */
export async function placedItems(tx: Db, key: LaunchKey, name: StepName) {
  const items = await journal(tx, key)
    .where(eb =>
      eb.or([
        eb('step', 'in', ['CAMPAIGNS', 'AD_GROUPS']),
        eb('step', '=', name).and('state', 'in', ['PLANNED', 'SENDING']),
      ]),
    )
    .execute()
  return placed(items, name)
}
