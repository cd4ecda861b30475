import type { Ctx } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { AmazonProfileOfUser, ShortUser, User, UserChanges } from '../../contract.ts'
import { authorities, roles } from '../../roles.ts'
import { type AccountRow, accountWithRoles, updateAccount } from '../sql/accounts.ts'

/** The caller's advertising accounts. Passed in by main, because auth must not import the accounts feature. */
export type ProfilesOf = (ctx: Ctx) => Promise<AmazonProfileOfUser[]>

/** The calling user. */
export async function getUser(ctx: Ctx, profilesOf: ProfilesOf): Promise<User> {
  const account = await ownAccount(ctx)
  return { ...userOf(account), amazonProfiles: await profilesOf(ctx) }
}

/** The calling user's name and email address. */
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

/** Changes the calling user's name, language or time zone, as far as they are present. */
export async function updateUser(ctx: Ctx, changes: UserChanges, profilesOf: ProfilesOf): Promise<User> {
  await updateAccount(ctx.db.system, ctx.actor.accountId, changes, ctx.clock.now())
  return getUser(ctx, profilesOf)
}
