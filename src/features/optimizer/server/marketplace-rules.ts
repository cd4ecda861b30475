import { sql } from 'kysely'
import { adsOf, type Profile } from '#features/accounts/server/public.ts'
import type { CampaignRule } from '#integrations/amazon-ads/index.ts'
import type { Services } from '#server/context.ts'
import type { CampaignFacts } from '../engine/facts.ts'
import type { Group } from './groups.ts'

/** They are read again once a day. */
const oldAfterMs = 20 * 3_600_000
/** A rule by ROAS may bid up to three times the base. */
const roasRaise = 2

/**
 * Reads the marketplace's own rules of a group's campaigns where what is known of them is old. Without an answer the run continues
 * with what is known: a rule is rare, and a day without decisions is worse.
 */
export async function refreshRules(
  { db, integrations, clock, log }: Services,
  profile: Profile,
  groupId: number,
): Promise<void> {
  const { merchantId } = profile
  const now = clock.now()
  const { rows } = await db.reading(merchantId, tx =>
    sql<{ amazonIds: string[] }>`select array_agg(c.amazon_id) as "amazonIds" from optimizer_group g
      join optimizer_campaign o on o.merchant_id = g.merchant_id and o.group_id = g.id and o.left_at is null
      join campaign c on c.merchant_id = o.merchant_id and c.id = o.campaign_id and c.ad_type = 'SPONSORED_PRODUCTS'
      where g.merchant_id = ${merchantId} and g.id = ${groupId} and g.state <> 'STOPPED'
        and (g.rules_at is null or g.rules_at < ${new Date(now.getTime() - oldAfterMs)})
      having count(*) > 0`.execute(tx),
  )
  const [due] = rows
  if (!due) return
  try {
    const rules = await adsOf(integrations, profile).rules.ofCampaigns(due.amazonIds)
    await db.tenant(merchantId, tx =>
      sql`update optimizer_group set rules = ${JSON.stringify(rules)}::jsonb, rules_at = ${now}
        where merchant_id = ${merchantId} and id = ${groupId}`.execute(tx),
    )
  } catch (error) {
    log.warn({ err: error, groupId }, 'the rules of the marketplace could not be read')
  }
}

/** What moves a campaign besides: the rules that were read, and bidding by ROAS, which is a strategy of the campaign. */
export function rulesOf(
  { rules }: Pick<Group, 'rules'>,
  { amazonId, biddingStrategy }: { amazonId: string; biddingStrategy: string | null },
): Pick<CampaignFacts, 'rules' | 'ruleRaise'> {
  const own: readonly CampaignRule[] = (rules ?? []).filter(one => one.campaignId === amazonId)
  const isByRoas = biddingStrategy === 'RULE_BASED'
  const raises = own.filter(one => one.kind === 'SCHEDULE').map(one => one.raise)
  return {
    rules: [...(isByRoas ? (['BIDDING'] as const) : []), ...new Set(own.map(one => one.kind))],
    ruleRaise: raises.reduce((sum, one) => sum + one, isByRoas ? roasRaise : 0),
  }
}
