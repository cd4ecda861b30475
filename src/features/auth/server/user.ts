import { type RawBuilder, sql } from 'kysely'
import type { Ctx, Services } from '#server/context.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import type { AccountType } from '../account-fields.ts'
import type { AmazonProfileOfUser, ListUser, ShortUser, User, UserChanges } from '../user-contract.ts'
import { authorities, type RoleName, roles } from '../roles.ts'
import { accountByEmail, rolesOf } from './sql.ts'
import type { Db } from '#server/db/tables.ts'

/** The caller's advertising accounts. Passed in by main, because auth must not import the accounts feature. */
export type ProfilesOf = (ctx: Ctx) => Promise<AmazonProfileOfUser[]>

const listColumns = [
  'a.id',
  'a.email',
  'a.first_name as firstName',
  'a.last_name as lastName',
  'a.account_type as accountType',
  'a.locale',
  'a.timezone',
  'a.affiliate_code as affiliateCode',
  'a.current_merchant_id as merchantId',
  'a.current_marketplace_id as marketplaceId',
  'a.created_at as createdAt',
  'a.updated_at as updatedAt',
] as const

const listRows = (db: Db) => db.selectFrom('account as a').select(listColumns).select(rolesOf('a.id').as('roleNames'))
type ListRow = Awaited<ReturnType<ReturnType<typeof listRows>['execute']>>[number]

function listUser(row: ListRow, amazonProfiles: AmazonProfileOfUser[]): ListUser {
  const { affiliateCode, merchantId, marketplaceId, createdAt, updatedAt, roleNames } = row
  const { id, email, firstName, lastName, accountType, locale, timezone } = row
  const marketplace = marketplaceId === null ? undefined : marketplaceById(marketplaceId)
  return {
    id,
    email,
    firstName,
    lastName,
    accountType,
    locale,
    timezone,
    amazonProfiles,
    dateCreated: createdAt.toISOString(),
    dateUpdated: updatedAt.toISOString(),
    roles: roleNames.map(name => ({
      id: roles[name].id,
      name,
      authorities: roles[name].authorities.map(authority => ({ name: authority, ...authorities[authority] })),
    })),
    ...(affiliateCode !== null && { affiliateCode }),
    ...(merchantId !== null && { currentMerchantId: merchantId }),
    ...(marketplace && { currentMarketplace: summaryOf(marketplace) }),
  }
}

/** The calling user. */
export async function getUser(ctx: Ctx, profilesOf: ProfilesOf): Promise<User> {
  const { stripeCustomerId, hasUsedTrial, trialStartedAt, trialEndsAt, erasedAt, ...row } = await ownAccount(ctx)
  return {
    ...listUser(row, await profilesOf(ctx)),
    hasUsedTrial,
    ...(ctx.actor.merchantRole && { currentMerchantRole: ctx.actor.merchantRole }),
    ...(stripeCustomerId !== null && { stripeCustomerId }),
    ...(trialStartedAt && { trialStartDate: trialStartedAt.toISOString() }),
    ...(trialEndsAt && { trialEndDate: trialEndsAt.toISOString() }),
    ...(erasedAt && { erasedAt: erasedAt.toISOString() }),
  }
}

async function ownAccount(ctx: Ctx) {
  const account = await listRows(ctx.db.system)
    .select(['a.has_used_trial as hasUsedTrial', 'a.stripe_customer_id as stripeCustomerId'])
    .select(['a.trial_started_at as trialStartedAt', 'a.trial_ends_at as trialEndsAt', 'a.erase_at as erasedAt'])
    .where('a.id', '=', ctx.actor.accountId)
    .executeTakeFirst()
  if (!account) throw new AppError('UNAUTHENTICATED', 'Please log in.')
  return account
}

/** Which users a list has: those that fit all that is present. */
export interface UserFilter {
  /** A condition on the account `a`. */
  where: RawBuilder<boolean>
  id?: number | undefined
  /** A part of the name or the email address, in any case. */
  text?: string | undefined
  role?: RoleName | undefined
  accountType?: AccountType | undefined
}

/** One page of verified users by name, each with a further column of the account `a`. */
export async function listUsers<T>(
  db: Db,
  { where, id, text, role, accountType }: UserFilter,
  { column, page, size }: { column: RawBuilder<T>; page: number; size: number },
): Promise<{ user: ListUser; column: T }[]> {
  let rows = listRows(db)
    .select(column.as('column'))
    .where('a.email_verified_at', 'is not', null)
    .where('a.status', '=', 'ACTIVE')
    .where(where)
  if (id !== undefined) rows = rows.where('a.id', '=', id)
  if (text !== undefined) {
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    rows = rows.where(sql<boolean>`lower(a.first_name || ' ' || a.last_name || ' ' || a.email) like ${pattern}`)
  }
  if (role !== undefined)
    rows = rows.where(sql<boolean>`exists (select from account_role r where r.account_id = a.id and r.role = ${role})`)
  if (accountType !== undefined) rows = rows.where('a.account_type', '=', accountType)
  const found = await rows
    .orderBy(sql`lower(a.last_name)`)
    .orderBy(sql`lower(a.first_name)`)
    .orderBy('a.id')
    .limit(size)
    .offset(page * size)
    .execute()
  return found.map(row => ({ user: listUser(row, []), column: row.column as T }))
}

function summaryOf({ id, amazonId, name, key, currency }: NonNullable<ListUser['currentMarketplace']>) {
  return { id, amazonId, name, key, currency }
}

/** The calling user's name and email address. */
export async function getShortUser(ctx: Ctx): Promise<ShortUser> {
  const { firstName, lastName, email } = await ownAccount(ctx)
  return { firstName, lastName, email }
}

/** Changes the calling user's name, format or time zone, as far as they are present. */
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

export interface CodedRegistration {
  accountId: number
  affiliateCode: string
  registeredAt: Date
}

/** Who registered with an affiliate code since a moment. For jobs. */
export async function codedRegistrations(system: Db, since: Date): Promise<CodedRegistration[]> {
  const rows = await system
    .selectFrom('account')
    .select(['id as accountId', 'affiliate_code as affiliateCode', 'created_at as registeredAt'])
    .where('affiliate_code', 'is not', null)
    .where('created_at', '>=', since)
    .execute()
  return rows.map(row => ({ ...row, affiliateCode: row.affiliateCode ?? '' }))
}
