import { z } from 'zod'
import { changeRejectionMessage } from '#shared/marketplace-rejections.ts'
import { adsOf, profileById } from '#features/accounts/server/public.ts'
import type { JobRun, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { UpstreamRejected } from '#server/http-client/upstream-errors.ts'
import { defineJob, type JobDefinition } from '#server/jobs/define-job.ts'
import type { EntityName } from '../../contract.ts'
import { markShownJob } from '../import/mark-shown.job.ts'
import type { Owner } from '../sql/entity-sql.ts'
import {
  adTypesOf,
  isNew,
  negativesAfter,
  noteSent,
  type PendingRow,
  type PushKey,
  readLongPending,
  readPendingRows,
} from '../sql/pending-rows.ts'
import { adoptSent, settleDoubtful } from './find-sent.ts'
import {
  AccountRejected,
  columnsToSend,
  judge,
  letIn,
  listName,
  listsOf,
  type Operation,
  type PortList,
  sendRows,
  type Verdict,
} from './port-calls.ts'
import { type Push, settled, settleRows } from './settle-rows.ts'

/**
 * Queues what rows of one account wait with for the marketplace, in the caller's transaction: the only way to do so. The
 * rows are PENDING already. However many they are, they become one job for each ad type.
 */
export async function sendChanges(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  { merchantId, profileId }: Owner,
  entity: EntityName,
  ids: readonly number[],
): Promise<void> {
  for (const adType of await adTypesOf(tx, entity, { merchantId, profileId }, ids))
    await queue({ jobs }, tx, entity, { merchantId, profileId, adType })
}

const queue = ({ jobs }: Pick<Services, 'jobs'>, tx: Db, entity: EntityName, key: PushKey) =>
  jobs.send(tx, pushJobs[entity], key, { key: `${key.merchantId}:${key.profileId}:${key.adType}` })

/** The jobs that send the pending rows of each entity: per account and ad type one that waits and one that runs. */
export const pushJobs: Record<EntityName, JobDefinition<PushKey>> = {
  campaign: pushJob('campaign', 'push-campaign'),
  adGroup: pushJob('adGroup', 'push-ad-group'),
  ad: pushJob('ad', 'push-product-ad'),
  target: pushJob('target', 'push-target'),
  negative: pushJob('negative', 'push-negative'),
}

function pushJob(entity: EntityName, name: string): JobDefinition<PushKey> {
  return defineJob<PushKey>({
    name,
    data: z.object({ merchantId: z.number(), profileId: z.number(), adType: z.string() }),
    policy: 'stately',
    retryLimit: 8,
    concurrency: 4,
    run: async (services, key, job) => {
      const isDone = await pushRows(services, entity, key, job, async (tx, targetIds) => {
        const negativeIds = targetIds.length ? await negativesAfter(tx, key.merchantId, targetIds) : []
        if (negativeIds.length) await sendChanges(services, tx, key, 'negative', negativeIds)
      })
      if (!isDone) await queue(services, services.db.system, entity, key)
    },
  })
}

const minWaitMs = 15 * 60_000
const maxJobs = 1000

/**
 * Every ten minutes: rows that wait for the marketplace although their job is long over (its process was killed in the
 * last try, for instance) are sent again, so that none waits for ever.
 */
export const resendPendingJob = defineJob<object>({
  name: 'resend-pending',
  data: z.object({}),
  policy: 'stately',
  cron: '*/10 * * * *',
  run: async services => {
    const { clock, db } = services
    const before = new Date(clock.now().getTime() - minWaitMs)
    for (const entity of Object.keys(pushJobs) as EntityName[])
      for (const key of await readLongPending(db.system, entity, before, maxJobs))
        await queue(services, db.system, entity, key)
  },
})

// A list of jobs with different data has no other common type.
export const structureJobs = [
  ...Object.values(pushJobs),
  resendPendingJob,
  markShownJob,
] as unknown as JobDefinition<never>[]

const gaveUp =
  'The marketplace did not answer, so Tideline stopped trying. The next import shows the current values: please check them before you try again.'
const keywordNotThere = 'Not added, because the keyword for it was not accepted: no ad would reach the term.'

/** So many rows are sorted by operation at a time. */
const MAX_READ = 10_000
const MAX_CUTS = 30
/** An edit that is younger was hardly tried, whatever the job has behind it. */
const MIN_TRIED_MS = 2 * 60_000

interface RunningPush extends Push {
  job: JobRun
  lists: Record<string, PortList | undefined>
  /** How often a rejected batch may still be cut in two, to find the item that spoils it. */
  cuts: number
}

/**
 * Sends the pending rows of one entity of an account and ad type to the marketplace, batch by batch, and saves each item's
 * outcome before it sends the next. Sending twice does no harm, since a change names the wished end and a new row is
 * looked for first: so whatever is unclear stays pending and is thrown, for the queue to try again, and given up with
 * the last try. Returns false when rows are left that were added too late to be given up.
 */
async function pushRows(
  services: Services,
  entity: EntityName,
  key: PushKey,
  job: JobRun,
  onSettledNew: Push['onSettledNew'],
): Promise<boolean> {
  const push: RunningPush = { services, entity, key, job, lists: {}, onSettledNew, cuts: MAX_CUTS, unclear: [] }
  try {
    for (let afterId = 0; ; ) {
      const rows = await readPendingRows(services.db.system, entity, key, afterId, MAX_READ)
      await pushPage(push, rows)
      afterId = rows.at(-1)?.id ?? 0
      if (rows.length < MAX_READ) break
    }
    if (push.unclear.length) throw new Error(`not accepted yet: ${[...new Set(push.unclear)].slice(0, 5).join(', ')}`)
    return true
  } catch (error) {
    if (error instanceof AccountRejected) {
      await failAll(push, error.message, () => true)
      return true
    }
    if (!job.lastAttempt || job.signal.aborted) throw error
    const triedSince = services.clock.now().getTime() - MIN_TRIED_MS
    const left = await failAll(push, gaveUp, row => row.editedAt.getTime() <= triedSince)
    if (left) return false
    throw error
  }
}

async function pushPage(push: RunningPush, rows: readonly PendingRow[]): Promise<void> {
  const due = rows.filter(row => row.keywordState !== 'PENDING')
  const isOrphan = ({ keywordState }: PendingRow) => keywordState === 'FAILED' || keywordState === 'MISSING'
  const isGone = (row: PendingRow) => row.requested.state === 'ARCHIVED'
  const created = due.filter(row => isNew(row) && !isOrphan(row))
  const changed = due.filter(row => !isNew(row))
  const isSame = (row: PendingRow) => !columnsToSend(push.entity, row).length
  const unsent = created.filter(row => !row.base.sent)
  // First, so that what is added again where it was removed does not find itself there.
  await sendAll(
    push,
    'archive',
    changed.filter(row => isGone(row) && !isSame(row)),
  )
  await settleRows(push, [
    ...due.filter(isOrphan).map(row => settled(row, { rejection: keywordNotThere })),
    ...unsent.filter(isGone).map(row => settled(row, { isRemoved: true })),
    ...changed.filter(isSame).map(row => settled(row, {})),
  ])
  const missing: PendingRow[] = []
  for (const [name, sent] of byList(
    push,
    created.filter(row => row.base.sent),
  ))
    missing.push(...(await adoptSent(push, await openList(push, name), sent)))
  await sendAll(
    push,
    'create',
    [...unsent, ...missing].filter(row => !isGone(row)),
  )
  await sendAll(
    push,
    'update',
    changed.filter(row => !isGone(row) && !isSame(row)),
  )
}

function byList(push: RunningPush, rows: readonly PendingRow[]): Map<string, PendingRow[]> {
  return Map.groupBy(rows, row => listName(push.entity, push.key.adType, row))
}

async function sendAll(push: RunningPush, operation: Operation, rows: readonly PendingRow[]): Promise<void> {
  for (const [name, ofList] of byList(push, rows)) {
    const list = await openList(push, name)
    for (let from = 0; from < ofList.length; from += list.batchSize)
      await sendBatch(push, list, operation, ofList.slice(from, from + list.batchSize))
  }
}

async function openList(push: RunningPush, name: string): Promise<PortList> {
  const { services, key } = push
  if (!push.lists[name]) push.lists = listsOf(await openAccount(services, key), key.adType)
  const list = push.lists[name]
  if (!list) throw new Error(`the marketplace has no ${name} of ${key.adType}`)
  return list
}

async function openAccount({ db, integrations }: Services, { merchantId, profileId }: PushKey) {
  const profile = await letIn(db.tenant(merchantId, tx => profileById(tx, merchantId, profileId)))
  return adsOf(integrations, profile)
}

async function sendBatch(
  push: RunningPush,
  list: PortList,
  operation: Operation,
  rows: readonly PendingRow[],
): Promise<void> {
  const { services, entity, key, job } = push
  job.signal.throwIfAborted()
  const notes = rows.map(row => ({
    ...row,
    columns: operation === 'create' ? ['amazon_id'] : columnsToSend(entity, row),
  }))
  await services.db.tenant(key.merchantId, tx => noteSent(tx, entity, key.merchantId, notes, services.clock.now()))
  try {
    const outcomes = await letIn(sendRows(list, operation, { entity, adType: key.adType }, rows))
    await settleOutcomes(
      push,
      list,
      operation,
      rows,
      rows.map((_row, i) => judge(outcomes[i], operation)),
    )
  } catch (error) {
    if (!(error instanceof UpstreamRejected)) throw error
    // The call as a whole was rejected, perhaps because of one of its items.
    if (rows.length > 1 && push.cuts-- > 0) {
      const half = Math.ceil(rows.length / 2)
      await sendBatch(push, list, operation, rows.slice(0, half))
      return sendBatch(push, list, operation, rows.slice(half))
    }
    const rejection = changeRejectionMessage(error.code ?? '', error.message)
    await settleRows(
      push,
      rows.map(row => settled(row, { rejection })),
    )
  }
}

async function settleOutcomes(
  push: RunningPush,
  list: PortList,
  operation: Operation,
  rows: readonly PendingRow[],
  verdicts: readonly Verdict[],
): Promise<void> {
  const judged = rows.map((row, i) => ({ row, ...(verdicts[i] as Verdict) }))
  // The older calls do not say why: the row may be archived already, perhaps by a call with a lost answer.
  const isDoubtful = ({ rejection }: Verdict) =>
    rejection !== null && (operation === 'create' || (operation === 'archive' && !list.archive))
  const clear = judged.filter(one => !one.isUnclear && !isDoubtful(one))
  await settleRows(
    push,
    clear.map(({ row, rejection, amazonId }) =>
      settled(row, { rejection, ...(operation === 'create' && amazonId !== null && { newAmazonId: amazonId }) }),
    ),
  )
  for (const { isUnclear, reason } of judged) if (isUnclear) push.unclear.push(reason)
  const doubtful = judged.filter(isDoubtful)
  if (doubtful.length) await settleDoubtful(push, list, operation, doubtful)
}

/** Fails all rows that still wait and that `isChosen`; true when others are left. */
async function failAll(push: RunningPush, rejection: string, isChosen: (row: PendingRow) => boolean): Promise<boolean> {
  const { services, entity, key } = push
  let isLeft = false
  for (let afterId = 0; ; ) {
    const rows = await readPendingRows(services.db.system, entity, key, afterId, MAX_READ)
    const due = rows.filter(row => row.keywordState !== 'PENDING')
    const chosen = due.filter(isChosen)
    isLeft ||= chosen.length < due.length
    await settleRows(
      push,
      chosen.map(row => settled(row, { rejection, isCertain: false })),
    )
    afterId = rows.at(-1)?.id ?? 0
    if (rows.length < MAX_READ) return isLeft
  }
}
