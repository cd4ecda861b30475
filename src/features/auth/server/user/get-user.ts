import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { AmazonProfileOfUser, ShortUser, User } from '../../contract.ts'
import { authorities, roles } from '../../roles.ts'
import { type AccountRow, accountWithRoles } from '../sql/accounts.ts'

/** The advertising accounts of who calls, as the accounts' contract has them; given by main, for auth lies beneath accounts. */
export type ProfilesOf = (ctx: Ctx) => Promise<AmazonProfileOfUser[]>

/** The user who calls, whole. */
export async function getUser(ctx: Ctx, profilesOf: ProfilesOf): Promise<User> {
  const account = await ownAccount(ctx)
  return { ...userOf(account), amazonProfiles: await profilesOf(ctx) }
}

/** Name and address of the user who calls. */
export async function getShortUser(ctx: Ctx): Promise<ShortUser> {
  const { firstName, lastName, email } = await ownAccount(ctx)
  return { firstName, lastName, email }
}

async function ownAccount(ctx: Ctx): Promise<AccountRow> {
  const account = await accountWithRoles(ctx.db.system, ctx.actor.accountId)
  if (!account) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  return account
}

function userOf(row: AccountRow): Omit<User, 'amazonProfiles'> {
  const { id, email, firstName, lastName, accountType, locale, timezone, hasUsedTrial } = row
  const current = row.currentMarketplaceId === null ? undefined : marketplaceById(row.currentMarketplaceId)
  return {
    id,
    email,
    firstName,
    lastName,
    accountType,
    locale,
    timezone,
    hasUsedTrial,
    dateCreated: row.createdAt.toISOString(),
    dateUpdated: row.updatedAt.toISOString(),
    roles: row.roles.map(name => ({
      id: roles[name].id,
      name,
      authorities: roles[name].authorities.map(authority => ({ name: authority, ...authorities[authority] })),
    })),
    ...(row.affiliateCode !== null && { affiliateCode: row.affiliateCode }),
    ...(row.currentMerchantId !== null && { currentMerchantId: row.currentMerchantId }),
    ...(current && {
      currentMarketplace: {
        id: current.id,
        amazonId: current.amazonId,
        name: current.name,
        key: current.key,
        currency: current.currency,
      },
    }),
    ...(row.stripeCustomerId !== null && { stripeCustomerId: row.stripeCustomerId }),
    ...(row.trialStartedAt && { trialStartDate: row.trialStartedAt.toISOString() }),
    ...(row.trialEndsAt && { trialEndDate: row.trialEndsAt.toISOString() }),
  }
}
