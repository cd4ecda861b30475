import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { addDays, dayIn, hourIn } from '#shared/time.ts'
import { accountsOf, type Profile, profilesOf } from '#features/accounts/server/public.ts'
import { profileFreshness } from '#features/metrics/server/public.ts'
import { coveredMerchants } from '#features/subscription/server/public.ts'
import type { Owner } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import type { Db } from '#server/db/tables.ts'
import { defineJob, defineScheduledJob, type JobDefinition } from '#server/jobs/define-job.ts'
import { decide, engineVersion, type Outcome, remember } from '../engine/decide.ts'
import type { Facts } from '../engine/facts.ts'
import type { Memory, Settings } from '../engine/settings.ts'
import { announceProposals, announceStop } from './announce.ts'
import { fitOn } from './calibrations.ts'
import { forecastBand } from '../proof/forecast-acos.ts'
import { addDecisions, type Decided, isChange, type NewDecision } from './decisions.ts'
import { findDearClicks } from './dear-clicks.ts'
import { readFacts } from './facts.ts'
import { asksOn, engineSettings, type Group, readGroup, saveMemory, workingGroups } from './groups.ts'
import { holdoutOn } from './holdout.ts'
import { refreshRules } from './marketplace-rules.ts'
import { type Pin, pinHandEdits, pinsOn, withPins } from './pins.ts'
import { sendDecisions } from './send-decisions.job.ts'
import { refreshSuggestedBids } from './suggested-bids.ts'

const groupRef = z.object({ merchantId: z.number(), profileId: z.number(), groupId: z.number() })
export type GroupRef = z.infer<typeof groupRef>

/** So long a proposal waits for an answer. */
const proposalMs = 7 * 86_400_000

/**
 * Decides for a group once a day, in its shadow and for real: the decisions, what the engine remembers and the note of the run
 * are one transaction, so that a killed run has decided nothing, and one that is repeated decides nothing more. What is to be
 * sent follows from the rows.
 */
export const runGroup: JobDefinition<GroupRef> = defineJob<GroupRef>({
  name: 'optimizer-run',
  data: groupRef,
  policy: 'stately',
  concurrency: 2,
  run: async (services, ref) => {
    const { db, clock } = services
    const { merchantId, profileId } = ref
    const profiles = await db.reading(merchantId, tx => profilesOf(tx, merchantId))
    const profile = profiles.find(one => one.profileId === profileId)
    // Nobody could see, nor stop, what is done for a merchant without access.
    const covered = await coveredMerchants(db.system, [merchantId], clock.now())
    if (!profile || !covered.has(merchantId)) return
    await refreshRules(services, profile, ref.groupId)
    await refreshSuggestedBids(services, profile, ref.groupId)
    await db.tenant(merchantId, tx => runIn(services, tx, profile, ref.groupId))
  },
})

async function runIn(services: Services, tx: Db, profile: Profile, groupId: number): Promise<void> {
  const now = services.clock.now()
  const group = await wake(tx, await readGroup(tx, profile, groupId, { lock: true }), now)
  if (group.state === 'STOPPED' || !group.campaignIds.length) return
  const isShadow = group.state === 'SHADOW'
  const today = dayIn(now, profile.timezone)
  const earlier = await runOf(tx, group, today, isShadow)
  const { asOf } = await profileFreshness(tx, profile)
  if (earlier && !(isWaiting(earlier) && asOf && (!earlier.reportedAt || asOf > earlier.reportedAt))) return
  await pinHandEdits(tx, group, profile, now)
  const pins = await pinsOn(tx, group, group.id, today)
  const settings = engineSettings(group, profile)
  const all = await readFacts(tx, profile, group, now, { spendSince: settings.launch?.from ?? null })
  const fitted = await fitOn(tx, profile, group, today, from => readFacts(tx, profile, group, now, { from }))
  const read = withFixedBudgets(fitted.fit ? { ...all, fit: fitted.fit } : all, pins)
  const facts = isShadow ? read : { ...read, holdout: await holdoutOn(tx, group, read, today) }
  const before = withPins(group.memory, pins)
  const outcome = decide(facts, settings, before, { now, today })
  const isHeld = outcome.decisions.some(one => one.kind === 'breaker')
  const found = isHeld ? outcome.decisions : [...outcome.decisions, ...findDearClicks(facts, settings, today)]
  const spared = await withoutSpared(tx, group, found, pins, now)
  const decisions = fitted.row ? [fitted.row, ...spared] : spared
  const asks = asksOn(group, today)
  const made = decisions.filter(one => !(earlier && one.kind === 'breaker'))
  const rows = made.map(one => toRow(one, { facts, asks, isShadow, today, now }))
  const settingsHash = hashOf(settings)
  const ids = await addDecisions(tx, group, { day: today, at: now, engineVersion, settingsHash }, rows)
  const sent = new Set(made.filter((_, i) => rows[i]?.state === 'QUEUED'))
  const memory = isShadow ? shadowMemory(group.memory, outcome.memory) : remember(before, outcome, one => sent.has(one))
  await saveMemory(tx, group, memory)
  await saveRun(tx, group, { today, isShadow, now, facts, outcome, rows, settingsHash, memory })
  const { merchantId, profileId } = profile
  await services.events.publish(tx, await accountsOf(tx, merchantId), 'optimizer', { groupId })
  if (isShadow) return
  if (rows.some(({ state }) => state === 'QUEUED'))
    await services.jobs.send(tx, sendDecisions, { merchantId, profileId, groupId }, { key: `${groupId}` })
  const added = rows.map((row, i) => ({ ...row, id: ids[i] ?? 0 }))
  await announceProposals(services, tx, profile, group, added, now)
  await announceStop(services, tx, profile, group, added, now)
}

/** Ends a shadow whose time is over. */
async function wake(tx: Db, group: Group, now: Date): Promise<Group> {
  if (group.state !== 'SHADOW' || group.shadowUntil > now) return group
  await sql`update optimizer_group set state = 'RUNNING', started_at = ${now} where merchant_id = ${group.merchantId}
    and id = ${group.id}`.execute(tx)
  return { ...group, state: 'RUNNING', startedAt: now }
}

interface Run {
  outcome: string
  cause: string | null
  reportedAt: Date | null
}
async function runOf(tx: Db, { merchantId, id }: Group, day: string, isShadow: boolean): Promise<Run | null> {
  const { rows } = await sql<Run>`select outcome, cause, reported_at as "reportedAt" from optimizer_run
    where merchant_id = ${merchantId} and group_id = ${id} and day = ${day} and is_shadow = ${isShadow}`.execute(tx)
  return rows[0] ?? null
}
/** A day that was held only because its reports were late is decided once they are there. */
const isWaiting = ({ outcome, cause }: Run): boolean => outcome === 'HELD' && cause === 'REPORTS_OLD'

/** A campaign that is left alone keeps its budget and its place in the total. */
function withFixedBudgets(facts: Facts, pins: readonly Pin[]): Facts {
  const fixed = new Set(pins.filter(one => one.entity === 'campaign').map(one => String(one.entityId)))
  return {
    ...facts,
    campaigns: facts.campaigns.map(one =>
      fixed.has(one.id)
        ? {
            ...one,
            limits: {
              ...one.limits,
              minDailyBudgetMicros: one.budgetMicros,
              maxDailyBudgetMicros: one.budgetMicros,
            },
          }
        : one,
    ),
  }
}

const rejectedDays = 60

/** Without what is left alone, waits for an answer already, or was rejected; a harvest goes or stays whole. */
async function withoutSpared(
  tx: Db,
  { merchantId, id: groupId }: Group,
  decisions: readonly Decided[],
  pins: readonly Pin[],
  now: Date,
): Promise<Decided[]> {
  const since = new Date(now.getTime() - rejectedDays * 86_400_000)
  const { rows } = await sql<{ subject: string }>`select distinct kind || ' ' || entity_id ||
      case when kind = 'negative' then ' ' || (after #>> '{}') when kind = 'harvest' then ' ' || (before #>> '{}') else '' end as subject
    from optimizer_decision where merchant_id = ${merchantId} and group_id = ${groupId} and entity_id is not null
      and (state = 'PROPOSED' or at > ${since} and (kind = 'strategy' and state <> 'SHADOW'
        or kind in ('negative', 'harvest') and state in ('REJECTED', 'FAILED', 'UNDONE')))`.execute(tx)
  const taken = new Set(rows.map(row => row.subject))
  const homes = new Map(decisions.filter(one => one.kind === 'harvest').map(one => [one.groupId, one.entityId]))
  const isSpared = (one: Decided): boolean => {
    if (one.entity === 'group') return false
    const term = one.kind === 'negative' ? one.after : one.kind === 'harvest' ? one.before : ''
    const isPinned = pins.some(
      pin =>
        pin.entity === one.entity &&
        String(pin.entityId) === one.entityId &&
        (pin.term === term || (pin.term === '' && one.entity !== 'adGroup')),
    )
    return isPinned || taken.has([one.kind, one.entityId, ...(term ? [term] : [])].join(' '))
  }
  const spared = new Set(decisions.filter(isSpared).map(one => one.groupId))
  return decisions.filter(one => {
    if (one.kind === 'harvest' || (one.kind === 'negative' && homes.has(one.groupId)))
      // Where the new keyword runs in the source itself, a negative there would keep it from being shown.
      return !spared.has(one.groupId) && !(one.kind === 'negative' && homes.get(one.groupId) === one.entityId)
    return !isSpared(one)
  })
}

interface Deciding {
  facts: Facts
  asks: readonly string[]
  isShadow: boolean
  today: string
  now: Date
}

function toRow(decision: Decided, { facts, asks, isShadow, today, now }: Deciding): NewDecision {
  const { kind, entity, entityId, before, after, cause, evidence, forecast, groupId } = decision
  // Both parts of a harvest are asked about as one.
  const subject = groupId.startsWith('harvest') ? 'harvest' : kind
  const doesChange = isChange(decision)
  const isAsked = doesChange && kind !== 'breaker' && (decision.asks || asks.includes(subject))
  const state = isShadow ? 'SHADOW' : !doesChange ? 'CONFIRMED' : isAsked ? 'PROPOSED' : 'QUEUED'
  return {
    // Bids that are asked about at once are one question.
    decisionGroup: `${isAsked && kind === 'bid' ? 'bids' : groupId} @${today}${isShadow ? ' shadow' : ''}`,
    kind,
    cause,
    entity,
    entityId: entity === 'group' ? null : Number(entityId),
    campaignId: campaignOf(decision, facts),
    before,
    after,
    evidence,
    forecast,
    asks: isAsked,
    state,
    expiresAt: state === 'PROPOSED' ? new Date(now.getTime() + proposalMs) : null,
  }
}

function campaignOf({ entity, entityId }: Decided, { targets, families }: Facts): number | null {
  if (entity === 'group') return null
  if (entity === 'campaign') return Number(entityId)
  if (entity === 'target') return Number(targets.find(one => one.id === entityId)?.campaignId ?? NaN) || null
  const home = families
    .flatMap(({ keywordHome, productHome }) => [keywordHome, productHome])
    .find(one => one?.adGroupId === entityId)
  const found = home ?? targets.find(one => one.adGroupId === entityId)
  return found ? Number(found.campaignId) : null
}

/** In the shadow nothing is done, so nothing is remembered but what to compare the next forecast with. */
const shadowMemory = (before: Memory, { forecastAcos }: Memory): Memory => ({
  ...before,
  ...(forecastAcos !== undefined && { forecastAcos }),
})

const hashOf = (settings: Settings): string =>
  createHash('sha256').update(JSON.stringify(settings)).digest('base64url').slice(0, 16)

interface Ran extends Pick<Deciding, 'facts' | 'isShadow' | 'today' | 'now'> {
  outcome: Outcome
  rows: readonly NewDecision[]
  settingsHash: string
  memory: Memory
}

async function saveRun(tx: Db, { merchantId, id }: Group, ran: Ran): Promise<void> {
  const { facts, outcome, rows, now } = ran
  const held = outcome.decisions.find(one => one.kind === 'breaker')
  const changes = rows.filter(isChange).length
  const forecastAcos = ran.memory.forecastAcos ?? null
  const band = forecastAcos === null ? null : forecastBand(facts.campaigns, forecastAcos, ran.today)
  const values = {
    at: now,
    outcome: held && !changes ? ('HELD' as const) : changes ? ('DECIDED' as const) : ('NOTHING' as const),
    cause: held?.cause ?? null,
    decisions: changes,
    reported_at: facts.reportedAt === null ? null : new Date(facts.reportedAt),
    forecast_acos: forecastAcos,
    forecast_low: band?.low ?? null,
    forecast_high: band?.high ?? null,
    engine_version: engineVersion,
    settings_hash: ran.settingsHash,
  }
  await tx
    .insertInto('optimizer_run')
    .values({ merchant_id: merchantId, group_id: id, day: ran.today, is_shadow: ran.isShadow, ...values })
    .onConflict(conflict => conflict.columns(['merchant_id', 'group_id', 'day', 'is_shadow']).doUpdateSet(values))
    .execute()
}

/** From this hour of the profile's day on it decides, once the reports of the day before are there; without them later. */
export const runHours = { first: 6, last: 14 }

/** Every quarter of an hour: the groups whose day it is to decide. */
export const runGroups = defineScheduledJob({
  name: 'optimizer-run-due',
  policy: 'stately',
  cron: '*/15 * * * *',
  atStart: true,
  run: async services => queueDueRuns(services, await workingGroups(services.db.system)),
})

/** Queues the groups of an account whose day it is to decide, as soon as their reports are there. */
export async function runAccountGroups(services: Services, account: Owner): Promise<void> {
  await queueDueRuns(services, await workingGroups(services.db.system, account))
}

type Working = Awaited<ReturnType<typeof workingGroups>>

async function queueDueRuns({ db, jobs, clock }: Services, groups: Working): Promise<void> {
  const now = clock.now()
  const open = groups.filter(one => hourIn(now, one.timezone) >= runHours.first)
  if (!open.length) return
  const { rows } = await sql<{ groupId: number; to: string | null; isDone: boolean }>`
    select g.id as "groupId", s.daily_to as to, r.day is not null as "isDone"
    from unnest(${open.map(one => one.merchantId)}::bigint[], ${open.map(one => one.groupId)}::bigint[],
      ${open.map(one => dayIn(now, one.timezone))}::date[]) as u(merchant_id, group_id, day)
    join optimizer_group g on g.merchant_id = u.merchant_id and g.id = u.group_id
    left join metrics_state s on s.merchant_id = g.merchant_id and s.profile_id = g.profile_id
    left join optimizer_run r on r.merchant_id = g.merchant_id and r.group_id = g.id and r.day = u.day
      and r.is_shadow = (g.state = 'SHADOW' and g.shadow_until > ${now})
      and not (r.outcome = 'HELD' and r.cause = 'REPORTS_OLD' and s.daily_as_of is distinct from r.reported_at)`.execute(
    db.system,
  )
  const state = new Map(rows.map(row => [row.groupId, row]))
  for (const { merchantId, profileId, groupId, timezone } of open) {
    const own = state.get(groupId)
    const yesterday = addDays(dayIn(now, timezone), -1)
    const isReported = own?.to !== null && own?.to !== undefined && own.to >= yesterday
    if (!own || own.isDone || !(isReported || hourIn(now, timezone) >= runHours.last)) continue
    await db.transaction(tx => jobs.send(tx, runGroup, { merchantId, profileId, groupId }, { key: `${groupId}` }))
  }
}
