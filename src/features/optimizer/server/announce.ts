import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { text } from '#shared/reader-text.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { raisedAlert } from '#features/notifications/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { questionText, stopText } from '../decision-text.ts'
import { isChange, type NewDecision } from './decisions.ts'
import type { Group } from './groups.ts'
import { explained, presentValues } from './log.ts'
import { optimizerAnswered, optimizerAsked } from './signals.ts'

type Added = NewDecision & { id: number }

/** One question is one cause, named after the first of its decisions. */
export const proposalCause = (id: number): string => `proposal-${id}`

/** Asks about each decision group that waits for a yes, in the transaction that decided. */
export async function announceProposals(
  services: Pick<Services, 'jobs'>,
  tx: Db,
  profile: Profile,
  group: Group,
  rows: readonly Added[],
  at: Date,
): Promise<void> {
  const { currency } = profile
  const proposed = rows.filter(one => one.state === 'PROPOSED')
  const names = await campaignNames(tx, profile.merchantId, proposed)
  for (const own of Map.groupBy(proposed, one => one.decisionGroup).values()) {
    const [first] = own
    if (!first) continue
    await announce(services, tx, profile, group, at, {
      kind: 'OPTIMIZER_PROPOSAL',
      cause: proposalCause(first.id),
      occasion: String(first.id),
      row: first,
      title: questionText(
        own.map(one => explained(one, currency)),
        names.get(first.campaignId ?? 0) ?? null,
      ),
      body: `“${group.name}” asks before it does this. It waits for your answer for 7 days.`,
      evidence: evidenceOf(first),
      actions: ['APPROVE_PROPOSAL', 'REJECT_PROPOSAL'],
      actionDetail: String(first.id),
      proposed: proposedNumber(own, currency),
    })
  }
}

async function campaignNames(tx: Db, merchantId: number, rows: readonly Added[]): Promise<Map<number, string>> {
  const ids = [...new Set(rows.flatMap(one => one.campaignId ?? []))]
  if (!ids.length) return new Map()
  const named = await sql<{ id: number; name: string }>`select id, name from campaign
    where merchant_id = ${merchantId} and id = any(${ids})`.execute(tx)
  return new Map(named.rows.map(({ id, name }) => [id, name]))
}

/** The number of a question that has only one, which its approval may change. */
function proposedNumber(own: readonly Added[], currency: string): News['proposed'] {
  const numbers = own.map(one => presentValues(one)).filter(one => typeof one.after === 'number')
  const [{ unit, before, after } = {}, another] = numbers
  if (another || typeof after !== 'number' || (unit !== 'MONEY' && unit !== 'PERCENT')) return null
  return { unit, before: typeof before === 'number' ? before : null, after, currency }
}

function evidenceOf({ evidence }: Added): News['evidence'] {
  const { clicks, orders, costMicros } = evidence
  return [
    ...(clicks === undefined ? [] : [{ label: 'Clicks', format: 'count' as const, value: clicks }]),
    ...(orders === undefined ? [] : [{ label: 'Orders', format: 'count' as const, value: orders }]),
    ...(costMicros === undefined ? [] : [{ label: 'Ad spend', format: 'money' as const, value: costMicros / 1e6 }]),
  ]
}

/** Says once a day that it holds back, in the transaction that decided. */
export async function announceStop(
  services: Pick<Services, 'jobs'>,
  tx: Db,
  profile: Profile,
  group: Group,
  rows: readonly Added[],
  at: Date,
): Promise<void> {
  const stops = rows.filter(one => one.kind === 'breaker')
  const [row] = stops
  if (!row) return
  const { title, body } = stopText(explained(row, profile.currency))
  await announce(services, tx, profile, group, at, {
    kind: 'OPTIMIZER_STOPPED',
    cause: `optimizer-${group.id}`,
    occasion: `${row.cause} ${at.toISOString().slice(0, 10)}`,
    row,
    title,
    body: text`${`“${group.name}”: `}${body}`,
    evidence: [{ label: 'Bids reverted', format: 'count', value: stops.filter(isChange).length }],
    actions: [],
  })
}

type News = z.infer<typeof raisedAlert>

const announce = (
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  { merchantId, profileId, currency }: Profile,
  group: Group,
  at: Date,
  {
    row,
    ...news
  }: Omit<
    News,
    'merchantId' | 'profileId' | 'campaignId' | 'url' | 'stakeMicros' | 'currency' | 'happenedAt' | 'accountId'
  > & { row: Added },
): Promise<void> =>
  jobs.announce(tx, optimizerAsked, {
    merchantId,
    profileId,
    campaignId: row.campaignId ?? group.campaignIds[0] ?? null,
    url: `/automation-logs?row=${row.id}`,
    stakeMicros: null,
    currency,
    happenedAt: at.toISOString(),
    ...news,
  })

/** Ends questions that pass a condition on `d`, because their time is over or their group stopped. */
export async function endProposals(
  services: Pick<Services, 'jobs'>,
  tx: Db,
  merchantId: number,
  which: RawBuilder<unknown>,
  at: Date,
): Promise<void> {
  const { rows } = await sql<{
    groupId: number
    decisionGroup: string
  }>`update optimizer_decision d set state = 'EXPIRED', settled_at = ${at}
    where d.merchant_id = ${merchantId} and d.state = 'PROPOSED' and ${which}
    returning d.group_id as "groupId", d.decision_group as "decisionGroup"`.execute(tx)
  for (const { groupId, decisionGroup } of new Map(
    rows.map(row => [`${row.groupId} ${row.decisionGroup}`, row]),
  ).values()) {
    const first = await sql<{
      id: number
    }>`select min(id) as id from optimizer_decision where merchant_id = ${merchantId}
      and group_id = ${groupId} and decision_group = ${decisionGroup}`.execute(tx)
    await announceAnswer(services, tx, merchantId, [first.rows[0]?.id ?? 0])
  }
}

/** The question is answered, or is over. */
export const announceAnswer = (
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  merchantId: number,
  ids: readonly number[],
): Promise<void> => jobs.announce(tx, optimizerAnswered, { merchantId, cause: proposalCause(Math.min(...ids)) })
