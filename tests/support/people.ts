import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { tenancyOf } from '#features/accounts/server/public.ts'
import { type AccessColumns, accessAt, accessColumns, toAccessTerms } from '#features/subscription/server/public.ts'
import type { Actor, Authority, Ctx, Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'

/** A verified account of its own; answers its id. */
export async function addAccount(services: Services, email = `${randomUUID()}@people.test`): Promise<number> {
  const row = await services.db.system
    .insertInto('account')
    .values({
      email,
      password_hash: 'no log-in by password',
      first_name: 'Test',
      last_name: 'Person',
      account_type: 'SELLER',
      email_verified_at: services.clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** The context of a verb when this account calls, with its current merchants. */
export async function callerOf(
  services: Services,
  accountId: number,
  authorities: readonly Authority[] = ['ACCOUNT_MANAGER'],
): Promise<Ctx> {
  const { system } = services.db
  const tenancy = await tenancyOf(system, accountId)
  const access = await accessOf(system, accountId, tenancy.merchantId, services.clock.now())
  return callWith(services, { ...tenancy, ...access, accountId, authorities })
}

function callWith(services: Services, actor: Omit<Actor, 'sessionId' | 'email'>): Ctx {
  return {
    ...services,
    requestId: randomUUID(),
    ip: '127.0.0.1',
    ifMatch: null,
    idempotencyKey: null,
    saveAnswer: async () => undefined,
    shop: null,
    client: { id: null, userAgent: 'test' },
    actor: { ...actor, sessionId: randomUUID(), email: `${actor.accountId}@people.test` },
  }
}

/** The access of an account to a merchant (null if none is selected) at a moment. */
export async function accessOf(
  db: Db,
  accountId: number,
  merchantId: number | null,
  now: Date,
): Promise<ReturnType<typeof accessAt>> {
  const columns = accessColumns(sql`${accountId}::bigint`, sql`${merchantId}::bigint`)
  const { rows } = await sql<AccessColumns>`select ${columns}`.execute(db)
  return accessAt(toAccessTerms(rows[0] ?? { subscriptions: [], merchantTrial: null }), accountId, now)
}
