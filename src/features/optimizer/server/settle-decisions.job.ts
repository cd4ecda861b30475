import { sql } from 'kysely'
import type { Owner } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import { endProposals } from './announce.ts'
import { changeDecision } from './decisions.ts'

interface Waiting {
  id: number
  groupId: number
  status: 'CONFIRMED' | 'FAILED' | null
  message: string | null
}

const mostAccounts = 2000

/** Every minute: what the marketplace has said to what was sent, and proposals whose time is over. */
export const settleDecisions = defineScheduledJob({
  name: 'optimizer-settle',
  policy: 'stately',
  cron: '* * * * *',
  run: async services => {
    const { db, clock } = services
    const { rows } = await sql<Owner>`select distinct merchant_id as "merchantId", profile_id as "profileId"
      from optimizer_decision where state = 'SENT' or state = 'PROPOSED' and expires_at <= ${clock.now()}
      limit ${mostAccounts}`.execute(db.system)
    for (const owner of rows) await settleAccount(services, owner)
  },
})

export async function settleAccount(services: Services, { merchantId, profileId }: Owner): Promise<void> {
  const { db, clock } = services
  const now = clock.now()
  await db.tenant(merchantId, async tx => {
    await endProposals(services, tx, merchantId, sql`d.profile_id = ${profileId} and d.expires_at <= ${now}`, now)
    // An edit is settled with its line of the ledger, a new row with what became of it.
    const { rows } = await sql<Waiting>`
      with sent as (select d.*, case when d.entity = 'target' then 'bid' when d.kind = 'placement' then 'placements'
          when d.kind = 'strategy' then 'biddingStrategy' else 'budget' end as field
        from optimizer_decision d where d.merchant_id = ${merchantId} and d.profile_id = ${profileId} and d.state = 'SENT'
        for update skip locked)
      select d.id, d.group_id as "groupId",
        case when d.created_id is null then
            case when r.note is not null then 'FAILED' when coalesce(t.sync_state, c.sync_state) = 'PENDING' then null else 'CONFIRMED' end
          when n.id is null then 'CONFIRMED' when n.amazon_id not like 'new:%' then 'CONFIRMED'
          when n.sync_state = 'FAILED' then 'FAILED' end as status,
        case when d.created_id is null then r.note else n.sync_error end as message
      from sent d
      left join target t on d.entity = 'target' and t.merchant_id = ${merchantId} and t.id = d.entity_id
      left join campaign c on d.entity = 'campaign' and c.merchant_id = ${merchantId} and c.id = d.entity_id
      left join lateral (select m.note from entity_change l join entity_change m on m.merchant_id = l.merchant_id
          and m.undoes = l.id and m.origin = 'MARKETPLACE'
        where l.merchant_id = ${merchantId} and l.group_id = d.change_group and l.entity = d.entity
          and l.entity_id = d.entity_id and l.field = d.field order by m.id desc limit 1) r on true
      left join lateral (
        select k.id, k.amazon_id, k.sync_state, k.sync_error from target k
          where d.kind = 'harvest' and k.merchant_id = ${merchantId} and k.id = d.created_id
        union all select k.id, k.amazon_id, k.sync_state, k.sync_error from negative k
          where d.kind = 'negative' and k.merchant_id = ${merchantId} and k.id = d.created_id) n on true
      order by d.id`.execute(tx)
    for (const { id, status, message } of rows) {
      if (status === 'CONFIRMED') await changeDecision(tx, { merchantId }, id, { state: status, confirmedAt: now })
      if (status === 'FAILED') await changeDecision(tx, { merchantId }, id, { state: status, answer: message })
    }
  })
}
