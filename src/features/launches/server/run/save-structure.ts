import { saveCreated, saveTargetAcos } from '#features/structure/server/public.ts'
import { dayIn } from '#shared/time.ts'
import { readAsked } from '../log/read-asked.ts'
import { itemsOf, markSaved } from '../sql/items.ts'
import { updateStep } from '../sql/launches.ts'
import { createdEntities } from './created-entities.ts'
import { inJournal, type LaunchRun } from './launch-run.ts'

/**
 * Writes what the launch made, and the mirror does not have yet, into the account's structure; its campaigns get the target
 * ACOS that it was asked for.
 */
export const saveStructure = async (run: LaunchRun): Promise<void> => {
  const now = run.services.clock.now()
  await inJournal(run, async tx => {
    const items = await itemsOf(tx, run.key)
    const made = items.filter(i => i.state === 'CREATED' || i.state === 'ARCHIVED')
    const entities = (saved: boolean) =>
      createdEntities(items, run.profile, dayIn(now, run.profile.timezone), item => item.saved === saved)
    const added = entities(false)
    const ids = await saveCreated(tx, run.profile, added, now)
    const { payload } = await readAsked(tx, run.key)
    if (payload && ids.size) await saveTargetAcos(tx, run.profile, [...ids.keys()], payload.targetAcos, now)
    // What was saved before is the mirror's own since: a retry must not undo what was edited.
    await saveCreated(tx, run.profile, entities(true), now, 'STATE')
    await markSaved(
      tx,
      run.key,
      made.map(i => i.no),
    )
    await updateStep(tx, run.key, 'SAVE', { status: 'IN_PROGRESS' })
    await updateStep(tx, run.key, 'SAVE', { status: made.length ? 'COMPLETED' : 'SKIPPED' })
  })
}
