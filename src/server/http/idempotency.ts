import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '../context.ts'

const leaseSeconds = 60

interface Answer {
  status: number
  body: unknown
}

/**
 * Runs a call at most once per account and Idempotency-Key: the same key and body answers the first result again,
 * another body is IDEMPOTENCY_KEY_REUSED, a call still under way IDEMPOTENCY_IN_FLIGHT. A failed call frees its key.
 */
export const onceByKey = async (
  ctx: Ctx,
  endpoint: string,
  body: unknown,
  run: () => Promise<Answer>,
): Promise<Answer> => {
  const key = keyOf(ctx)
  const bodyHash = createHash('sha256')
    .update(JSON.stringify([endpoint, body]))
    .digest('hex')
  const db = ctx.db.system
  const account = ctx.actor.accountId
  const lockedUntil = sql<Date>`now() + make_interval(secs => ${leaseSeconds})`
  const mine = await db
    .insertInto('idempotency_key')
    .values({
      account_id: account,
      key,
      endpoint,
      body_hash: bodyHash,
      state: 'in_flight',
      status: null,
      body: null,
      locked_until: lockedUntil,
    })
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'key'])
        .doUpdateSet({ locked_until: lockedUntil })
        .where('idempotency_key.state', '=', 'in_flight')
        .where('idempotency_key.locked_until', '<', sql<Date>`now()`)
        .where('idempotency_key.body_hash', '=', bodyHash),
    )
    .returning('key')
    .executeTakeFirst()
  const row = db.selectFrom('idempotency_key').selectAll().where('account_id', '=', account).where('key', '=', key)
  if (!mine) {
    const held = await row.executeTakeFirst()
    if (held && held.body_hash !== bodyHash)
      throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This key was used for another request.')
    if (held?.state === 'done') return { status: held.status ?? 200, body: JSON.parse(held.body ?? 'null') }
    throw new AppError('IDEMPOTENCY_IN_FLIGHT', 'The same request is still being worked on.', { retryAfterSeconds: 1 })
  }
  const answer = await run().catch(async (error: unknown) => {
    await db.deleteFrom('idempotency_key').where('account_id', '=', account).where('key', '=', key).execute()
    throw error
  })
  // Should this fail, the key stays taken: what was done must not be done again at once.
  await db
    .updateTable('idempotency_key')
    .set({ state: 'done', status: answer.status, body: JSON.stringify(answer.body ?? null) })
    .where('account_id', '=', account)
    .where('key', '=', key)
    .execute()
  return answer
}

const keyOf = ({ idempotencyKey }: Ctx): string => {
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
