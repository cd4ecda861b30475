import type { Db } from '#server/db/tables.ts'
import { launchRejectionMessage } from '#shared/marketplace-rejections.ts'
import { type ItemChange, type JournalItem, openItems } from '../sql/items.ts'
import type { LaunchKey } from '../sql/launch-key.ts'
import type { PlacedItem, StepDriver } from './step-driver.ts'

/** The items of a step; `orphans` are those with a parent that was not created. */
export interface PlacedStep {
  placed: PlacedItem[]
  orphans: JournalItem[]
}

/** Items of a launch by what they hang under: those of one step, with the marketplace's ids of their parents. */
export function placed(all: readonly JournalItem[], { name }: Pick<StepDriver, 'name'>): PlacedStep {
  const byKey = new Map(all.map(item => [item.key, item]))
  const parent = (item: JournalItem | undefined) => (item?.parentKey ? byKey.get(item.parentKey) : undefined)
  const step: PlacedStep = { placed: [], orphans: [] }
  for (const item of all.filter(i => i.step === name)) {
    const above = parent(item)
    if (item.parentKey && above?.state !== 'CREATED') {
      step.orphans.push(item)
      continue
    }
    const campaign = above?.step === 'CAMPAIGNS' ? above : parent(above)
    step.placed.push({ ...item, campaignId: campaign?.amazonId ?? '', adGroupId: above?.amazonId ?? '' })
  }
  return step
}

/** What is left to do in a step; of campaigns and ad groups those that are done as well. */
export const placedItems = async (tx: Db, key: LaunchKey, driver: StepDriver): Promise<PlacedStep> =>
  placed(await openItems(tx, key, driver.name), driver)

/** An item that the marketplace rejected, with a message for the seller. */
export function rejected(item: JournalItem, reason: string, message?: string): ItemChange {
  return {
    no: item.no,
    state: 'FAILED',
    reason,
    message: launchRejectionMessage(reason, message),
  }
}

/** An item that is skipped, with a message for the seller. */
export function skipped(item: JournalItem, reason: string): ItemChange {
  return {
    no: item.no,
    state: 'SKIPPED',
    reason,
    message: launchRejectionMessage(reason),
  }
}
