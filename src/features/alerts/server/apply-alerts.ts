import { sql } from 'kysely'
import { kinds, type NotificationKind, notificationKinds } from '#features/notifications/contract.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { AlertDraft } from './rules/facts.ts'
import { type Act, decide, doubt, type RaisedAlert } from './rules/decide.ts'
import { alertRaised, alertSettled } from './signals.ts'

interface AlertRow extends RaisedAlert {
  cause: string
  campaignId: number | null
  times: number
  tolerated: number
}

/** What was tested of a merchant, and what came of it. */
export interface Tested {
  merchantId: number
  /** Null where it is about all accounts of the merchant. */
  profileId: number | null
  currency: string | null
  /** Every cause that was tested; one without a draft is over. */
  causes: readonly string[]
  drafts: readonly (AlertDraft & { campaignId: number | null; accountId?: number })[]
  /** When the last of the evidence happened. */
  happenedAt: Date
}

/** What was raised of these causes, and what somebody dismissed of them; of several merchants. */
export async function alertRows(
  db: Db,
  causes: readonly { merchantId: number; cause: string }[],
  now: Date,
  lock = false,
): Promise<(AlertRow & { merchantId: number })[]> {
  const [merchantId, ...others] = new Set(causes.map(one => one.merchantId))
  const { rows } = await sql<AlertRow & { merchantId: number }>`select a.merchant_id as "merchantId", a.cause, a.kind,
      a.campaign_id as "campaignId", a.occasion, a.said, a.ends_at as "endsAt", a.settled_at as "settledAt", a.times,
      coalesce(t.strength, 0)::float8 as tolerated
    from alert a join unnest(${causes.map(one => one.merchantId)}::bigint[], ${causes.map(one => one.cause)}::text[])
      as u(merchant_id, cause) on a.merchant_id = u.merchant_id and a.cause = u.cause
      left join alert_tolerance t on t.merchant_id = a.merchant_id and t.cause = a.cause and t.until > ${now}
    where ${others.length ? sql`true` : sql`a.merchant_id = ${merchantId}`}
    ${lock ? sql`order by a.cause for update of a` : sql``}`.execute(db)
  return rows
}

/** The decisions about everything that was tested, by what was raised before. */
function decisions(tested: Tested, rows: readonly AlertRow[], now: Date): Map<string, Act> {
  const byCause = new Map(rows.map(row => [row.cause, row]))
  const drafts = new Map(tested.drafts.map(draft => [draft.cause, draft]))
  const found = new Map<string, Act>()
  for (const cause of new Set([...tested.causes, ...drafts.keys()])) {
    const row = byCause.get(cause) ?? null
    const act = decide(row, drafts.get(cause) ?? null, { tolerated: row?.tolerated ?? 0, now })
    if (act) found.set(cause, act)
  }
  return found
}

/**
 * Raises, changes and settles what was tested. Most tests change nothing, which `rows`, as they were read for the test, say
 * without a transaction; what they say is decided again on the locked rows, so that two tests at once raise nothing twice.
 */
export async function applyAlerts(services: Services, tested: Tested, rows: readonly AlertRow[]): Promise<void> {
  const now = services.clock.now()
  if (!decisions(tested, rows, now).size) return
  await services.db.transaction(async tx => {
    const causes = [...new Set([...tested.causes, ...tested.drafts.map(draft => draft.cause)])]
    const { merchantId } = tested
    const locked = await alertRows(
      tx,
      causes.map(cause => ({ merchantId, cause })),
      now,
      true,
    )
    for (const [cause, act] of decisions(tested, locked, now)) {
      const draft = tested.drafts.find(one => one.cause === cause)
      const row = locked.find(one => one.cause === cause)
      if (act === 'SETTLE') await settle(services, tx, { merchantId, cause })
      else if (act === 'FORGET') await forget(tx, { merchantId, cause })
      else if (draft && act === 'DOUBT') await noteDoubt(tx, tested, draft, now)
      else if (draft && (act === 'RAISE' || act === 'UPDATE'))
        await announce(services, tx, tested, draft, act, row ?? null)
    }
  })
}

async function forget(tx: Db, { merchantId, cause }: { merchantId: number; cause: string }): Promise<void> {
  await sql`delete from alert where merchant_id = ${merchantId} and cause = ${cause} and occasion = ${doubt}`.execute(
    tx,
  )
}

/** Notes what may only seem so, without a word to anybody. */
async function noteDoubt(
  tx: Db,
  { merchantId, profileId }: Tested,
  { cause, campaignId, kind, strength }: Tested['drafts'][number],
  now: Date,
): Promise<void> {
  await sql`insert into alert as a (merchant_id, cause, profile_id, campaign_id, kind, occasion, strength, said, raised_at, settled_at)
    values (${merchantId}, ${cause}, ${profileId}, ${campaignId}, ${kind}, ${doubt}, ${strength}, '', ${now}, ${now})
    on conflict (merchant_id, cause) do update set occasion = excluded.occasion, said = '', settled_at = excluded.settled_at
      where a.settled_at is not null`.execute(tx)
}

/** Ends an alert, in the transaction; everybody's notification of it settles. */
export async function settle(
  { jobs, clock }: Pick<Services, 'jobs' | 'clock'>,
  tx: Db,
  { merchantId, cause }: { merchantId: number; cause: string },
): Promise<void> {
  const { numAffectedRows } = await sql`update alert set settled_at = ${clock.now()}
    where merchant_id = ${merchantId} and cause = ${cause} and settled_at is null`.execute(tx)
  if (numAffectedRows) await jobs.announce(tx, alertSettled, { merchantId, cause })
}

async function announce(
  { jobs, clock }: Services,
  tx: Db,
  { merchantId, profileId, currency, happenedAt }: Tested,
  draft: Tested['drafts'][number],
  act: 'RAISE' | 'UPDATE',
  before: AlertRow | null,
): Promise<void> {
  const now = clock.now()
  // The same event again after it was over: it is pushed once more.
  const isAgain = act === 'RAISE' && before?.occasion === draft.occasion
  const times = act === 'UPDATE' ? (before?.times ?? 1) : isAgain ? before.times + 1 : 1
  // What changes only what it says stays the event that it was.
  const occasion = (act === 'UPDATE' && before?.occasion) || draft.occasion
  const { numAffectedRows } =
    await sql`insert into alert as a (merchant_id, cause, profile_id, campaign_id, kind, occasion, times, strength, said,
      raised_at, ends_at, settled_at)
    values (${merchantId}, ${draft.cause}, ${profileId}, ${draft.campaignId}, ${draft.kind}, ${occasion}, ${times}, ${draft.strength},
      ${draft.says}, ${now}, ${draft.endsAt}, null)
    on conflict (merchant_id, cause) do update set profile_id = excluded.profile_id, campaign_id = excluded.campaign_id,
      kind = excluded.kind, occasion = excluded.occasion, times = excluded.times, strength = excluded.strength, said = excluded.said,
      ends_at = excluded.ends_at, settled_at = null,
      raised_at = case when ${act} = 'RAISE' then excluded.raised_at else a.raised_at end
    where ${before !== null}`.execute(tx)
  // Another test raised it for the first time meanwhile.
  if (!numAffectedRows) return
  const {
    kind,
    cause,
    title,
    body,
    url,
    evidence,
    stakeMicros,
    actions,
    actionDetail,
    campaignId,
    accountId,
    measure,
  } = draft
  await jobs.announce(tx, alertRaised, {
    merchantId,
    ...(accountId !== undefined && { accountId }),
    profileId,
    campaignId,
    kind,
    cause,
    occasion: times > 1 ? `${occasion}.${times}` : occasion,
    title,
    body,
    url,
    evidence,
    stakeMicros,
    currency: stakeMicros === null ? null : currency,
    actions,
    ...(actionDetail !== undefined && { actionDetail }),
    ...(measure !== undefined && { measure }),
    happenedAt: happenedAt.toISOString(),
  })
}

interface OpenAlerts {
  count: number
  /** Of the strongest: how far it is beyond its threshold (1: just so), and its kind. */
  strength: number
  kind: NotificationKind
}

// News are announced by the same table.
const decisionKinds = notificationKinds.filter(kind => kinds[kind].isDecision)

/** The open alerts of some merchants by advertising account; accounts without one are missing. */
export async function openAlerts(tx: Db, merchantIds: readonly number[]): Promise<Map<number, OpenAlerts>> {
  const { rows } = await sql<OpenAlerts & { profileId: number }>`
    select profile_id as "profileId", count(*)::int as count, max(strength)::float8 as strength,
      (array_agg(kind order by strength desc))[1] as kind
    from alert where merchant_id = any(${[...merchantIds]}::bigint[]) and settled_at is null and profile_id is not null
      and kind = any(${decisionKinds}::text[])
    group by profile_id`.execute(tx)
  return new Map(rows.map(({ profileId, ...alerts }) => [profileId, alerts]))
}
