import { releaseNames } from '../launch-names.ts'
import { type ItemChange, itemsOf, type JournalItem, recordItems } from '../sql/items.ts'
import { updateLaunch } from '../sql/launches.ts'
import { clearUp, restBeforeLook } from '../steps/clear-up.ts'
import { type PlacedItem, placedItems } from '../steps/placed-items.ts'
import { campaignStep } from '../steps/steps.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'
import { saveStructure } from './save-structure.ts'
import { failureOf, stopBy } from './stops.ts'

// A campaign with an unclear outcome must be found or ruled out first, or it would survive the undo.
async function settledCampaigns(run: LaunchRun): Promise<PlacedItem[]> {
  const { services, key } = run
  for (;;) {
    const { placed } = await services.db.reading(key.merchantId, tx => placedItems(tx, key, campaignStep.name))
    const unclear = placed.filter(i => i.state === 'SENDING')
    if (!unclear.length) return placed
    const changes = await clearUp(run, campaignStep, unclear)
    await inJournal(run, tx => recordItems(tx, key, changes))
  }
}

const ROUNDS = 3

/**
 * Archives campaigns; answers those that are archived in the end, by looking and not by believing. What may have been
 * archived, and is not shown so yet, is looked for until the quiet is over.
 */
async function archive(run: LaunchRun, ids: readonly string[]): Promise<Set<string>> {
  const { timing, services } = run
  // What an answer said is archived, or may be since none came.
  let pending = new Set<string>()
  let lastSent = 0
  run.looks = 0
  for (let round = 0; ids.length; ) {
    const listed = await run.ads.campaigns.all({ ids, states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
    const live = listed.filter(c => c.state !== 'ARCHIVED').map(c => c.campaignId)
    const quietLeftMs = lastSent + timing.quietMs - services.clock.now().getTime()
    const mayShowLater = quietLeftMs > 0 && live.some(id => pending.has(id))
    if (!live.length || (round === ROUNDS && !mayShowLater))
      return new Set(listed.filter(c => c.state === 'ARCHIVED').map(c => c.campaignId))
    if (round === ROUNDS) {
      await restBeforeLook(run, quietLeftMs)
      continue
    }
    round++
    lastSent = services.clock.now().getTime()
    pending = new Set(await sendArchive(run, live))
  }
  return pending
}

/** Asks for campaigns to be archived; answers those that are then, or may be. */
async function sendArchive(run: LaunchRun, ids: readonly string[]): Promise<readonly string[]> {
  try {
    const outcomes = await run.ads.campaigns.archive(ids)
    return ids.filter((_, i) => outcomes[i]?.ok || outcomes[i]?.reason === 'OUTCOME_UNKNOWN')
  } catch (error) {
    const failure = failureOf(error)
    if (failure === 'UNCLEAR') return ids
    if (failure === 'REJECTED') return []
    throw error
  }
}

/**
 * Undoes a launch: every campaign it created is archived, and with it all that is in it. Throws Wait or Blocked when
 * the marketplace cannot be used; what is archived stays so.
 */
export async function undoCreated(run: LaunchRun): Promise<void> {
  const campaigns = await settledCampaigns(run)
  const ids = campaigns.flatMap(i => (i.state === 'CREATED' && i.amazonId ? [i.amazonId] : []))
  const archived = await archive(run, ids).catch(stopBy)
  const isWhole = ids.every(id => archived.has(id))
  await inJournal(run, async tx => {
    const items = await itemsOf(tx, run.key)
    const byKey = new Map(items.map(i => [i.key, i]))
    const campaignOf = (item: JournalItem): JournalItem => {
      const parent = item.parentKey ? byKey.get(item.parentKey) : undefined
      return parent ? campaignOf(parent) : item
    }
    const gone = items.filter(i => i.state === 'CREATED' && archived.has(campaignOf(i).amazonId ?? ''))
    const changes = gone.map(({ no }): ItemChange => ({ no, state: 'ARCHIVED' }))
    await recordItems(tx, run.key, changes)
    await updateLaunch(tx, run.key, { undo: isWhole ? 'DONE' : 'PARTIAL' })
    if (isWhole) await releaseNames(tx, run.key)
  })
  await saveStructure(run)
}
