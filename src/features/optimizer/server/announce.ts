import { type RawBuilder, sql } from 'kysely'
import { type ReaderText, text } from '#shared/reader-text.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { Cause } from '../engine/decisions.ts'
import { isChange, type NewDecision } from './decisions.ts'
import type { Group } from './groups.ts'
import { optimizerAnswered, optimizerAsked } from './signals.ts'

type Added = NewDecision & { id: number }

/** One question is one cause, named after the first of its decisions. */
export const proposalCause = (id: number): string => `proposal-${id}`

/** Asks about each decision group that waits for a yes, in the transaction that decided. */
export async function announceProposals(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  { merchantId, profileId, currency }: Profile,
  group: Group,
  rows: readonly Added[],
  at: Date,
): Promise<void> {
  const proposed = rows.filter(one => one.state === 'PROPOSED')
  for (const own of Map.groupBy(proposed, one => one.decisionGroup).values()) {
    const [first] = own
    if (!first) continue
    await jobs.announce(tx, optimizerAsked, {
      merchantId,
      profileId,
      campaignId: first.campaignId ?? group.campaignIds[0] ?? null,
      kind: 'OPTIMIZER_PROPOSAL',
      cause: proposalCause(first.id),
      occasion: String(first.id),
      title: titleOf(own, currency),
      body: text`${`“${group.name}” asks before it does this. It waits for your answer for 7 days.`}`,
      url: `/automation-logs?row=${first.id}`,
      evidence: evidenceOf(first),
      stakeMicros: null,
      currency,
      actions: ['APPROVE_PROPOSAL', 'REJECT_PROPOSAL'],
      actionDetail: String(first.id),
      happenedAt: at.toISOString(),
    })
  }
}

function titleOf(own: readonly Added[], currency: string): ReaderText {
  const [first] = own
  const money = (value: NewDecision['after']) => ({ micros: Number(value), currency })
  const more = own.length
  if (own.some(one => one.kind === 'harvest')) {
    const harvest = own.find(one => one.kind === 'harvest')
    return text`Give “${String(harvest?.before)}” a target of its own at ${money(harvest?.after ?? 0)}?`
  }
  if (first?.kind === 'negative') return text`Keep ads away from “${String(first.after)}”?`
  if (first?.kind === 'budget')
    return more > 1
      ? text`Split the same budget differently over ${{ number: more }} campaigns?`
      : text`Daily budget ${money(first.before)} → ${money(first.after)}?`
  if (first?.kind === 'placement') return text`Raise bids at the top of search by ${{ share: Number(first.after) }}?`
  return more > 1
    ? text`Change ${{ number: more }} bids at once?`
    : text`Bid ${money(first?.before ?? 0)} → ${money(first?.after ?? 0)}?`
}

function evidenceOf({ evidence }: Added) {
  const { clicks, orders, costMicros } = evidence
  return [
    ...(clicks === undefined ? [] : [{ label: 'Clicks', format: 'count' as const, value: clicks }]),
    ...(orders === undefined ? [] : [{ label: 'Orders', format: 'count' as const, value: orders }]),
    ...(costMicros === undefined ? [] : [{ label: 'Ad spend', format: 'money' as const, value: costMicros / 1e6 }]),
  ]
}

const stops: Partial<Record<Cause, readonly [title: string, body: string]>> = {
  REPORTS_OLD: [
    'The optimizer waits for reports',
    'The newest figures are older than 36 hours, so nothing is changed until new ones are there.',
  ],
  CONVERSION_BROKE_DOWN: [
    'Orders have dropped: no bid is raised',
    'Half of the expected orders of all products are missing. That looks like the listing, its price or the buy box, not like the keywords.',
  ],
  SPEND_BROKE_OUT: [
    'Ad spend has jumped: raises are reverted',
    'A day cost far more than it usually does, so the raises of the last three days go back and no bid is raised for three days.',
  ],
}

/** Says once a day that it holds back, in the transaction that decided. */
export async function announceStop(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Db,
  { merchantId, profileId, currency }: Profile,
  group: Group,
  rows: readonly Added[],
  at: Date,
): Promise<void> {
  const row = rows.find(one => one.kind === 'breaker')
  const words = row && stops[row.cause]
  if (!words) return
  const [title, body] = words
  await jobs.announce(tx, optimizerAsked, {
    merchantId,
    profileId,
    campaignId: group.campaignIds[0] ?? null,
    kind: 'OPTIMIZER_STOPPED',
    cause: `optimizer-${group.id}`,
    occasion: `${row.cause} ${at.toISOString().slice(0, 10)}`,
    title,
    body: `“${group.name}”: ${body}`,
    url: `/automation-logs?row=${row.id}`,
    evidence: [
      {
        label: 'Bids reverted',
        format: 'count',
        value: rows.filter(one => one.kind === 'breaker' && isChange(one)).length,
      },
    ],
    stakeMicros: null,
    currency,
    actions: [],
    happenedAt: at.toISOString(),
  })
}

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
