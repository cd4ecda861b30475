import type { Ctx } from '#server/context.ts'
import { deleteSubscription } from '../sql/subscriptions.ts'

/** Sends the actor's pushes to this browser no longer; nothing happens when it takes none, or takes somebody else's. */
export async function removeSubscription(ctx: Ctx, endpoint: string): Promise<null> {
  await deleteSubscription(ctx.db.system, ctx.actor.accountId, endpoint)
  return null
}
