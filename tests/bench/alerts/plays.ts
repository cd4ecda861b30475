import { fraction, mix } from '#sandbox/market/random.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { type DayKind, daysAfter, planDay, type PlannedAct, subjectOf } from './days.ts'
import type { PlayedWorld } from './played-world.ts'
import type { Account } from './truth.ts'

const HOUR_MS = 3_600_000

export interface Play {
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
export const plays: readonly Play[] = [
  // Europe turns its clocks back in the second night.
  { seed: 1, startsAt: '2026-10-23T21:00:00Z', glitch: 3, days: {
    [us]:    ['quiet', 'runaway', 'holiday', 'quiet'],
    [ca]:    ['quiet', 'sold-out', 'quiet', 'account-budget'],
    [de]:    ['runaway', 'short-budget', 'quiet', 'holiday'],
    [jp]:    ['short-budget', 'console', 'quiet', 'runaway'],
    [uk]:    ['holiday', 'no-payment', 'taken-down', 'quiet'],
    [us2]:   ['unsold', 'quiet', 'quiet', 'quiet'],
    [alone]: ['quiet', 'short-budget', 'quiet', 'disconnected'],
  } },
  // America turns its clocks on in the second night.
  { seed: 2, startsAt: '2027-03-12T21:00:00Z', glitch: 2, days: {
    [us]:    ['unsold', 'quiet', 'quiet', 'quiet'],
    [ca]:    ['holiday', 'quiet', 'runaway', 'quiet'],
    [de]:    ['sold-out', 'quiet', 'holiday', 'short-budget'],
    [jp]:    ['account-budget', 'short-budget', 'quiet', 'short-budget'],
    [uk]:    ['no-payment', 'quiet', 'quiet', 'console'],
    [us2]:   ['quiet', 'runaway', 'quiet', 'holiday'],
    [alone]: ['console', 'quiet', 'taken-down', 'disconnected'],
  } },
  { seed: 3, startsAt: '2026-06-05T21:00:00Z', glitch: 3, days: {
    [us]:    ['runaway', 'quiet', 'account-budget', 'quiet'],
    [ca]:    ['unsold', 'quiet', 'quiet', 'quiet'],
    [de]:    ['console', 'quiet', 'taken-down', 'quiet'],
    [jp]:    ['quiet', 'holiday', 'quiet', 'no-payment'],
    [uk]:    ['quiet', 'runaway', 'quiet', 'sold-out'],
    [us2]:   ['short-budget', 'quiet', 'holiday', 'quiet'],
    [alone]: ['holiday', 'quiet', 'disconnected', 'quiet'],
  } },
]

export const daysOf = (days: Play['days']): number => Math.max(...Object.values(days).map(({ length }) => length))

function accountOf({ usual }: PlayedWorld, profileId: number) {
  return { profileId, timezone: usual.store.profiles.get(profileId)?.timezone ?? 'UTC' }
}

/** The whole local days that follow the start. */
function daysFrom(startsAt: string, { timezone, count }: { timezone: string; count: number }): string[] {
  const first = addDays(dayIn(new Date(startsAt), timezone), 1)
  return Array.from({ length: count }, (_, n) => addDays(first, n))
}

/** What happens in a world that has not begun to be played, and what follows from it by itself. */
export function planOf(world: PlayedWorld, { days, glitch }: Pick<Play, 'days' | 'glitch'>) {
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
    plans,
    end: Date.parse(startsAt) + (last + 1.75) * 24 * HOUR_MS,
  }
}

/** The hours until then, each a little after it began, with what happens at it. */
export function* hoursUntil(
  world: PlayedWorld,
  end: number,
  acts: readonly PlannedAct[],
  stepHours = 1,
): Generator<{ at: number; due: PlannedAct[] }> {
  const first = Math.ceil(world.usual.clock.now().getTime() / HOUR_MS) * HOUR_MS
  for (let n = 0; first + n * HOUR_MS < end; n++) {
    const hour = first + n * HOUR_MS
    const due = acts.filter(({ at }) => at >= hour && at < hour + HOUR_MS)
    if (due.length > 0 || n % stepHours === 0) yield { at: hour + 20_000, due }
  }
}

/** An account of a play with its days. */
export interface PlayedAccount extends Account {
  days: string[]
}

/** The accounts of a play, with what its plan says of their days. */
export const accountsOf = (
  world: PlayedWorld,
  { days, startsAt }: Pick<Play, 'days' | 'startsAt'>,
  plans: ReturnType<typeof planOf>['plans'],
): PlayedAccount[] =>
  Object.entries(days).map(([id, { length: count }]) => {
    const account = accountOf(world, Number(id))
    const own = plans.filter(plan => plan.profileId === Number(id))
    return {
      ...account,
      days: daysFrom(startsAt, { ...account, count }),
      healthyDays: own.filter(plan => plan.isHealthy).map(plan => plan.day),
      budgets: own.flatMap(({ day, budget }) => (budget ? [{ day, ...budget }] : [])),
    }
  })

/** Kinds of days of which the rules of campaigns decide, the quiet ones more often. */
const drawn: readonly DayKind[] = [
  'quiet',
  'quiet',
  'quiet',
  'quiet',
  'runaway',
  'runaway',
  'holiday',
  'short-budget',
  'unsold',
  'sold-out',
]
const drawnDays = 9

/** Days of the same accounts drawn at random: the same for the same seed. */
export function drawnPlay(seed: number): Play {
  const draw = (n: number, below: number): number => Math.floor(fraction(mix(seed * 7919, n)) * below)
  const kindsOf = (account: number): DayKind[] => {
    const days: DayKind[] = []
    while (days.length < drawnDays) {
      const kind = drawn[draw(account * 100 + days.length, drawn.length)] ?? 'quiet'
      const after = daysAfter[kind] ?? 0
      if (days.length + after < drawnDays) days.push(kind, ...Array.from({ length: after }, () => 'quiet' as const))
      else days.push('quiet')
    }
    return days
  }
  return {
    seed,
    startsAt: new Date(Date.UTC(2026, 0, 9 + draw(1, 360), 21)).toISOString(),
    days: Object.fromEntries([us, ca, de, jp, uk, us2, alone].map((id, account) => [id, kindsOf(account + 1)])),
    glitch: 1 + draw(2, drawnDays - 1),
  }
}
