import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ExpressionBuilder, sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '../context.ts'
import { isDatabaseAway, isOutcomeUnknown, outcomeUnknown } from '../db/connection-loss.ts'
import type { Db, Tables } from '../db/tables.ts'

interface Answer {
  status: number
  body: unknown
}

type KeyedCtx = Pick<Ctx, 'db' | 'log' | 'idempotencyKey'> & { actor: Pick<Ctx['actor'], 'accountId'> }

/**
 * Runs a call at most once per account and Idempotency-Key: the same key and body answers the first result again,
 * another body is IDEMPOTENCY_KEY_REUSED, a call still under way IDEMPOTENCY_IN_FLIGHT. A failed call frees its key; that
 * of a process that died, or of a call whose outcome is unknown, is free when its lease runs out, which lives on as long as
 * the call is worked on.
 */
export const onceByKey = async (
  ctx: KeyedCtx,
  endpoint: string,
  body: unknown,
  run: () => Promise<Answer>,
  leaseSeconds = 60,
): Promise<Answer> => {
  const key = keyOf(ctx)
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([endpoint, body]))
    .digest('hex')
  const lease: Lease = { account: ctx.actor.accountId, key, holder: randomUUID(), seconds: leaseSeconds }
  if (!(await claimKey(ctx.db.system, lease, endpoint, bodyHash))) return heldAnswer(ctx.db.system, lease, bodyHash)
  const stopRenewing = keepRenewing(ctx, lease)
  try {
    const answer = await run().catch(async (error: unknown) => {
      if (!isOutcomeUnknown(error)) await freeKey(ctx, lease)
      throw error
    })
    await keepAnswer(ctx, lease, answer)
    return answer
  } finally {
    stopRenewing()
  }
}

// The caller must hear of the failure itself, also where the key has to wait for the end of its lease.
const freeKey = async ({ db, log }: KeyedCtx, lease: Lease): Promise<void> => {
  await db.system
    .deleteFrom('idempotency_key')
    .where(heldBy(lease))
    .execute()
    .catch((error: unknown) => log.warn({ err: error }, 'the key of a failed call was not freed'))
}

const answerPauses = [200, 500, 1000, 2000]

// The work is done: only an answer that was kept may be given, and a restart of the database takes a few seconds.
const keepAnswer = async ({ db }: KeyedCtx, lease: Lease, { status, body }: Answer): Promise<void> => {
  const done = { state: 'done' as const, status, body: JSON.stringify(body ?? null) }
  for (const pauseMs of [...answerPauses, null]) {
    try {
      await db.system.updateTable('idempotency_key').set(done).where(heldBy(lease)).execute()
      return
    } catch (error) {
      // Should this fail, the key stays taken: what was done must not be done again at once.
      if (!isDatabaseAway(error)) throw error
      if (pauseMs === null) throw outcomeUnknown(error)
      await sleep(pauseMs)
    }
  }
}

interface Lease {
  account: number
  key: string
  holder: string
  seconds: number
}

const fromNow = ({ seconds }: Lease) => sql<Date>`now() + make_interval(secs => ${seconds})`

// Whose lease was taken over meanwhile neither renews, ends nor frees what is another's.
const heldBy =
  ({ account, key, holder }: Lease) =>
  (of: ExpressionBuilder<Tables, 'idempotency_key'>) =>
    of.and({ account_id: account, key, holder })

/** True when the key was free, or its lease had run out. */
const claimKey = async (db: Db, lease: Lease, endpoint: string, bodyHash: string): Promise<boolean> => {
  const held = { holder: lease.holder, locked_until: fromNow(lease) }
  const work = { endpoint, body_hash: bodyHash, state: 'in_flight' as const, status: null, body: null }
  const taken = await db
    .insertInto('idempotency_key')
    .values({ account_id: lease.account, key: lease.key, ...work, ...held })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'key'])
        .doUpdateSet(held)
        .where('idempotency_key.state', '=', 'in_flight')
        .where('idempotency_key.locked_until', '<', sql<Date>`now()`)
        .where('idempotency_key.body_hash', '=', bodyHash),
    )
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

const heldAnswer = async (db: Db, { account, key }: Lease, bodyHash: string): Promise<Answer> => {
  const rows = db.selectFrom('idempotency_key').selectAll()
  const held = await rows.where('account_id', '=', account).where('key', '=', key).executeTakeFirst()
  if (held && held.body_hash !== bodyHash)
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This key was used for another request.')
  if (held?.state === 'done') return { status: held.status ?? 200, body: JSON.parse(held.body ?? 'null') }
  throw new AppError('IDEMPOTENCY_IN_FLIGHT', 'The same request is still being worked on.', { retryAfterSeconds: 1 })
}

const keepRenewing = ({ db, log }: KeyedCtx, lease: Lease): (() => void) => {
  const renew = async () => {
    await db.system
      .updateTable('idempotency_key')
      .set({ locked_until: fromNow(lease) })
      .where(heldBy(lease))
      .execute()
  }
  const fail = (error: unknown) => log.warn({ err: error }, 'the lease of a call was not renewed')
  // Two renewals may fail before another could take the call for dead.
  const timer = setInterval(() => void renew().catch(fail), (lease.seconds * 1000) / 3).unref()
  return () => clearInterval(timer)
}

const keyOf = ({ idempotencyKey }: Pick<Ctx, 'idempotencyKey'>): string => {
  if (!idempotencyKey)
    throw new AppError('VALIDATION_FAILED', 'This call needs an Idempotency-Key header.', {
      details: ['Idempotency-Key is required'],
    })
  if (idempotencyKey.length > 200)
    throw new AppError('VALIDATION_FAILED', 'The Idempotency-Key is too long.', {
      details: ['Idempotency-Key must be at most 200 characters long'],
    })
  return idempotencyKey
}
