import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'

export interface EndingTrial {
  accountId: number
  /** One of the merchants that the account owns. */
  merchantId: number
  endsAt: Date
}

/** The trials that end between two moments, of users who own a merchant and have not canceled. For jobs. */
export async function endingTrials(system: Db, from: Date, to: Date): Promise<EndingTrial[]> {
  const { rows } = await sql<EndingTrial>`select s.account_id as "accountId", min(m.merchant_id) as "merchantId",
      s.trial_ends_at as "endsAt"
    from subscription s join membership m on m.account_id = s.account_id and m.role = 'OWNER' and m.ended_at is null
    where s.status = 'trialing' and s.trial_ends_at > ${from} and s.trial_ends_at <= ${to} and not s.cancel_at_period_end
    group by s.account_id, s.trial_ends_at order by s.account_id`.execute(system)
  return rows
}
