import { sql } from 'kysely'
import type { Micros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { bidSubjectOf, suggestBids } from '#features/recommendations/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Group } from './groups.ts'

// What the marketplace suggests to bid, which no bid goes far above. One request covers one ad group and 100 of its targets, so
// that a run asks for a few ad groups only: those that cost most, and of them those whose answer is old.

/** Requests of a run. */
const mostAdGroups = 5
const mostTargets = 100
/** Days after which an answer is asked for again, and no longer used. */
const oldAfter = 7
const uselessAfter = 21
/** Days whose spend says which ad groups come first. */
const spendDays = 30

interface Due {
  campaignId: string
  adGroupId: string
  id: string
  targets: { id: number; kind: string; text: string; matchType: string | null; expression: unknown }[]
}

/** Asks for new suggestions where they are due. Without an answer the run continues: they are only an upper limit more. */
export async function refreshSuggestedBids(
  { db, integrations, clock, log }: Services,
  profile: Profile,
  groupId: number,
): Promise<void> {
  const { merchantId, profileId, timezone } = profile
  const today = dayIn(clock.now(), timezone)
  const { rows } = await db.reading(merchantId, tx =>
    sql<Due>`select c.amazon_id as "campaignId", a.amazon_id as "adGroupId", a.id::text as id, t.targets
      from optimizer_group g
      join optimizer_campaign o on o.merchant_id = g.merchant_id and o.group_id = g.id and o.left_at is null
      join campaign c on c.merchant_id = g.merchant_id and c.id = o.campaign_id and c.ad_type = 'SPONSORED_PRODUCTS'
        and c.state = 'ENABLED' and c.gone_at is null
      join ad_group a on a.merchant_id = g.merchant_id and a.campaign_id = c.id and a.state = 'ENABLED' and a.gone_at is null
        and a.amazon_id ~ '^[0-9]+$'
      join lateral (select sum(x.cost) as cost, jsonb_agg(x.target order by x.cost desc) as targets from (
          select jsonb_build_object('id', k.id, 'kind', k.kind, 'text', k.text, 'matchType', k.match_type, 'expression', k.expression) as target,
            (select coalesce(sum(d.cost_micros), 0) from target_day d where d.merchant_id = ${merchantId}
              and d.profile_id = ${profileId} and d.target_id = k.id and d.date >= ${addDays(today, -spendDays)}) as cost
          from target k where k.merchant_id = ${merchantId} and k.ad_group_id = a.id and k.state = 'ENABLED' and k.gone_at is null
          order by cost desc, k.id limit ${mostTargets}) x) t on t.cost > 0
      where g.merchant_id = ${merchantId} and g.id = ${groupId} and g.state <> 'STOPPED'
        and coalesce(g.suggested -> a.id::text ->> 'on', '') < ${addDays(today, -oldAfter)}
      order by t.cost desc, a.id limit ${mostAdGroups}`.execute(tx),
  )
  for (const { id, targets, ...adGroup } of rows) {
    const about = targets.flatMap(target => {
      const subject = bidSubjectOf(target)
      return subject ? [{ id: target.id, subject }] : []
    })
    if (!about.length) continue
    try {
      const answers = await suggestBids(
        { integrations },
        profile,
        adGroup,
        about.map(one => one.subject),
      )
      const highs = Object.fromEntries(
        about.flatMap((one, i) => (answers[i] ? [[one.id, answers[i].highMicros] as const] : [])),
      )
      await db.tenant(merchantId, tx =>
        sql`update optimizer_group set suggested = coalesce(suggested, '{}') || ${JSON.stringify({ [id]: { on: today, highs } })}::jsonb
          where merchant_id = ${merchantId} and id = ${groupId}`.execute(tx),
      )
    } catch (error) {
      log.warn({ err: error, groupId }, 'the suggested bids could not be read')
      return
    }
  }
}

/** The high ends that are still of use, in micros by target. */
export function freshHighs({ suggested }: Pick<Group, 'suggested'>, today: string): Map<string, Micros> {
  const since = addDays(today, -uselessAfter)
  return new Map(Object.values(suggested ?? {}).flatMap(({ on, highs }) => (on >= since ? Object.entries(highs) : [])))
}
