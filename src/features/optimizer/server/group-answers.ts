import { sql } from 'kysely'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { fromMicros } from '#shared/money.ts'
import { addDays, dayIn, hourIn, startOfDayIn } from '#shared/time.ts'
import { currentProfile, type Profile, readAccount } from '#features/accounts/server/public.ts'
import { recordAudit } from '#server/audit/record-audit.ts'
import { AppError } from '#shared/errors.ts'
import type { Ctx } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import type { optimizerEndpoints, OptimizerGroup, SettingsChange } from '../contract.ts'
import { holdingsOf } from './entities.ts'
import { type Group, type GroupSettings, readGroup, readGroups } from './groups.ts'
import { runGroup, runHours } from './run-group.job.ts'
import { acosOf, addUp, microsOf, requireSound, sumsOf } from './takeover.ts'

// Groups as answers carry them, and what people set of them.

export function listGroups(ctx: Ctx): Promise<EndpointOutput<typeof optimizerEndpoints.groups>> {
  return readAccount(ctx, async (tx, profile) => ({
    content: await presentGroups(tx, profile, await readGroups(tx, profile), ctx.clock.now()),
  }))
}

/** Throws NOT_FOUND. */
export function getGroup(ctx: Ctx, id: number): Promise<OptimizerGroup> {
  return readAccount(ctx, (tx, profile) => answerOf(tx, profile, id, ctx.clock.now()))
}

export async function answerOf(tx: Db, profile: Profile, id: number, now: Date): Promise<OptimizerGroup> {
  const [answer] = await presentGroups(tx, profile, [await readGroup(tx, profile, id)], now)
  return answer as OptimizerGroup
}

interface About {
  groupId: number
  campaigns: OptimizerGroup['campaigns']
  run: {
    day: string
    at: string
    outcome: 'DECIDED' | 'NOTHING' | 'HELD'
    cause: string | null
    decisions: number
    reportedAt: string | null
  } | null
  forecastAcos: number | null
  /** Of the last time that it held back. */
  haltCause: string | null
  changes: number
  proposals: number
  pins: OptimizerGroup['pins']
}

async function presentGroups(tx: Db, profile: Profile, groups: readonly Group[], now: Date): Promise<OptimizerGroup[]> {
  if (!groups.length) return []
  const { merchantId, currency, timezone } = profile
  const today = dayIn(now, timezone)
  const ids = groups.map(one => one.id)
  const { rows } = await sql<About>`select g.id as "groupId",
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'adType', c.ad_type, 'state', c.state,
          'budget', c.daily_budget_micros / 1e6::float8) order by c.name, c.id)
        from optimizer_campaign o join campaign c on c.merchant_id = o.merchant_id and c.id = o.campaign_id
        where o.merchant_id = ${merchantId} and o.group_id = g.id and (o.left_at is null or o.left_at = g.stopped_at)), '[]') as campaigns,
      (select jsonb_build_object('day', r.day, 'at', r.at, 'outcome', r.outcome, 'cause', r.cause, 'decisions', r.decisions,
          'reportedAt', r.reported_at) from optimizer_run r where r.merchant_id = ${merchantId} and r.group_id = g.id
        order by r.at desc limit 1) as run,
      (select r.forecast_acos from optimizer_run r where r.merchant_id = ${merchantId} and r.group_id = g.id
        order by r.at desc limit 1) as "forecastAcos",
      (select d.cause from optimizer_decision d where d.merchant_id = ${merchantId} and d.group_id = g.id
        and d.kind = 'breaker' order by d.id desc limit 1) as "haltCause",
      (select count(*)::int from optimizer_decision d where d.merchant_id = ${merchantId} and d.group_id = g.id
        and d.sent_at > ${new Date(now.getTime() - 7 * 86_400_000)}) as changes,
      (select count(*)::int from optimizer_decision d where d.merchant_id = ${merchantId} and d.group_id = g.id
        and d.state = 'PROPOSED') as proposals,
      coalesce((select jsonb_agg(jsonb_build_object('id', p.id, 'entity', p.entity, 'entityId', p.entity_id, 'until', p.until_day,
          'since', p.since, 'name', coalesce(nullif(p.term, ''), t.text, c.name, a.name, '')) order by p.until_day desc, p.id)
        from (select distinct on (entity, entity_id, term) * from optimizer_pin p where p.merchant_id = ${merchantId}
            and p.group_id = g.id and p.ended_at is null and p.until_day > ${today}
          order by entity, entity_id, term, until_day desc, id desc) p
        left join target t on p.entity = 'target' and t.merchant_id = ${merchantId} and t.id = p.entity_id
        left join campaign c on p.entity = 'campaign' and c.merchant_id = ${merchantId} and c.id = p.entity_id
        left join ad_group a on p.entity = 'adGroup' and a.merchant_id = ${merchantId} and a.id = p.entity_id), '[]') as pins
    from optimizer_group g where g.merchant_id = ${merchantId} and g.id = any(${ids}::bigint[])`.execute(tx)
  const about = new Map(rows.map(row => [row.groupId, row]))
  const sums = await sumsOf(tx, profile, [...new Set(groups.flatMap(one => one.campaignIds))], today)
  return groups.map((group): OptimizerGroup => {
    const { settings } = group
    const own = about.get(group.id) as About
    const figures = addUp(group.campaignIds.flatMap(id => sums.get(id) ?? []))
    const frozen = group.memory.frozenUntil
    const isHeld = own.run?.outcome === 'HELD'
    const isFrozen = frozen !== undefined && frozen > today
    return {
      id: group.id,
      name: group.name,
      targetAcos: roundedPercent(settings.targetAcos),
      strategy: settings.strategy,
      highestBid: settings.highestBidMicros === null ? null : fromMicros(settings.highestBidMicros),
      dailyBudget: fromMicros(settings.budgetMicros),
      launchUntil: settings.launchUntil,
      launchBudget: settings.launchBudgetMicros === null ? null : fromMicros(settings.launchBudgetMicros),
      untouched: settings.untouched,
      asks: group.asksUntil === null || today < group.asksUntil ? group.asks : [],
      state: group.state,
      currency,
      timezone,
      campaigns: own.campaigns,
      takenOverAt: group.takenOverAt.toISOString(),
      shadowUntil: group.shadowUntil.toISOString(),
      startedAt: group.startedAt?.toISOString() ?? null,
      stoppedAt: group.stoppedAt?.toISOString() ?? null,
      asksUntil: group.asksUntil !== null && group.asksUntil > today ? group.asksUntil : null,
      taught: group.taught,
      halt:
        group.state !== 'STOPPED' && own.haltCause && (isHeld || isFrozen)
          ? { cause: own.haltCause, until: isFrozen ? frozen : null }
          : null,
      lastRun: own.run && {
        ...own.run,
        at: new Date(own.run.at).toISOString(),
        reportedAt: own.run.reportedAt && new Date(own.run.reportedAt).toISOString(),
      },
      nextRunAt: group.state === 'STOPPED' ? null : nextRun(own.run?.day ?? null, now, timezone).toISOString(),
      forecastAcos: own.forecastAcos === null ? null : own.forecastAcos * 100,
      cost: fromMicros(figures.costMicros),
      sales: fromMicros(figures.salesMicros),
      acos: acosOf(figures),
      changes: own.changes,
      proposals: own.proposals,
      pins: own.pins.map(pin => ({ ...pin, since: new Date(pin.since).toISOString() })),
    }
  })
}

/** As it was typed: 0.3 × 100 is not 30. */
const roundedPercent = (share: number): number => Math.round(share * 1e6) / 1e4

/** The morning of the next day that nothing was decided on yet. */
function nextRun(lastDay: string | null, now: Date, timezone: string): Date {
  const today = dayIn(now, timezone)
  const at = (day: string) => new Date(startOfDayIn(day, timezone).getTime() + runHours.first * 3_600_000)
  if (lastDay === today) return at(addDays(today, 1))
  return hourIn(now, timezone) >= runHours.first ? now : at(today)
}

const isStopped = () => new AppError('RULE_VIOLATED', 'This group is stopped. Take its campaigns over again.')

/** A launch that is set when there is none begins then; the day of its end still belongs to the one before. */
function launchBegin(
  { settings, memory: { launchEndedOn } }: Group,
  { strategy, launchUntil, launchBudget }: SettingsChange,
  today: string,
): Pick<GroupSettings, 'launchFrom'> {
  const isOver = settings.strategy !== 'LAUNCH' || launchEndedOn !== undefined
  const isSet = strategy === 'LAUNCH' || launchUntil != null || launchBudget != null
  return isOver && isSet ? { launchFrom: launchEndedOn === today ? addDays(today, 1) : today } : {}
}

/** Changes the settings of a group. Throws NOT_FOUND, RULE_VIOLATED where it is stopped, VALIDATION_FAILED. */
export async function updateGroup(ctx: Ctx, id: number, change: SettingsChange): Promise<OptimizerGroup> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const group = await readGroup(tx, profile, id, { lock: true })
    if (group.state === 'STOPPED') throw isStopped()
    const { targetAcos, strategy, highestBid, dailyBudget, launchUntil, launchBudget, untouched, name, asks } = change
    const settings = {
      ...group.settings,
      ...(targetAcos !== undefined && { targetAcos: targetAcos / 100 }),
      ...(strategy && { strategy }),
      ...(highestBid !== undefined && { highestBidMicros: microsOf(highestBid) }),
      ...(dailyBudget !== undefined && { budgetMicros: microsOf(dailyBudget) ?? group.settings.budgetMicros }),
      ...(launchUntil !== undefined && { launchUntil }),
      ...launchBegin(group, change, dayIn(now, profile.timezone)),
      ...(launchBudget !== undefined && { launchBudgetMicros: microsOf(launchBudget) }),
      ...(untouched && { untouched }),
    }
    const held = await holdingsOf(tx, profile, group.campaignIds)
    requireSound(settings, profile, held, dayIn(now, profile.timezone))
    await tx
      .updateTable('optimizer_group')
      .set({
        settings: JSON.stringify(settings),
        ...(name && { name }),
        // Who says what to be asked about says it of what was taught by undoing, too.
        ...(asks && {
          asks: [...new Set(asks)],
          asks_until: null,
          taught: group.taught.filter(kind => asks.includes(kind)),
        }),
      })
      .where('merchant_id', '=', profile.merchantId)
      .where('id', '=', id)
      .execute()
    await auditGroup(ctx, tx, group, 'optimizer.update', change)
    return answerOf(tx, profile, id, now)
  })
}

/** Ends the shadow of a group, and decides for real at once. Throws NOT_FOUND, RULE_VIOLATED where it has none. */
export async function startGroup(ctx: Ctx, id: number): Promise<OptimizerGroup> {
  const profile = await currentProfile(ctx)
  const now = ctx.clock.now()
  return ctx.db.tenant(profile.merchantId, async tx => {
    const group = await readGroup(tx, profile, id, { lock: true })
    if (group.state === 'STOPPED') throw isStopped()
    if (group.state === 'SHADOW') {
      await sql`update optimizer_group set state = 'RUNNING', started_at = ${now}, shadow_until = ${now}
        where merchant_id = ${profile.merchantId} and id = ${id}`.execute(tx)
      await auditGroup(ctx, tx, group, 'optimizer.start')
      const { merchantId, profileId } = profile
      await ctx.jobs.send(tx, runGroup, { merchantId, profileId, groupId: id }, { key: `${id}` })
    }
    return answerOf(tx, profile, id, now)
  })
}

export const auditGroup = (ctx: Ctx, tx: Db, group: Group, action: string, after?: unknown): Promise<void> =>
  recordAudit(tx, {
    merchantId: group.merchantId,
    accountId: ctx.actor.accountId,
    requestId: ctx.requestId,
    action,
    entity: 'optimizer_group',
    entityId: group.id,
    ...(after !== undefined && { after }),
  })
