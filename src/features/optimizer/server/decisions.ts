import { sql } from 'kysely'
import type { Db } from '#server/db/tables.ts'
import type { Cause, LogRow, LogState } from '../contract.ts'
import type { Decision, DayForecast, Evidence } from '../engine/decisions.ts'
import type { Group } from './groups.ts'

/** A decision as it is stored: amounts in micros, raises as fractions. */
export interface StoredDecision {
  id: number
  groupId: number
  day: string
  at: Date
  decisionGroup: string
  kind: LogRow['kind']
  cause: Cause
  entity: Decision['entity']
  entityId: number | null
  campaignId: number | null
  before: number | string | null
  after: number | string | null
  evidence: Evidence
  forecast: DayForecast | null
  asks: boolean
  engineVersion: number
  settingsHash: string
  state: LogState
  answer: string | null
  changeGroup: string | null
  createdId: number | null
  sentAt: Date | null
  confirmedAt: Date | null
  expiresAt: Date | null
  settledAt: Date | null
  accountId: number | null
  reason: string | null
}

/** A decision of a run before it is stored: the engine's, or what is proposed besides. */
export type Decided = Omit<Decision, 'kind' | 'cause'> & Pick<StoredDecision, 'kind' | 'cause'>

export const decisionColumns = sql`d.id, d.group_id as "groupId", d.day, d.at, d.decision_group as "decisionGroup", d.kind,
  d.cause, d.entity, d.entity_id as "entityId", d.campaign_id as "campaignId", d.before, d.after, d.evidence, d.forecast,
  d.asks, d.engine_version as "engineVersion", d.settings_hash as "settingsHash", d.state, d.answer,
  d.change_group as "changeGroup", d.created_id as "createdId", d.sent_at as "sentAt", d.confirmed_at as "confirmedAt",
  d.expires_at as "expiresAt", d.settled_at as "settledAt", d.account_id as "accountId", d.reason`

export type NewDecision = Pick<
  StoredDecision,
  | 'decisionGroup'
  | 'kind'
  | 'cause'
  | 'entity'
  | 'entityId'
  | 'campaignId'
  | 'before'
  | 'after'
  | 'evidence'
  | 'forecast'
  | 'asks'
  | 'state'
  | 'expiresAt'
>

/** Adds the decisions of one run, in their order; returns their ids. */
export async function addDecisions(
  tx: Db,
  { merchantId, profileId, id: groupId }: Group,
  run: { day: string; at: Date; engineVersion: number; settingsHash: string },
  rows: readonly NewDecision[],
): Promise<number[]> {
  if (!rows.length) return []
  const all = <T>(read: (row: NewDecision) => T): T[] => rows.map(read)
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
  const added = await sql<{
    id: number
  }>`insert into optimizer_decision (merchant_id, profile_id, group_id, day, at, decision_group,
      kind, cause, entity, entity_id, campaign_id, before, after, evidence, forecast, asks, state, expires_at, engine_version,
      settings_hash)
    select ${merchantId}::bigint, ${profileId}::bigint, ${groupId}::bigint, ${run.day}::date, ${run.at}::timestamptz,
      u.decision_group, u.kind, u.cause, u.entity, u.entity_id, u.campaign_id, u.before::jsonb, u.after::jsonb,
      u.evidence::jsonb, u.forecast::jsonb, u.asks, u.state, u.expires_at, ${run.engineVersion}::int, ${run.settingsHash}
    from unnest(${all(r => r.decisionGroup)}::text[], ${all(r => r.kind)}::text[], ${all(r => r.cause)}::text[],
      ${all(r => r.entity)}::text[], ${all(r => r.entityId)}::bigint[], ${all(r => r.campaignId)}::bigint[],
      ${all(r => json(r.before))}::text[], ${all(r => json(r.after))}::text[], ${all(r => json(r.evidence))}::text[],
      ${all(r => json(r.forecast))}::text[], ${all(r => r.asks)}::boolean[], ${all(r => r.state)}::text[],
      ${all(r => r.expiresAt)}::timestamptz[]) with ordinality
      as u(decision_group, kind, cause, entity, entity_id, campaign_id, before, after, evidence, forecast, asks, state,
        expires_at, place)
    order by u.place returning id`.execute(tx)
  return added.rows.map(row => row.id).toSorted((a, b) => a - b)
}

/** Decisions of a group that pass a condition on `d`, in their order; locked until the transaction ends. */
export async function lockDecisions(
  tx: Db,
  { merchantId, id: groupId }: Pick<Group, 'merchantId' | 'id'>,
  which: ReturnType<typeof sql>,
): Promise<StoredDecision[]> {
  const { rows } = await sql<StoredDecision>`select ${decisionColumns} from optimizer_decision d
    where d.merchant_id = ${merchantId} and d.group_id = ${groupId} and ${which} order by d.id for update of d`.execute(
    tx,
  )
  return rows
}

export interface DecisionChange {
  state: LogState
  answer?: string | null
  changeGroup?: string | null
  createdId?: number | null
  sentAt?: Date
  confirmedAt?: Date
  settledAt?: Date
  accountId?: number | null
  reason?: string | null
  after?: number | string | null
}

/** Changes one decision; what is left out stays. */
export async function changeDecision(
  tx: Db,
  { merchantId }: Pick<Group, 'merchantId'>,
  id: number,
  change: DecisionChange,
): Promise<void> {
  const { state, answer, changeGroup, createdId, sentAt, confirmedAt, settledAt, accountId, reason, after } = change
  await tx
    .updateTable('optimizer_decision')
    .set({
      state,
      ...(answer !== undefined && { answer }),
      ...(changeGroup !== undefined && { change_group: changeGroup }),
      ...(createdId !== undefined && { created_id: createdId }),
      ...(sentAt && { sent_at: sentAt }),
      ...(confirmedAt && { confirmed_at: confirmedAt }),
      ...(settledAt && { settled_at: settledAt }),
      ...(accountId !== undefined && { account_id: accountId }),
      ...(reason !== undefined && { reason }),
      ...(after !== undefined && { after: JSON.stringify(after) }),
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute()
}

/** Whether a decision changes anything, besides saying something. */
export const isChange = ({ kind, after }: Pick<StoredDecision, 'kind' | 'after'>): boolean =>
  kind !== 'none' && kind !== 'steer' && after !== null
