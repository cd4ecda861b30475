import { sql } from 'kysely'
import { eraseMerchant, merchantsOfOnly } from '#features/accounts/server/public.ts'
import { announceSessionsEnded } from '#features/auth/server/public.ts'
import { deleteCustomer, endSubscription } from '#features/subscription/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { raiseVersion } from '#server/db/tenant-version.ts'
import { defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'

/**
 * What stays of an account, by its number alone: what the law wants of invoices and commissions, and the logs that nobody may
 * change. Every other table with a column for accounts is erased, so that a new one is not forgotten.
 */
const retained = [
  'affiliate_commission',
  'affiliate_referral',
  'audit_entry',
  'billing_run',
  'invoice',
  'managed_call',
  'managed_call_break',
  'managed_call_head',
  'payment_dispute',
  'subscription_phase',
]

/** What belongs to a merchant that others keep: there the account's number is taken out instead. */
const shared = {
  nulled: ['entity_change', 'optimizer_decision', 'optimizer_group', 'seller_claim'],
  nobody: ['budget_rescue', 'cost_import', 'launch'],
}
const nobody = 0

/** Every hour, erases the accounts whose seven days are over. What was interrupted is continued by the next run. */
export const eraseAccounts = defineScheduledJob({
  name: 'erase-accounts',
  policy: 'stately',
  cron: '23 * * * *',
  atStart: true,
  run: async (services, _data, job) => {
    const { db, clock, log } = services
    const due = await db.system
      .selectFrom('account')
      .select('id')
      .where(where =>
        where.or([
          where('status', '=', 'ERASED'),
          where.and([where('status', '=', 'ACTIVE'), where('erase_at', '<=', clock.now())]),
        ]),
      )
      .execute()
    for (const { id } of due) {
      try {
        await eraseAccount(services, id, job.signal)
      } catch (error) {
        job.signal.throwIfAborted()
        // One whose payment provider cannot be reached must not keep the others waiting.
        log.error({ accountId: id, error }, 'an account could not be erased yet')
      }
    }
  },
})

export async function eraseAccount(services: Services, accountId: number, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = services
  if (!(await db.transaction(tx => begin(services, tx, accountId)))) return
  await endSubscription(services, accountId)
  for (const merchantId of await merchantsOfOnly(db.system, accountId)) {
    signal.throwIfAborted()
    await eraseMerchant(services, merchantId, signal)
  }
  signal.throwIfAborted()
  await deleteCustomer(services, accountId)
  await db.transaction(tx => eraseRows(tx, accountId))
  log.info({ accountId, at: clock.now() }, 'an account was erased')
}

/** Locks the account out for good; false if its user has kept it meanwhile, or it is gone. */
async function begin(services: Services, tx: Db, accountId: number): Promise<boolean> {
  const now = services.clock.now()
  const { numUpdatedRows } = await tx
    .updateTable('account')
    .set({ status: 'ERASED' })
    .where('id', '=', accountId)
    .where('erase_at', '<=', now)
    .where('status', 'in', ['ACTIVE', 'ERASED'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await tx
    .updateTable('session')
    .set({ ended_at: now, end_reason: 'ERASED' })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute()
  await announceSessionsEnded(services, tx, accountId)
  return true
}

/** Every column that names an account, by its table; partitions are reached through their table. */
export async function accountColumns(db: Db): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname as table, a.attname as column from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped and a.attnum > 0
    where c.relkind in ('r', 'p') and not c.relispartition
      and (a.attname = 'account_id' or a.attname like '%\\_account\\_id' or a.attname in ('manager_id', 'granted_by', 'invited_by', 'limited_by'))
    order by c.relname, a.attname`.execute(db)
  return rows
}

async function eraseRows(tx: Db, accountId: number): Promise<void> {
  const { rows } = await sql<{ email: string; customer: string | null }>`
    select email, stripe_customer_id as customer from account where id = ${accountId} for update`.execute(tx)
  const [account] = rows
  if (!account) return
  // A charge that was being prepared has made another: the next run deletes that one first.
  if (account.customer !== null) throw new Error('The account has a customer at the payment provider again.')
  await sql`update affiliate_referral set label = 'Former user' where referred_account_id = ${accountId}`.execute(tx)
  // Invitations name who sent them, also in the mail, and whom they are for.
  await sql`delete from mail_outbox m using invitation i where (i.invited_by = ${accountId} or i.email = ${account.email})
    and split_part(m.dedupe_key, ':', 1) = 'invitation' and split_part(m.dedupe_key, ':', 2) = i.id::text`.execute(tx)
  await sql`delete from invitation where email = ${account.email}`.execute(tx)
  // Of a merchant that others keep, the reports go that this account requested, also as a campaign manager: they have its name
  // and logo, and nobody else reads them.
  await sql`delete from performance_report_part p using performance_report r
    where (r.account_id = ${accountId} or r.manager_id = ${accountId}) and p.merchant_id = r.merchant_id and p.report_id = r.id`.execute(
    tx,
  )
  // Another owner has given the permission from now on, by whose consent it lasts.
  const granted = await sql<{ merchantId: number }>`select distinct merchant_id as "merchantId" from connection
    where granted_by = ${accountId}`.execute(tx)
  for (const { merchantId } of granted.rows) {
    const owners = await sql<{ accountId: number | null }>`select min(account_id) as "accountId" from membership
      where merchant_id = ${merchantId} and account_id <> ${accountId} and role = 'OWNER' and ended_at is null`.execute(
      tx,
    )
    await sql`update connection set granted_by = ${owners.rows[0]?.accountId ?? nobody}
      where merchant_id = ${merchantId} and granted_by = ${accountId}`.execute(tx)
  }
  // What others see of the merchants that they shared.
  const shops = await tx.selectFrom('membership').select('merchant_id').where('account_id', '=', accountId).execute()
  for (const one of shops.toSorted((a, b) => a.merchant_id - b.merchant_id)) await raiseVersion(tx, one.merchant_id)
  for (const { table, column } of await accountColumns(tx)) {
    if (retained.includes(table) || column === 'granted_by') continue
    const own = sql`${sql.ref(column)} = ${accountId}`
    if (shared.nobody.includes(table))
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${nobody} where ${own}`.execute(tx)
    else if (shared.nulled.includes(table) || column === 'managed_account_id' || column === 'limited_by')
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${own}`.execute(tx)
    else await sql`delete from ${sql.table(table)} where ${own}`.execute(tx)
  }
  await sql`delete from mail_outbox where lower(to_address) = ${account.email}`.execute(tx)
  await sql`delete from jobs.job where data ->> 'email' = ${account.email}
    or name <> 'erase-accounts' and data ->> 'accountId' = ${String(accountId)}`.execute(tx)
  await sql`delete from account where id = ${accountId}`.execute(tx)
}

export const erasureJobs = [eraseAccounts] as unknown as JobDefinition<never>[]
