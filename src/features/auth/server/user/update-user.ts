import type { Ctx } from '#server/context.ts'
import type { User, UserChanges } from '../../contract.ts'
import { updateAccount } from '../sql/accounts.ts'
import { getUser, type ProfilesOf } from './get-user.ts'

/** Changes name, language or time zone of the user who calls; what is not given stays. */
export async function updateUser(ctx: Ctx, changes: UserChanges, profilesOf: ProfilesOf): Promise<User> {
  await updateAccount(ctx.db.system, ctx.actor.accountId, changes, ctx.clock.now())
  return getUser(ctx, profilesOf)
}
