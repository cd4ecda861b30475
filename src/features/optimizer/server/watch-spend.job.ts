import { addDays, dayIn } from '#shared/time.ts'
import { profilesOf } from '#features/accounts/server/public.ts'
import { daysOfCampaigns, spentOn } from '#features/metrics/server/public.ts'
import type { Services } from '#server/context.ts'
import { defineScheduledJob } from '#server/jobs/define-job.ts'
import { frozenUntilOf, takeRaisesBack } from '../engine/breakers.ts'
import { engineVersion } from '../engine/decide.ts'
import type { Decision, Evidence } from '../engine/decisions.ts'
import { announceStop } from './announce.ts'
import { addDecisions, type NewDecision } from './decisions.ts'
import { readFacts } from './facts.ts'
import { readGroup, saveMemory, workingGroups } from './groups.ts'
import { pinsOn, withPins } from './pins.ts'
import type { GroupRef } from './run-group.job.ts'
import { sendDecisions } from './send-decisions.job.ts'

/** The same weekday of this many weeks says what a day usually costs. */
const weeks = 2
/** A day that has cost this much more already is no day as usual, whatever its evening brings. */
const mostAboveMean = 1.5

/**
 * Every hour: where today has cost half as much again as the same weekday usually does in all, the raises of the last days are
 * reverted at once, and nothing is raised for some days.
 */
export const watchSpend = defineScheduledJob({
  name: 'optimizer-watch-spend',
  policy: 'stately',
  cron: '7 * * * *',
  retryLimit: 0,
  run: async (services, _data, { signal }) => {
    for (const ref of await workingGroups(services.db.system)) {
      signal.throwIfAborted()
      await watchGroup(services, ref)
    }
  },
})

export async function watchGroup(services: Services, { merchantId, profileId, groupId }: GroupRef): Promise<void> {
  const { db, clock, jobs } = services
  const now = clock.now()
  const profiles = await db.reading(merchantId, tx => profilesOf(tx, merchantId))
  const profile = profiles.find(one => one.profileId === profileId)
  if (!profile) return
  const today = dayIn(now, profile.timezone)
  await db.tenant(merchantId, async tx => {
    const group = await readGroup(tx, profile, groupId, { lock: true })
    // Where raises are paused already there is nothing more to revert.
    if (group.state !== 'RUNNING' || (group.memory.frozenUntil ?? '') > today) return
    const spent = await spentOn(tx, profile, group.campaignIds, today)
    const costMicros = [...spent.values()].reduce((sum, one) => sum + one, 0)
    const range = { from: addDays(today, -7 * weeks), to: addDays(today, -1) }
    const usual = [...(await daysOfCampaigns(tx, profile, group.campaignIds, range)).values()].flat()
    const sameWeekday = usual.filter(({ day }) => [1, 2].some(week => day === addDays(today, -7 * week)))
    const meanMicros = sameWeekday.reduce((sum, one) => sum + one.costMicros, 0) / weeks
    if (meanMicros <= 0 || costMicros <= mostAboveMean * meanMicros) return
    const facts = await readFacts(tx, profile, group, now)
    const memory = withPins(group.memory, await pinsOn(tx, group, groupId, today))
    const evidence: Evidence = { costMicros, basis: { halt: { meanMicros } } }
    const backs = takeRaisesBack(facts, memory, { cause: 'SPEND_BROKE_OUT', stops: 'raises', evidence }, today)
    const campaigns = new Map(facts.targets.map(one => [one.id, Number(one.campaignId)]))
    const rows = backs.length
      ? backs.map(one => toRow(one, campaigns.get(one.entityId) ?? null))
      : [toRow(stopRow(evidence, today), null)]
    const run = { day: today, at: now, engineVersion, settingsHash: '' }
    const ids = await addDecisions(tx, group, run, rows)
    await saveMemory(tx, group, { ...group.memory, frozenUntil: frozenUntilOf(today) })
    if (backs.length) await jobs.send(tx, sendDecisions, { merchantId, profileId, groupId }, { key: `${groupId}` })
    const added = rows.map((row, i) => ({ ...row, id: ids[i] ?? 0 }))
    await announceStop(services, tx, profile, group, added, now)
  })
}

const stopRow = (evidence: Evidence, today: string): Decision => ({
  kind: 'breaker',
  groupId: `breaker ${today}`,
  entity: 'group',
  entityId: '',
  before: null,
  after: null,
  cause: 'SPEND_BROKE_OUT',
  asks: false,
  evidence,
  forecast: null,
})

const toRow = (one: Decision, campaignId: number | null): NewDecision => ({
  decisionGroup: `${one.groupId} by the hour`,
  kind: one.kind,
  cause: one.cause,
  entity: one.entity,
  entityId: one.entity === 'group' ? null : Number(one.entityId),
  campaignId,
  before: one.before,
  after: one.after,
  evidence: one.evidence,
  forecast: one.forecast,
  asks: false,
  state: one.after === null ? 'CONFIRMED' : 'QUEUED',
  expiresAt: null,
})
