import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '../context.ts'
import { isDatabaseUnavailable, isOutcomeUnknown, outcomeUnknown } from '../db/connection-loss.ts'
import { createLease, type Lease } from '../db/lease.ts'
import type { Db } from '../db/tables.ts'
import { defineScheduledJob } from '../jobs/define-job.ts'

interface Answer {
  status: number
  body: unknown
}

type KeyedCtx = Pick<Ctx, 'db' | 'log' | 'idempotencyKey'> & { actor: Pick<Ctx['actor'], 'accountId'> }

/** Saves the answer; false once the lease is lost. */
async function saveAnswer(db: Db, lease: Lease, { status, body }: Answer): Promise<boolean> {
  const done = { state: 'done' as const, status, body: JSON.stringify(body ?? null) }
  const { numUpdatedRows } = await db.updateTable('idempotency_key').set(done).where(lease.isHeld()).executeTakeFirst()
  return numUpdatedRows > 0n
}

const inFlight = () =>
  new AppError('IDEMPOTENCY_IN_FLIGHT', 'The same request is still being worked on.', { retryAfterSeconds: 1 })

/**
 * Runs a call at most once per account and Idempotency-Key. A second call with the same key and body gets the first
 * answer; with another body IDEMPOTENCY_KEY_REUSED; while the first is running IDEMPOTENCY_IN_FLIGHT. A failed call frees
 * its key. If the process dies, or the outcome is unknown, the key becomes free when its lease runs out. The lease is
 * renewed for as long as the call is running.
 *
 * `run` may save its answer in the transaction that does its work, so that both are committed or neither is: then not
 * even a process that dies right after the commit makes the call run twice.
 */
export async function onceByKey(
  ctx: KeyedCtx,
  endpoint: string,
  body: unknown,
  run: (saveInTransaction: (tx: Db, answer: Answer) => Promise<void>) => Promise<Answer>,
  leaseSeconds = 20,
): Promise<Answer> {
  const { db, log } = ctx
  const rowKey = { account_id: ctx.actor.accountId, key: keyOf(ctx) }
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([endpoint, body]))
    .digest('hex')
  const lease = createLease({
    table: 'idempotency_key',
    key: rowKey,
    until: 'locked_until',
    holder: 'holder',
    seconds: leaseSeconds,
    transact: work => work(db.system),
  })
  const fresh = { endpoint, body_hash: bodyHash, state: 'in_flight' as const, status: null, body: null, holder: null }
  await db.system
    .insertInto('idempotency_key')
    .values({ ...rowKey, ...fresh, locked_until: sql`'-infinity'` })
    .onConflict(conflict => conflict.columns(['account_id', 'key']).doNothing())
    .execute()
  if (!(await lease.take(sql`state = 'in_flight' and body_hash = ${bodyHash}`)))
    return savedAnswer(db.system, rowKey, bodyHash)
  const stopRenewing = lease.keepRenewing(log)
  let isSaved = false
  const saveInTransaction = async (tx: Db, answer: Answer): Promise<void> => {
    isSaved = await saveAnswer(tx, lease, answer)
    if (!isSaved) throw inFlight()
  }
  try {
    const answer = await run(saveInTransaction).catch(async (error: unknown) => {
      if (!isOutcomeUnknown(error)) await freeKey(ctx, lease)
      throw error
    })
    if (!isSaved) await saveFinalAnswer(db.system, lease, answer)
    return answer
  } finally {
    stopRenewing()
  }
}

// The caller must learn of the failure itself, even if the key stays taken until its lease runs out.
async function freeKey({ db, log }: KeyedCtx, lease: Lease): Promise<void> {
  await db.system
    .deleteFrom('idempotency_key')
    .where(lease.isHeld())
    .where('state', '=', 'in_flight')
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, 'the key of a failed call was not freed'))
}

const pausesMs = [200, 500, 1000, 2000]

// The work is done. An answer may be given only once it is saved, and a restart of the database takes a few seconds.
async function saveFinalAnswer(db: Db, lease: Lease, answer: Answer): Promise<void> {
  for (const pauseMs of [...pausesMs, null]) {
    try {
      await saveAnswer(db, lease, answer)
      return
    } catch (error) {
      // The key stays taken, so that the work is not done a second time.
      if (!isDatabaseUnavailable(error)) throw error
      if (pauseMs === null) throw outcomeUnknown(error)
      await sleep(pauseMs)
    }
  }
}

async function savedAnswer(db: Db, row: { account_id: number; key: string }, bodyHash: string): Promise<Answer> {
  const rows = db.selectFrom('idempotency_key').selectAll()
  const saved = await rows.where('account_id', '=', row.account_id).where('key', '=', row.key).executeTakeFirst()
  if (saved && saved.body_hash !== bodyHash)
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This key was used for another request.')
  if (saved?.state === 'done') return { status: saved.status ?? 200, body: JSON.parse(saved.body ?? 'null') }
  throw inFlight()
}

function keyOf({ idempotencyKey }: Pick<Ctx, 'idempotencyKey'>): string {
  const invalid = (message: string, detail: string) =>
    new AppError('VALIDATION_FAILED', message, { details: [`Idempotency-Key ${detail}`] })
  if (!idempotencyKey) throw invalid('This call needs an Idempotency-Key header.', 'is required')
  if (idempotencyKey.length > 200)
    throw invalid('The Idempotency-Key is too long.', 'must be at most 200 characters long')
  return idempotencyKey
}

/** Every night, deletes the keys that are older than the 24 hours for which a call may be repeated. */
export const purgeKeysJob = defineScheduledJob({
  name: 'purge-idempotency-keys',
  cron: '53 3 * * *',
  run: async ({ db, log }) => {
    // By the database's time, as the keys are written and leased. A call that is still running keeps its key.
    const { numDeletedRows } = await db.system
      .deleteFrom('idempotency_key')
      .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
      .where('locked_until', '<', sql<Date>`now()`)
      .executeTakeFirst()
    log.info({ removed: Number(numDeletedRows) }, 'old idempotency keys removed')
  },
})
