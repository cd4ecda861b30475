import { type RawBuilder, sql } from 'kysely'
import { normalTerm, wordRuns } from '#shared/keyword-rules.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type Profile, readAccount } from '#features/accounts/server/public.ts'
import { figuresBy } from '#features/metrics/server/public.ts'
import { findLike, matching, type NewRow, tableOf } from '#features/structure/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { type BlockedTarget, MAX_BLOCKS, type NegativesPreview } from '../contract.ts'
import { type NegativeAdType, type NegativesOrder, planNegatives, requirePlace } from './plan-negatives.ts'

interface RunningTarget extends Omit<BlockedTarget, 'orders' | 'cost'> {
  kind: string
  expression: { type: string; value: string | null }[] | null
}

/**
 * What negatives would do, before anything is sent: of each whether it is new, and which running keywords or targets in
 * its reach it would keep from being shown. Throws what `requirePlace` throws.
 */
export function previewNegatives(
  ctx: Ctx,
  { adType, ...order }: NegativesOrder & { adType: NegativeAdType },
): Promise<NegativesPreview> {
  return readAccount(ctx, async (tx, profile) => {
    await requirePlace(tx, profile, order, adType)
    const planned = planNegatives(order)
    const rows = planned.flatMap(({ row }) => (row ? [row] : []))
    const existing = await findLike(tx, profile, 'negative', rows)
    const blockedBy = findBlocked(await readRunning(tx, profile, order))
    const blocked = new Map(rows.map(row => [row, blockedBy(row)]))
    const figures = await readFigures(
      tx,
      profile,
      dayIn(ctx.clock.now(), profile.timezone),
      [...blocked.values()].flat(),
    )
    const shown = (target: RunningTarget): BlockedTarget => {
      const { kind: _kind, expression: _expression, ...rest } = target
      return { ...rest, orders: 0, cost: 0 as BlockedTarget['cost'], ...figures.get(target.targetId) }
    }
    const items = planned.map(({ row, problem }): NegativesPreview['items'][number] => {
      if (!row) return { status: 'INVALID', message: problem, blocks: [], blockedCount: 0 }
      const isThere = existing.get(rows.indexOf(row))?.isFailedNew === false
      const targets = blocked.get(row) ?? []
      const blocks = targets
        .map(shown)
        .toSorted((a, b) => b.orders - a.orders || b.cost - a.cost)
        .slice(0, MAX_BLOCKS)
      return {
        status: isThere ? 'EXISTS' : 'NEW',
        message: isThere ? 'It is there already.' : null,
        blocks,
        blockedCount: targets.length,
      }
    })
    return { items, currency: profile.currency }
  })
}

/** What runs in the reach of the negatives. */
async function readRunning(
  tx: Db,
  profile: Profile,
  { campaignId, adGroupId }: NegativesOrder,
): Promise<RunningTarget[]> {
  const place: RawBuilder<unknown> = adGroupId ? sql`t.ad_group_id = ${adGroupId}` : sql`g.campaign_id = ${campaignId}`
  const { rows } = await sql<RunningTarget>`
    select t.id as "targetId", t.kind, t.text, t.match_type as "matchType", t.expression, g.id as "adGroupId",
      g.name as "adGroupName", c.name as "campaignName"
    from ${tableOf('target')} t
      join ${tableOf('adGroup')} g on g.merchant_id = t.merchant_id and g.id = t.ad_group_id
      join ${tableOf('campaign')} c on c.merchant_id = t.merchant_id and c.id = t.campaign_id
    where ${matching(profile, [sql`t.campaign_id = ${campaignId} and ${place} and t.state = 'ENABLED' and g.state = 'ENABLED'`])}
      and t.kind in ('KEYWORD', 'PRODUCT') order by t.id`.execute(tx)
  return rows
}

/** A negative phrase has at most four words. */
const LONGEST_PHRASE = 4

/**
 * Finds what a negative blocks: an exact one the same exact keyword, a phrase every keyword that contains it as whole
 * words, a product or brand every target that aims at it. Thousands of each are held against each other.
 */
function findBlocked(running: readonly RunningTarget[]): (negative: NewRow) => RunningTarget[] {
  const index = new Map<string, RunningTarget[]>()
  const add = (key: string, target: RunningTarget) => {
    const list = index.get(key)
    if (list) list.push(target)
    else index.set(key, [target])
  }
  for (const target of running) {
    for (const { type, value } of target.kind === 'PRODUCT' ? (target.expression ?? []) : [])
      add(`${type}: ${value}`.toLowerCase(), target)
    if (target.kind !== 'KEYWORD') continue
    const term = normalTerm(target.text)
    if (target.matchType === 'EXACT') add(`NEGATIVE_EXACT ${term}`, target)
    for (const run of new Set(wordRuns(term, LONGEST_PHRASE))) add(`NEGATIVE_PHRASE ${run}`, target)
  }
  return ({ kind, text, matchType }) =>
    index.get(kind === 'KEYWORD' ? `${matchType} ${normalTerm(text)}` : text.toLowerCase()) ?? []
}

async function readFigures(tx: Db, profile: Profile, today: string, targets: readonly RunningTarget[]) {
  const ids = [...new Set(targets.map(target => target.targetId))]
  if (!ids.length) return new Map<number, Pick<BlockedTarget, 'orders' | 'cost'>>()
  const { rows } = await sql<{ id: number } & Pick<BlockedTarget, 'orders' | 'cost'>>`
    select r.key as id, r.orders::float8 as orders, r.cost_micros / 1e6::float8 as cost
    from ${figuresBy('target', profile, addDays(today, -29), today, { keys: sql`${ids}::bigint[]` })} r`.execute(tx)
  return new Map(rows.map(({ id, ...figures }) => [id, figures]))
}
