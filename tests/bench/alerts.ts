import { kinds } from '#features/notifications/contract.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type DayKind, planDay, type PlannedAct, subjectOf } from './alerts/days.ts'
import { figuresOf, judge, type Raised, type Verdict } from './alerts/judge.ts'
import { type PlayedWorld, startPlayedWorld } from './alerts/played-world.ts'
import { type Truth, truthsOfDays } from './alerts/truth.ts'
import { startWatchingProduct } from './alerts/watching-product.ts'
import { type Figure, quantile } from './figure.ts'
import { atEnd } from './stops.ts'

const HOUR_MS = 3_600_000

interface Play {
  seed: number
  startsAt: string
  /** What each account's days are like, one after the other, by the marketplace's id of the account. */
  days: Record<number, readonly DayKind[]>
  /** The day on which the stream is late and sends everything twice and in disorder. */
  glitch: number
}

const [us, ca, de, jp, uk, us2, alone] = [
  1100000000000011, 1100000000000012, 2100000000000011, 3100000000000011, 2300000000000011, 1200000000000011,
  4100000000000011,
]

// biome-ignore format: an account a line
const plays: readonly Play[] = [
  // Europe turns its clocks back in the second night.
  { seed: 1, startsAt: '2026-10-23T21:00:00Z', glitch: 3, days: {
    [us]:    ['quiet', 'runaway', 'holiday', 'quiet'],
    [ca]:    ['quiet', 'sold-out', 'quiet', 'account-budget'],
    [de]:    ['runaway', 'short-budget', 'quiet', 'holiday'],
    [jp]:    ['short-budget', 'console', 'quiet', 'runaway'],
    [uk]:    ['holiday', 'quiet', 'taken-down', 'quiet'],
    [us2]:   ['unsold', 'quiet', 'no-payment', 'quiet'],
    [alone]: ['quiet', 'short-budget', 'quiet', 'disconnected'],
  } },
  // America turns its clocks on in the second night.
  { seed: 2, startsAt: '2027-03-12T21:00:00Z', glitch: 2, days: {
    [us]:    ['quiet', 'short-budget', 'unsold', 'quiet'],
    [ca]:    ['holiday', 'quiet', 'runaway', 'quiet'],
    [de]:    ['sold-out', 'quiet', 'holiday', 'short-budget'],
    [jp]:    ['account-budget', 'quiet', 'quiet', 'short-budget'],
    [uk]:    ['no-payment', 'quiet', 'quiet', 'console'],
    [us2]:   ['quiet', 'runaway', 'quiet', 'holiday'],
    [alone]: ['console', 'quiet', 'taken-down', 'disconnected'],
  } },
  { seed: 3, startsAt: '2026-06-05T21:00:00Z', glitch: 3, days: {
    [us]:    ['runaway', 'quiet', 'account-budget', 'quiet'],
    [ca]:    ['quiet', 'quiet', 'unsold', 'quiet'],
    [de]:    ['console', 'quiet', 'taken-down', 'quiet'],
    [jp]:    ['quiet', 'holiday', 'quiet', 'no-payment'],
    [uk]:    ['quiet', 'runaway', 'quiet', 'sold-out'],
    [us2]:   ['short-budget', 'quiet', 'holiday', 'quiet'],
    [alone]: ['holiday', 'quiet', 'disconnected', 'quiet'],
  } },
]

/**
 * `ALERT_SEED` and `ALERT_DAYS` play one world alone, or only its first days; `ALERT_STEP` moves the clock faster.
 * Plays days on which it is known what goes wrong, through the whole product, and compares what it raised with what was
 * true. Prints every alert that was wrong and every truth that was missed.
 */
export async function measureAlerts(): Promise<Figure[]> {
  const chosen = process.env['ALERT_SEED']
  const verdicts: Verdict[] = []
  const played: string[] = []
  const most = Number(process.env['ALERT_DAYS'] ?? 99)
  for (const { days, ...one } of plays) {
    if (chosen && String(one.seed) !== chosen) continue
    const shortened = Object.fromEntries(Object.entries(days).map(([id, all]) => [id, all.slice(0, most)]))
    verdicts.push(await play({ ...one, days: shortened }))
    played.push(`seed ${one.seed}: ${Object.keys(days).length} accounts, ${daysOf(shortened)} days`)
  }
  const [first, ...rest] = figuresOf(verdicts)
  return [...(first ? [{ ...first, note: played.join('; ') }] : []), ...rest, ...delaysOf(verdicts)]
}

const daysOf = (days: Play['days']): number => Math.max(...Object.values(days).map(({ length }) => length))

async function play({ seed, startsAt, days, glitch }: Play): Promise<Verdict> {
  const world = await startPlayedWorld({ seed, startsAt: new Date(startsAt) })
  atEnd(() => world.close())
  // As if the accounts had been watched for four weeks, with reports that are made at once.
  for (const [call, body] of [
    ['stream', { daysBefore: 29 }],
    ['reports', { pendingMs: 0, processingMs: 0 }],
    ['usage-plans', { rate: 50 }],
  ] as const)
    await world.sandbox.control('POST', call, body)
  const began = performance.now()
  const { acts, truths, healthyDaysOf, end } = planOf(world, days, glitch)
  const product = await startWatchingProduct(world.sandbox)
  const changed = truths.filter(({ kinds }) => kinds.includes('EXTERNAL_CHANGE'))
  for (const [profileId, own] of Map.groupBy(changed, one => one.profileId))
    await product.manage(profileId, new Set(own.flatMap(one => one.campaignIds ?? [])))
  console.log(`imported in ${seconds(began)}`)
  // Raised again, an alert takes the place of the one before.
  const seen = new Map<string, Raised>()
  for (const { at, due } of hoursUntil(world, end, acts)) {
    world.moveTo(new Date(at))
    // The product must notice the time first: what is of the new day would count for the old one.
    if (due.length > 0) await product.settled()
    for (const { act } of due) await world.act(act)
    await product.settled()
    for (const one of await product.raised()) seen.set(`${one.kind} ${one.campaignId} ${one.title} ${one.at}`, one)
    if (new Date(at).getUTCHours() === 12) console.log(`${new Date(at).toISOString()} after ${seconds(began)}`)
  }
  console.log(`played ${daysOf(days)} days in ${seconds(began)}`)
  const found = Object.entries(days).flatMap(([id, { length: count }]) => {
    const account = { ...accountOf(world, Number(id)), healthyDays: healthyDaysOf(Number(id)) }
    return truthsOfDays(world, account, daysFrom(startsAt, { ...account, count }))
  })
  const isJudged = ({ at, kind }: Raised): boolean =>
    at >= Date.parse(startsAt) && (kinds[kind].isDecision || kind === 'SEEDING_FINISHED')
  const verdict = judge([...truths, ...found, ...importsOf(days, startsAt)], [...seen.values()].filter(isJudged))
  print(seed, verdict)
  return verdict
}

const seconds = (began: number): string => `${((performance.now() - began) / 1000).toFixed(0)} s`
function accountOf({ usual }: PlayedWorld, profileId: number) {
  return { profileId, timezone: usual.store.profiles.get(profileId)?.timezone ?? 'UTC' }
}

/** The whole local days that follow the start. */
function daysFrom(startsAt: string, { timezone, count }: { timezone: string; count: number }): string[] {
  const first = addDays(dayIn(new Date(startsAt), timezone), 1)
  return Array.from({ length: count }, (_, n) => addDays(first, n))
}

/** Each account is imported before the first hour is played. */
const importsOf = (days: Play['days'], startsAt: string): Truth[] =>
  Object.keys(days).map(id => ({
    kinds: ['SEEDING_FINISHED'],
    profileId: Number(id),
    campaignIds: null,
    from: Date.parse(startsAt),
    to: Date.parse(startsAt) + HOUR_MS,
    certainty: 'MUST',
    because: 'it was imported',
  }))

function planOf(world: PlayedWorld, days: Play['days'], glitch: number) {
  const startsAt = world.usual.clock.now().toISOString()
  const plans = Object.entries(days).flatMap(([id, kindsOfDays]) => {
    const account = accountOf(world, Number(id))
    const dates = daysFrom(startsAt, { ...account, count: kindsOfDays.length })
    return kindsOfDays.map((kind, n) => {
      const day = dates[n] ?? ''
      return { ...account, day, ...planDay(kind, subjectOf(world.sandbox.world, account.profileId, day)) }
    })
  })
  const late = Date.parse(`${addDays(startsAt.slice(0, 10), glitch + 1)}T06:00:00Z`)
  const glitches: PlannedAct[] = [
    { at: late, act: { do: 'hold', held: true } },
    { at: late + 5 * HOUR_MS, act: { do: 'hold', held: false } },
    { at: late + 5 * HOUR_MS, act: { do: 'fault', kind: 'duplicate-delivery', times: 300 } },
    { at: late + 6 * HOUR_MS, act: { do: 'fault', kind: 'out-of-order', times: 300 } },
  ]
  const last = daysOf(days)
  return {
    acts: [...plans.flatMap(plan => plan.acts), ...glitches],
    truths: plans.flatMap(plan => plan.truths),
    healthyDaysOf: (profileId: number) =>
      new Set(plans.filter(plan => plan.isHealthy && plan.profileId === profileId).map(plan => plan.day)),
    end: Date.parse(startsAt) + (last + 1.75) * 24 * HOUR_MS,
  }
}

/** The clock moves by so many hours at a time, and never past an hour at which something is brought about. */
const stepHours = Number(process.env['ALERT_STEP'] ?? 1)

/** The hours until then, each a little after it began, with what happens at it. */
function* hoursUntil(
  world: PlayedWorld,
  end: number,
  acts: readonly PlannedAct[],
): Generator<{ at: number; due: PlannedAct[] }> {
  const first = Math.ceil(world.usual.clock.now().getTime() / HOUR_MS) * HOUR_MS
  for (let n = 0; first + n * HOUR_MS < end; n++) {
    const hour = first + n * HOUR_MS
    const due = acts.filter(({ at }) => at >= hour && at < hour + HOUR_MS)
    if (due.length > 0 || n % stepHours === 0) yield { at: hour + 20_000, due }
  }
}

function print(seed: number, { right, allowed, wrong, found, missed }: Verdict): void {
  console.log(
    `seed ${seed}: ${right.length} right, ${allowed.length} allowed, ${wrong.length} wrong, ${found.length} found, ${missed.length} missed`,
  )
  const moment = (at: number): string => new Date(at).toISOString().slice(0, 16)
  for (const { kind, at, profileIds, campaignId, title } of wrong)
    console.log(`  wrong: ${kind} ${moment(at)} ${profileIds?.join()} ${campaignId ?? ''} ${title}`)
  for (const { kinds, from, to, profileId, campaignIds, because } of missed)
    console.log(
      `  missed: ${kinds[0]} ${moment(from)}–${moment(to)} ${profileId} ${campaignIds?.join() ?? ''} ${because}`,
    )
}

function delaysOf(verdicts: readonly Verdict[]): Figure[] {
  const delays = Map.groupBy(
    verdicts.flatMap(one => one.delays),
    ({ kind }) => kind,
  )
  return [...delays].map(([kind, own]) => {
    const hours = own.map(one => one.hours)
    return { name: `${kind}: after it was beyond doubt`, unit: 'h', value: quantile(hours, 0.5), count: hours.length }
  })
}
