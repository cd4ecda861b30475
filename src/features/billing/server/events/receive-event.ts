import type { Config } from '#server/config/config.ts'
import type { PublicCtx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { SignedBody } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { applyEvents } from './apply-events.job.ts'
import { objectOfType, paymentEvent, type StoredEvent } from './event-kinds.ts'

const isLive = ({ STRIPE_SECRET_KEY: key }: Config): boolean => /^[a-z]+_live_/.test(key ?? '')

/**
 * Stores a signed event of the payment provider, once however often it is sent, with the job that applies it. Throws
 * VALIDATION_FAILED for a body that none of our secrets signed lately, for one that is no event, and for one of test mode
 * where money is real, or the other way round.
 */
export async function receiveEvent(ctx: PublicCtx, { bytes, signature }: SignedBody): Promise<{ received: true }> {
  const parsed = paymentEvent.safeParse(await ctx.integrations.payments.readEvent(bytes, signature))
  if (!parsed.success) throw new AppError('VALIDATION_FAILED', 'This is not an event.')
  const event = parsed.data
  if (event.livemode !== isLive(ctx.config)) {
    ctx.log.warn({ event: event.id, livemode: event.livemode }, 'an event of the other mode was sent')
    throw new AppError('VALIDATION_FAILED', 'The event is of another mode.', {
      details: ['livemode must be that of our key'],
    })
  }
  await ctx.db.transaction(tx => storeEvent(ctx, tx, event))
  return { received: true }
}

/** Stores an event and sends the job that applies it, within the transaction. False if it was stored before. */
export async function storeEvent(
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
  tx: Db,
  event: StoredEvent,
): Promise<boolean> {
  const now = clock.now()
  const { id, type, objectId, customerId, happenedAt } = event
  const object = objectOfType(type)
  const toApply = object !== undefined && objectId !== null ? { object, id: objectId } : null
  const stored = await tx
    .insertInto('payment_event')
    .values({
      id,
      type,
      object_id: objectId,
      customer_id: customerId,
      happened_at: happenedAt,
      received_at: now,
      applied_at: toApply ? null : now,
      failure: null,
    })
    .onConflict(conflict => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (stored && toApply) await jobs.send(tx, applyEvents, toApply, { key: toApply.id })
  return stored !== undefined
}
