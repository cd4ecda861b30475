import { sql } from 'kysely'
import { adLimits, bidProblem } from '#shared/ad-limits.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { AppError } from '#shared/errors.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { fromMicros, type Micros, toMicros } from '#shared/money.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { currentProfile, type Profile, readAccount } from '#features/accounts/server/public.ts'
import { daysOfCampaigns, profileFreshness } from '#features/metrics/server/public.ts'
import { matching, type Owner, selectList, tableOf } from '#features/structure/server/public.ts'
import type { Campaign } from '#features/structure/contract.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { optimizerEndpoints, Takeover, TakeoverCheck, takeoverProblems } from '../contract.ts'
import { type Holdings, holdingsOf, isThere } from './entities.ts'
import { adTermsOf } from './facts.ts'
import { readFamilies } from './families.ts'
import { asksUntilOf, type GroupSettings, newGroupAsks } from './groups.ts'
import { runGroup } from './run-group.job.ts'
import { saveSnapshot } from './snapshot.ts'

type Problem = (typeof takeoverProblems)[number]
type Judged = Pick<Campaign, 'id' | 'name' | 'adType' | 'budget'> & { problem: Problem | null }

/** So long it only says what it would do. */
const shadowMs = 48 * 3_600_000
const usualTarget = 30

const messages: Record<Problem, string> = {
  NOT_FOUND: 'This campaign is no longer in the account.',
  ARCHIVED: 'An archived campaign cannot be changed.',
  ENDED: 'This campaign has ended.',
  NO_DAILY_BUDGET: 'This campaign has no daily budget.',
  NOT_AT_MARKETPLACE: 'The marketplace has not accepted this campaign yet.',
  IN_GROUP: 'This campaign is in another group already. Stop that one first.',
}

/** Campaigns of the account in the order of the ids, each with what keeps it from being taken over. */
async function judge(
  tx: Db,
  owner: Owner,
  ids: readonly number[],
  today: string,
  { lock }: { lock: boolean },
): Promise<Judged[]> {
  const { rows } = await sql<
    Campaign & { isInGroup: boolean; isGone: boolean }
  >`select ${selectList('campaign', owner)},
      t.gone_at is not null as "isGone", exists (select 1 from optimizer_campaign o
        where o.merchant_id = ${owner.merchantId} and o.campaign_id = t.id and o.left_at is null) as "isInGroup"
    from ${tableOf('campaign')} t where ${matching(owner, [sql`t.id = any(${ids}::bigint[])`])}
    order by t.id ${lock ? sql`for update of t` : sql``}`.execute(tx)
  const byId = new Map(rows.map(row => [row.id, row]))
  const problemOf = (row: (typeof rows)[number]): Problem | null => {
    if (row.isGone) return 'NOT_FOUND'
    if (row.state === 'ARCHIVED') return 'ARCHIVED'
    if (!isThere(row)) return 'NOT_AT_MARKETPLACE'
    if (row.endDate !== null && row.endDate < today) return 'ENDED'
    if (row.budget === null) return 'NO_DAILY_BUDGET'
    return row.isInGroup ? 'IN_GROUP' : null
  }
  return [...new Set(ids)].map(id => {
    const row = byId.get(id)
    return row
      ? { id, name: row.name, adType: row.adType, budget: row.budget, problem: problemOf(row) }
      : { id, name: '', adType: '', budget: null, problem: 'NOT_FOUND' }
  })
}

/** What taking campaigns of the current account over would begin with. */
export function checkTakeover(ctx: Ctx, ids: readonly number[]): Promise<TakeoverCheck> {
  return readAccount(ctx, async (tx, profile) => {
    const today = dayIn(ctx.clock.now(), profile.timezone)
    const judged = await judge(tx, profile, ids, today, { lock: false })
    const sums = await sumsOf(tx, profile, ids, today)
    const good = judged.filter(one => one.problem === null)
    const held = await holdingsOf(
      tx,
      profile,
      good.map(one => one.id),
    )
    const { facts, products, productsWithCosts } = await readFamilies(tx, profile, held, [], today)
    const margins = facts.flatMap(({ margin }) => margin ?? [])
    const margin = margins.length ? margins.reduce((sum, one) => sum + one, 0) / margins.length : null
    const all = addUp(good.map(({ id }) => sums.get(id) ?? nothing))
    const acos = acosOf(all)
    const { asOf } = await profileFreshness(tx, profile)
    const knowsCosts = products > 0 && productsWithCosts === products
    return {
      currency: profile.currency,
      campaigns: judged.map(({ id, name, adType, budget, problem }) => {
        const own = sums.get(id) ?? nothing
        return {
          id,
          name,
          adType: adType || null,
          budget,
          cost: fromMicros(own.costMicros),
          sales: fromMicros(own.salesMicros),
          acos: acosOf(own),
          problem: problem && { code: problem, message: messages[problem] },
        }
      }),
      dailyBudget: fromMicros(good.reduce((sum, { budget }) => sum + toMicros(budget ?? 0), 0)),
      cost: fromMicros(all.costMicros),
      sales: fromMicros(all.salesMicros),
      acos,
      products,
      productsWithCosts,
      margin: margin === null ? null : margin * 100,
      strategy: knowsCosts ? 'PROFIT' : 'REACH',
      targetAcos: suggestedTarget(acos, margin),
      reportedAt: asOf?.toISOString() ?? null,
    }
  })
}

/** What it is now, but not above what a sale leaves. */
function suggestedTarget(acos: number | null, margin: number | null): number {
  const most = margin !== null && margin > 0 ? margin * 100 : 100
  return Math.round(Math.max(5, Math.min(acos ?? usualTarget, most)))
}

interface Sums {
  costMicros: Micros
  salesMicros: Micros
}
const nothing: Sums = { costMicros: 0, salesMicros: 0 }
export const addUp = (list: readonly Sums[]): Sums => ({
  costMicros: list.reduce((sum, one) => sum + one.costMicros, 0),
  salesMicros: list.reduce((sum, one) => sum + one.salesMicros, 0),
})
/** In percent; null without sales. */
export const acosOf = ({ costMicros, salesMicros }: Sums): number | null =>
  salesMicros > 0 ? (costMicros / salesMicros) * 100 : null

/** What campaigns cost and sold in the last 30 days that no longer move, by campaign. */
export async function sumsOf(
  tx: Db,
  profile: Profile,
  ids: readonly number[],
  today: string,
): Promise<Map<number, Sums>> {
  const { movingFrom } = await profileFreshness(tx, profile)
  const to = addDays(movingFrom ?? today, -1)
  const days = await daysOfCampaigns(tx, profile, ids, { from: addDays(to, -29), to })
  return new Map([...days].map(([id, own]) => [id, addUp(own)]))
}

/**
 * Takes campaigns of the current account over as one group, with what they are at this moment as its snapshot, and queues its
 * first run. Throws RULE_VIOLATED where one cannot be taken over, VALIDATION_FAILED.
 */
export async function takeOver(
  ctx: Ctx,
  takeover: Takeover,
): Promise<EndpointOutput<typeof optimizerEndpoints.takeover>> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const judged = await judge(tx, profile, takeover.campaignIds, dayIn(now, profile.timezone), { lock: true })
    const problems = judged.flatMap(({ name, problem }) =>
      problem ? [`${name ? `“${name}”: ` : ''}${messages[problem]}`] : [],
    )
    if (problems.length) throw new AppError('RULE_VIOLATED', problems[0] ?? '', { details: problems })
    const total = judged.reduce((sum, { budget }) => sum + toMicros(budget ?? 0), 0)
    const settings: GroupSettings = {
      targetAcos: takeover.targetAcos / 100,
      strategy: takeover.strategy,
      highestBidMicros: microsOf(takeover.highestBid),
      budgetMicros: microsOf(takeover.dailyBudget) ?? total,
      launchUntil: takeover.launchUntil ?? null,
      launchBudgetMicros: microsOf(takeover.launchBudget),
      untouched: takeover.untouched ?? [],
    }
    const ids = judged.map(one => one.id)
    const held = await holdingsOf(tx, profile, ids)
    requireSound(settings, profile, held, dayIn(now, profile.timezone))
    const groupId = await insertGroup(ctx, tx, profile, takeover, settings, judged[0]?.name ?? '')
    await sql`insert into optimizer_campaign (merchant_id, group_id, campaign_id)
      select ${profile.merchantId}::bigint, ${groupId}::bigint, unnest(${ids}::bigint[])`.execute(tx)
    await saveSnapshot(tx, profile, groupId, held)
    const { merchantId, profileId } = profile
    await recordAudit(tx, {
      merchantId,
      accountId: ctx.actor.accountId,
      requestId: ctx.requestId,
      action: 'optimizer.take_over',
      entity: 'optimizer_group',
      entityId: groupId,
      after: { ...settings, campaignIds: ids },
    })
    const jobId = await ctx.jobs.send(tx, runGroup, { merchantId, profileId, groupId }, { key: `${groupId}` })
    const answer = { jobId: jobId ?? `group-${groupId}`, groupId }
    await ctx.saveAnswer(tx, answer)
    return answer
  })
}

// Beyond it an amount is no whole number of micros any more.
const highest = 1_000_000_000
const isAmount = (value: number): boolean => Math.abs(value) <= highest
export function microsOf(value: number | null | undefined): Micros | null {
  if (value === null || value === undefined) return null
  if (!isAmount(value)) throw invalid('dailyBudget', 'Enter a smaller amount')
  return toMicros(value)
}

const invalid = (field: string, message: string) =>
  new AppError('VALIDATION_FAILED', 'Some fields need another look.', {
    details: [message],
    extra: { fields: { [field]: message } },
  })

/** Throws VALIDATION_FAILED where the marketplace, by what the campaigns are, or a launch does not allow the settings. */
export function requireSound(
  settings: GroupSettings,
  profile: Profile,
  { campaigns, ads }: Pick<Holdings, 'campaigns' | 'ads'>,
  today: string,
): void {
  const market = marketplaceById(profile.marketplaceId)
  if (!market) throw new Error(`an account in an unknown marketplace: ${profile.marketplaceId}`)
  const { highestBidMicros, strategy, launchUntil } = settings
  // Bids for views are left alone, whatever is bid for clicks at most.
  const [problem] = campaigns
    .map(one => adTermsOf(one, ads))
    .filter(({ costType }) => highestBidMicros !== null && costType === 'CPC')
    .flatMap(terms => {
      const limits = adLimits(market, { ...terms, advertiser: profile.accountType })
      return bidProblem(fromMicros(highestBidMicros ?? 0), limits, { budgetMicros: null }) ?? []
    })
  if (problem !== undefined) throw invalid('highestBid', problem)
  if (strategy === 'LAUNCH' && settings.launchBudgetMicros === null)
    throw invalid('launchBudget', 'Enter what the launch may cost in all')
  if (strategy === 'LAUNCH' && (launchUntil === null || launchUntil < today))
    throw invalid('launchUntil', 'Choose the last day of the launch')
}

async function insertGroup(
  ctx: Ctx,
  tx: Db,
  profile: Profile,
  { name, asks }: Takeover,
  settings: GroupSettings,
  firstName: string,
): Promise<number> {
  const now = ctx.clock.now()
  const { id } = await tx
    .insertInto('optimizer_group')
    .values({
      merchant_id: profile.merchantId,
      profile_id: profile.profileId,
      name: name ?? firstName.slice(0, 100),
      state: 'SHADOW',
      settings: JSON.stringify(settings),
      asks: [...new Set(asks ?? newGroupAsks)],
      asks_until: asks ? null : asksUntilOf(now, profile),
      account_id: ctx.actor.accountId,
      taken_over_at: now,
      shadow_until: new Date(now.getTime() + shadowMs),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
