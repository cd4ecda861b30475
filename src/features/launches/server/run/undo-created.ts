import { type ItemChange, itemsOf, recordItems } from '../sql/items.ts'
import { releaseNames, updateLaunch } from '../sql/launches.ts'
import { campaignStep } from '../steps/campaign-steps.ts'
import { failureOf } from './failure-of.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'
import { clearUp, restBeforeLook } from '../steps/clear-up.ts'
import { placedItems } from '../steps/placed-items.ts'
import { saveStructure } from './save-structure.ts'
import { Blocked, Wait } from './stops.ts'

const placedCampaigns = ({ services, key }: LaunchRun) =>
  services.db.reading(key.merchantId, tx => placedItems(tx, key, campaignStep))

// A campaign with an unclear outcome must be found or ruled out first, or it would survive the undo.
async function settleUnclear(run: LaunchRun): Promise<void> {
  for (;;) {
    const { placed } = await placedCampaigns(run)
    const unclear = placed.filter(i => i.state === 'SENDING')
    if (!unclear.length) return
    const changes = await clearUp(run, campaignStep, unclear)
    await inJournal(run, tx => recordItems(tx, run.key, changes))
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
  for (let round = 0; ; ) {
    const listed = await run.ads.campaigns.all({ ids, states: ['ENABLED', 'PAUSED', 'ARCHIVED'] })
    const live = listed.filter(c => c.state !== 'ARCHIVED').map(c => c.campaignId)
    const archived = () => new Set(listed.filter(c => c.state === 'ARCHIVED').map(c => c.campaignId))
    if (!live.length) return archived()
    const quietLeftMs = lastSent + timing.quietMs - services.clock.now().getTime()
    if (round === ROUNDS) {
      if (quietLeftMs <= 0 || !live.some(id => pending.has(id))) return archived()
      await restBeforeLook(run, quietLeftMs)
      continue
    }
    round++
    lastSent = services.clock.now().getTime()
    pending = new Set(await sendArchive(run, live))
  }
}

/** Asks for campaigns to be archived; answers those that are then, or may be. */
async function sendArchive(run: LaunchRun, ids: readonly string[]): Promise<string[]> {
  try {
    const outcomes = await run.ads.campaigns.archive(ids)
    return ids.filter((_, i) => {
      const outcome = outcomes[i]
      return outcome?.ok || outcome?.reason === 'OUTCOME_UNKNOWN'
    })
  } catch (error) {
    const failure = failureOf(error)
    if (failure.kind === 'BLOCKED' || failure.kind === 'LATER') throw error
    return failure.kind === 'UNCLEAR' ? [...ids] : []
  }
}

/**
 * Undoes a launch: every campaign it created is archived, and with it all that is in it. Throws Wait or Blocked when
 * the marketplace cannot be used; what is archived stays so.
 */
export async function undoCreated(run: LaunchRun): Promise<void> {
  await settleUnclear(run)
  const { placed } = await placedCampaigns(run)
  const ids = placed.flatMap(i => (i.state === 'CREATED' && i.amazonId ? [i.amazonId] : []))
  const archived = ids.length
    ? await archive(run, ids).catch((error: unknown) => {
        const failure = failureOf(error)
        if (failure.kind === 'BLOCKED') throw new Blocked(error)
        throw new Wait(failure.kind === 'LATER' ? failure.afterMs : undefined, error)
      })
    : new Set<string>()
  const whole = ids.every(id => archived.has(id))
  await inJournal(run, async tx => {
    const items = await itemsOf(tx, run.key)
    const byKey = new Map(items.map(i => [i.key, i]))
    const campaignOf = (item: (typeof items)[number]): (typeof items)[number] => {
      const parent = item.parentKey ? byKey.get(item.parentKey) : undefined
      return parent ? campaignOf(parent) : item
    }
    const changes = items.flatMap((item): ItemChange[] =>
      item.state === 'CREATED' && archived.has(campaignOf(item).amazonId ?? '')
        ? [{ no: item.no, state: 'ARCHIVED' }]
        : [],
    )
    await recordItems(tx, run.key, changes)
    await updateLaunch(tx, run.key, { undo: whole ? 'DONE' : 'PARTIAL' })
    if (whole) await releaseNames(tx, run.key)
  })
  await saveStructure(run)
}
