import { sql } from 'kysely'
import type { Db, Row } from '#server/db/tables.ts'
import type { UserChanges } from '../../contract.ts'
import type { RoleName } from '../../roles.ts'

export interface NewAccount {
  email: string
  passwordHash: string
  firstName: string
  lastName: string
  accountType: 'VENDOR' | 'SELLER' | 'AGENCY'
  affiliateCode: string | null
}

/** Inserts an account with its first role; null if the address (in lower case) is taken. */
export async function insertAccount(db: Db, account: NewAccount, role: RoleName, now: Date): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into account (email, password_hash, first_name, last_name, account_type, affiliate_code, created_at, updated_at)
      values (${account.email}, ${account.passwordHash}, ${account.firstName}, ${account.lastName}, ${account.accountType},
        ${account.affiliateCode}, ${now}, ${now})
      on conflict ((lower(email))) do nothing
      returning id
    ), granted as (
      insert into account_role (account_id, role, granted_at) select id, ${role}, ${now} from added
    )
    select id from added`.execute(db)
  return rows[0]?.id ?? null
}

export interface AccountSecrets {
  id: number
  email: string
  firstName: string
  passwordHash: string
  emailVerifiedAt: Date | null
  status: Row<'account'>['status']
}

const secrets = [
  'id',
  'email',
  'first_name as firstName',
  'password_hash as passwordHash',
  'email_verified_at as emailVerifiedAt',
  'status',
] as const

/** The account of an address (in lower case), with its password hash; undefined if there is none. */
export const accountByEmail = (db: Db, email: string): Promise<AccountSecrets | undefined> =>
  db.selectFrom('account').select(secrets).where(sql`lower(email)`, '=', email).executeTakeFirst()

/** The same by id. */
export const accountSecretsById = (db: Db, accountId: number): Promise<AccountSecrets | undefined> =>
  db.selectFrom('account').select(secrets).where('id', '=', accountId).executeTakeFirst()

/** Marks the address as verified, unless it is already. */
export async function markVerified(db: Db, accountId: number, now: Date): Promise<void> {
  await db
    .updateTable('account')
    .set({ email_verified_at: now, updated_at: now })
    .where('id', '=', accountId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/** Replaces the password's hash. */
export async function setPasswordHash(db: Db, accountId: number, passwordHash: string, now: Date): Promise<void> {
  await db
    .updateTable('account')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', accountId)
    .execute()
}

/** Updates name, language and time zone, as far as they are present. */
export async function updateAccount(db: Db, accountId: number, changes: UserChanges, now: Date): Promise<void> {
  await db
    .updateTable('account')
    .set({
      updated_at: now,
      ...(changes.firstName !== undefined && { first_name: changes.firstName }),
      ...(changes.lastName !== undefined && { last_name: changes.lastName }),
      ...(changes.locale !== undefined && { locale: changes.locale }),
      ...(changes.timezone !== undefined && { timezone: changes.timezone }),
    })
    .where('id', '=', accountId)
    .execute()
}

/** An account with its roles and without its password hash; undefined if there is none. */
export function accountWithRoles(db: Db, accountId: number) {
  return db
    .selectFrom('account as a')
    .select([
      'a.id',
      'a.email',
      'a.first_name as firstName',
      'a.last_name as lastName',
      'a.account_type as accountType',
      'a.affiliate_code as affiliateCode',
      'a.locale',
      'a.timezone',
      'a.status',
      'a.email_verified_at as emailVerifiedAt',
      'a.current_merchant_id as currentMerchantId',
      'a.current_marketplace_id as currentMarketplaceId',
      'a.trial_started_at as trialStartedAt',
      'a.trial_ends_at as trialEndsAt',
      'a.has_used_trial as hasUsedTrial',
      'a.stripe_customer_id as stripeCustomerId',
      'a.created_at as createdAt',
      'a.updated_at as updatedAt',
      rolesOf('a.id').as('roles'),
    ])
    .where('a.id', '=', accountId)
    .executeTakeFirst()
}
export type AccountRow = NonNullable<Awaited<ReturnType<typeof accountWithRoles>>>

/** For a select list: the role names of an account as an array. */
export const rolesOf = (accountId: string) =>
  sql<RoleName[]>`array(select r.role from account_role r where r.account_id = ${sql.ref(accountId)} order by r.role)`

/** Adds a role, unless the account has it. */
export async function insertRole(db: Db, accountId: number, role: RoleName, now: Date): Promise<void> {
  await db
    .insertInto('account_role')
    .values({ account_id: accountId, role, granted_at: now })
    .onConflict(conflict => conflict.columns(['account_id', 'role']).doNothing())
    .execute()
}

/** Removes a role. */
export async function deleteRole(db: Db, accountId: number, role: RoleName): Promise<void> {
  await db.deleteFrom('account_role').where('account_id', '=', accountId).where('role', '=', role).execute()
}
