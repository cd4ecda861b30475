import type { NotificationKind } from '#features/notifications/contract.ts'
import type { Store } from '#sandbox/core/model/store.ts'
import type { World } from '#sandbox/core/world.ts'
import { marketplaceByAmazonId } from '#shared/marketplaces.ts'
import { addDays, dayIn, hourIn, startOfDayIn } from '#shared/time.ts'
import { type Act, type TrueHour, trueHours } from './played-world.ts'
import type { Truth } from './truth.ts'

const HOUR_MS = 3_600_000

/** What a day of an account is like. Each is played at its own local hours. */
export const dayKinds = [
  'quiet',
  'runaway',
  'sold-out',
  'taken-down',
  'holiday',
  'short-budget',
  'no-payment',
  'account-budget',
  'console',
  'unsold',
  'disconnected',
] as const
export type DayKind = (typeof dayKinds)[number]

/** A product that nobody buys any more stays so for days: a campaign sells one to three times a day. */
const unsoldHours = 144
/** The kinds that reach into days that follow, with their number. */
export const daysAfter: Partial<Record<DayKind, number>> = {
  unsold: unsoldHours / 24 - 1,
  'sold-out': 1,
  'taken-down': 1,
}

export interface PlannedAct {
  at: number
  act: Act
}
export interface Plan {
  acts: PlannedAct[]
  /** What follows from the acts by themselves; what follows from figures is worked out afterwards. */
  truths: Truth[]
  /** More shoppers came, who bought. */
  isHealthy?: true
  /** The budget that a campaign has on this day alone. */
  budget?: { campaignId: string; micros: number }
}

/** An account on one of its days, with what may be done to it. */
interface Subject {
  profileId: number
  timezone: string
  day: string
  /** The campaigns of the account that cost most, by what they cost in a usual day. */
  largest: readonly { campaignId: string; dayMicros: number }[]
  store: Store
  login: string
}

/** Plans one day of an account in a world that has not begun to be played. */
export function planDay(kind: DayKind, subject: Subject): Plan {
  return plans[kind](subject)
}

export function subjectOf(world: World, profileId: number, day: string): Subject {
  const { store } = world
  const profile = store.profiles.get(profileId)
  if (!profile) throw new Error(`there is no profile ${profileId}`)
  const before = dayIn(new Date(world.clock.now().getTime() - 24 * HOUR_MS), profile.timezone)
  const hours: TrueHour[] = trueHours(world, profileId, [addDays(before, -13), before])
  const largest = [...Map.groupBy(hours, hour => hour.campaignId)]
    .map(([campaignId, own]) => ({
      campaignId,
      dayMicros: own.reduce((sum, { costMicros }) => sum + costMicros, 0) / 14,
    }))
    .toSorted((a, b) => b.dayMicros - a.dayMicros)
  const login = store.logins.find(({ sellerIds }) => sellerIds.includes(profile.sellerId))?.email ?? ''
  return { profileId, timezone: profile.timezone, day, largest, store, login }
}

/** The moment at which a local hour of a day begins, on days of 23 and 25 hours as well. */
function momentOf({ day, timezone }: Pick<Subject, 'day' | 'timezone'>, hour: number): number {
  const [start, end] = [day, addDays(day, 1)].map(one => startOfDayIn(one, timezone).getTime()) as [number, number]
  for (let at = start; at < end; at += HOUR_MS) if (hourIn(new Date(at), timezone) >= hour) return at
  return end
}
const atHour = (subject: Subject, hour: number, days = 0): number =>
  momentOf({ ...subject, day: addDays(subject.day, days) }, hour)

function truth(
  { profileId }: Subject,
  kinds: readonly NotificationKind[],
  [from, to]: readonly [number, number],
  {
    certainty = 'MUST',
    campaignIds = null,
    because,
  }: { certainty?: Truth['certainty']; campaignIds?: Truth['campaignIds']; because: string },
): Truth {
  return { kinds, profileId, campaignIds, from, to, certainty, because }
}

const largestOf = ({ largest }: Subject, n = 0) => largest[n] ?? { campaignId: '', dayMicros: 0 }

/** What advertises the first product of a campaign, and the campaigns that do. */
function productOf({ store, profileId }: Subject, campaignId: string) {
  const ad = [...store.productAds.values()].find(one => one.campaignId === campaignId)
  const profile = store.profiles.get(profileId)
  const key = `${profile?.sellerId}|${profile?.marketplaceId}|${ad?.sku}`
  const campaignIds = [...store.productAds.values()]
    .filter(one => one.profileId === profileId && one.sku === ad?.sku)
    .map(one => one.campaignId)
  return { key, campaignIds, categoryId: store.products.get(key)?.categoryId ?? null }
}

/** Every bid of a campaign times a factor, as a person types it in the console. */
function bidsTimes({ store }: Subject, campaignId: string, factor: number): Act[] {
  const change = (entity: string, id: string, micros: number): Act => ({
    do: 'console',
    change: { entity, id, action: 'bid', value: Math.round((micros / 1e6) * factor * 100) / 100 },
  })
  const of = <T extends { campaignId: string }>(entities: Map<string, T>): T[] =>
    [...entities.values()].filter(one => one.campaignId === campaignId)
  return [
    ...of(store.adGroups).map(one => change('adGroup', one.adGroupId, one.defaultBidMicros)),
    ...of(store.keywords).flatMap(one =>
      one.bidMicros === null ? [] : [change('keyword', one.keywordId, one.bidMicros)],
    ),
    ...of(store.targets).flatMap(one =>
      one.bidMicros === null ? [] : [change('target', one.targetId, one.bidMicros)],
    ),
  ]
}

/** A person changed something in the console of a campaign that was changed by the product before. */
const consoleTruth = (subject: Subject, campaignId: string, [from, to]: readonly [number, number]): Truth =>
  truth(subject, ['EXTERNAL_CHANGE'], [from, to + 24 * HOUR_MS], {
    campaignIds: [campaignId],
    because: 'changed in the console',
  })

function outage(subject: Subject, action: 'stock' | 'ineligible'): Plan {
  const { key, campaignIds } = productOf(subject, largestOf(subject).campaignId)
  const [from, to] = [atHour(subject, 10), atHour(subject, 18, 1)]
  const change = (name: string, value?: number): Act => ({
    do: 'console',
    change: { entity: 'product', id: key, action: name, ...(value !== undefined && { value }) },
  })
  const stop = action === 'stock' ? change('stock', 0) : change('ineligible')
  const start = action === 'stock' ? change('stock', 100_000) : change('eligible')
  return {
    acts: [
      { at: from, act: stop },
      { at: to, act: start },
    ],
    truths: [
      truth(subject, ['PRODUCT_INELIGIBLE'], [from, to + HOUR_MS], { campaignIds, because: `${key}: ${action}` }),
    ],
  }
}

const plans: Record<DayKind, (subject: Subject) => Plan> = {
  quiet: () => ({ acts: [], truths: [] }),

  runaway(subject) {
    const { campaignId } = largestOf(subject)
    const [from, to] = [atHour(subject, 9), atHour(subject, 0, 1)]
    return {
      acts: [
        ...bidsTimes(subject, campaignId, 10).map(act => ({ at: from, act })),
        ...bidsTimes(subject, campaignId, 1).map(act => ({ at: to, act })),
      ],
      truths: [consoleTruth(subject, campaignId, [from, to])],
    }
  },

  'sold-out': subject => outage(subject, 'stock'),
  'taken-down': subject => outage(subject, 'ineligible'),

  holiday: subject => ({
    acts: [
      {
        at: atHour(subject, 0),
        act: {
          do: 'event',
          event: { profileId: subject.profileId, categoryId: null, demand: 2.5, conversion: 1.3 },
          hours: Math.round((atHour(subject, 0, 1) - atHour(subject, 0)) / HOUR_MS),
        },
      },
    ],
    truths: [],
    isHealthy: true,
  }),

  'short-budget'(subject) {
    const { campaignId, dayMicros } = largestOf(subject)
    const least = marketplaceByAmazonId(subject.store.profiles.get(subject.profileId)?.marketplaceId ?? '')
    const [from, to] = [atHour(subject, 0), atHour(subject, 0, 1)]
    const budget = (micros: number): Act => ({
      do: 'console',
      change: { entity: 'campaign', id: campaignId, action: 'budget', value: Math.ceil(micros / 1e6) },
    })
    const usual = subject.store.campaigns.get(campaignId)?.budgetMicros ?? 0
    const short = Math.max(dayMicros * 0.15, least?.minDailyBudgetMicros ?? 0)
    // Days before left money over, so today may cost twice its budget.
    return {
      acts: [
        { at: from, act: budget(short) },
        { at: to, act: budget(usual) },
      ],
      budget: { campaignId, micros: Math.ceil(short / 1e6) * 1e6 },
      truths: [consoleTruth(subject, campaignId, [from, to])],
    }
  },

  'no-payment'(subject) {
    const [from, to] = [atHour(subject, 8), atHour(subject, 20)]
    const change = (action: string): Act => ({
      do: 'console',
      change: { entity: 'profile', id: String(subject.profileId), action },
    })
    return {
      acts: [
        { at: from, act: change('fail-payment') },
        { at: to, act: change('repair-payment') },
      ],
      truths: [truth(subject, ['PAYMENT_PROBLEM'], [from, to + HOUR_MS], { because: 'the card was refused' })],
    }
  },

  'account-budget'(subject) {
    const [from, to] = [atHour(subject, 0), atHour(subject, 0, 1)]
    const change = (micros: number | null): Act => ({
      do: 'console',
      change: {
        entity: 'profile',
        id: String(subject.profileId),
        action: 'budget',
        ...(micros !== null && { value: Math.ceil(micros / 1e6) }),
      },
    })
    const usual = subject.largest.reduce((sum, { dayMicros }) => sum + dayMicros, 0)
    return {
      acts: [
        { at: from, act: change(usual * 0.3) },
        { at: to, act: change(null) },
      ],
      truths: [truth(subject, ['PAYMENT_PROBLEM'], [from, to + HOUR_MS], { because: 'the account has no money left' })],
    }
  },

  console(subject) {
    const { campaignId } = largestOf(subject, 2)
    const [from, to] = [atHour(subject, 11), atHour(subject, 11, 1)]
    const change = (action: string): Act => ({ do: 'console', change: { entity: 'campaign', id: campaignId, action } })
    return {
      acts: [
        { at: from, act: change('pause') },
        { at: to, act: change('enable') },
      ],
      truths: [consoleTruth(subject, campaignId, [from, to])],
    }
  },

  unsold(subject) {
    const { categoryId } = productOf(subject, largestOf(subject).campaignId)
    const event = { profileId: subject.profileId, categoryId, demand: 1.5, conversion: 0 }
    return { acts: [{ at: atHour(subject, 0), act: { do: 'event', event, hours: unsoldHours } }], truths: [] }
  },

  disconnected(subject) {
    const at = atHour(subject, 9)
    return {
      acts: [{ at, act: { do: 'console', change: { entity: 'login', id: subject.login, action: 'revoke' } } }],
      truths: [
        truth(subject, ['CONNECTION_LOST'], [at, atHour(subject, 0, 3)], { because: 'the permission was withdrawn' }),
      ],
    }
  },
}
