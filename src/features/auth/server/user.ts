import type { Ctx, Services } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { AmazonProfileOfUser, ShortUser, User, UserChanges } from '../contract.ts'
import { authorities, type RoleName, roles } from '../roles.ts'
import { accountByEmail, rolesOf } from './sql.ts'
import type { Db } from '#server/db/tables.ts'

/** The caller's advertising accounts. Passed in by main, because auth must not import the accounts feature. */
export type ProfilesOf = (ctx: Ctx) => Promise<AmazonProfileOfUser[]>

/** The calling user. */
export async function getUser(ctx: Ctx, profilesOf: ProfilesOf): Promise<User> {
  const { affiliateCode, merchantId, marketplaceId, stripeCustomerId, trialStartedAt, trialEndsAt, ...row } =
    await ownAccount(ctx)
  const { createdAt, updatedAt, roleNames, ...same } = row
  const marketplace = marketplaceId === null ? undefined : marketplaceById(marketplaceId)
  return {
    ...same,
    dateCreated: createdAt.toISOString(),
    dateUpdated: updatedAt.toISOString(),
    roles: roleNames.map(name => ({
      id: roles[name].id,
      name,
      authorities: roles[name].authorities.map(authority => ({ name: authority, ...authorities[authority] })),
    })),
    amazonProfiles: await profilesOf(ctx),
    ...(affiliateCode !== null && { affiliateCode }),
    ...(merchantId !== null && { currentMerchantId: merchantId }),
    ...(ctx.actor.merchantRole && { currentMerchantRole: ctx.actor.merchantRole }),
    ...(marketplace && { currentMarketplace: summaryOf(marketplace) }),
    ...(stripeCustomerId !== null && { stripeCustomerId }),
    ...(trialStartedAt && { trialStartDate: trialStartedAt.toISOString() }),
    ...(trialEndsAt && { trialEndDate: trialEndsAt.toISOString() }),
  }
}

async function ownAccount(ctx: Ctx) {
  const account = await ctx.db.system
    .selectFrom('account')
    .select(['id', 'email', 'first_name as firstName', 'last_name as lastName', 'account_type as accountType'])
    .select(['locale', 'timezone', 'has_used_trial as hasUsedTrial', 'affiliate_code as affiliateCode'])
    .select(['current_merchant_id as merchantId', 'current_marketplace_id as marketplaceId'])
    .select(['trial_started_at as trialStartedAt', 'trial_ends_at as trialEndsAt'])
    .select(['stripe_customer_id as stripeCustomerId', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(rolesOf('account.id').as('roleNames'))
    .where('id', '=', ctx.actor.accountId)
    .executeTakeFirst()
  if (!account) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  return account
}

function summaryOf({ id, amazonId, name, key, currency }: NonNullable<User['currentMarketplace']>) {
  return { id, amazonId, name, key, currency }
}

/** The calling user's name and email address. */
export async function getShortUser(ctx: Ctx): Promise<ShortUser> {
  const { firstName, lastName, email } = await ownAccount(ctx)
  return { firstName, lastName, email }
}

/** Changes the calling user's name, language or time zone, as far as they are present. */
export async function updateUser(ctx: Ctx, changes: UserChanges, profilesOf: ProfilesOf): Promise<User> {
  const { firstName, lastName, locale, timezone } = changes
  // What is undefined stays unchanged.
  const columns = { first_name: firstName, last_name: lastName, locale, timezone, updated_at: ctx.clock.now() }
  await ctx.db.system.updateTable('account').set(columns).where('id', '=', ctx.actor.accountId).execute()
  return getUser(ctx, profilesOf)
}

type Needs = Pick<Services, 'db' | 'clock' | 'log'>

/** Adds a role to a user, for operators. Throws VALIDATION_FAILED (unknown role) or NOT_FOUND (unknown address). */
export async function promoteUser(services: Needs, email: string, role: string): Promise<void> {
  const found = await accountAndRole(services, email, role)
  await services.db.system
    .insertInto('account_role')
    .values({ ...found, granted_at: services.clock.now() })
    .onConflict(conflict => conflict.columns(['account_id', 'role']).doNothing())
    .execute()
  services.log.info({ accountId: found.account_id, role }, 'a role was added')
}

/** Removes a role from a user, from the user's next request on. Throws like promoteUser. */
export async function demoteUser(services: Needs, email: string, role: string): Promise<void> {
  const found = await accountAndRole(services, email, role)
  const rows = services.db.system.deleteFrom('account_role')
  await rows.where('account_id', '=', found.account_id).where('role', '=', found.role).execute()
  services.log.info({ accountId: found.account_id, role }, 'a role was removed')
}

async function accountAndRole({ db }: Needs, email: string, role: string) {
  if (!Object.hasOwn(roles, role))
    throw new AppError('VALIDATION_FAILED', `There is no role ${role}. The roles are ${Object.keys(roles).join(', ')}.`)
  const account = await accountByEmail(db.system, email.trim().toLowerCase())
  if (!account) throw new AppError('NOT_FOUND', `Nobody has registered with ${email}.`)
  return { account_id: account.id, role: role as RoleName }
}

/** First and last names by account; accounts that are gone are missing. */
export async function accountNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await db.selectFrom('account').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, `${row.first_name} ${row.last_name}`.trim()]))
}

/** Email addresses by account, in lower case; accounts that are gone are missing. */
export async function accountEmails(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (!ids.length) return new Map()
  const rows = await db.selectFrom('account').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(row => [row.id, row.email]))
}
