import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import { membership } from './sql/memberships.ts'

/** Throws NOT_FOUND unless the actor belongs to the merchant; returns the role. */
export async function requireMember(ctx: Ctx, merchantId: number): Promise<'OWNER' | 'VIEWER'> {
  const row = await membership(ctx.db.system, ctx.actor.accountId, merchantId)
  if (!row || row.endedAt) throw new AppError('NOT_FOUND', 'There is no such merchant.')
  return row.role
}

/** Throws NOT_FOUND unless the actor belongs to the merchant, FORBIDDEN unless as its owner. */
export async function requireOwner(ctx: Ctx, merchantId: number): Promise<void> {
  if ((await requireMember(ctx, merchantId)) !== 'OWNER')
    throw new AppError('FORBIDDEN', 'You may look at this merchant, but not change it.')
}
