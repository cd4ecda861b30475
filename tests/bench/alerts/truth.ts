import type { NotificationKind } from '#features/notifications/contract.ts'
import { startOfDayIn, addDays } from '#shared/time.ts'
import { type PlayedWorld, type TrueHour, trueHours } from './played-world.ts'

/** What is true of an account for a time, noticed or not. */
export interface Truth {
  /** An alert of any of them says it. */
  kinds: readonly NotificationKind[]
  /** The marketplace's ids. */
  profileId: number
  /** Null: it is about the whole account. */
  campaignIds: readonly string[] | null
  from: number
  /** Until then an alert is right. */
  to: number
  /** Silence about a MUST misses something; about a MAY both are right. */
  certainty: 'MUST' | 'MAY'
  because: string
}

const HOUR_MS = 3_600_000

// What a seller would want to hear of, decided here once, whatever any program can see of it. Between the two bounds of a pair
// reasonable people differ, so both an alert and silence are right.

/** Out of budget: this part of what shoppers would have cost that day was missed. */
const missedShare = { may: 0.05, must: 0.2 }
/** Nearly so: this part of the budget would be used up without any limit. */
const nearlyUsed = 0.85
/** Out of the ordinary: by that time of the day the campaign cost so many times what it would have cost without what happened. */
const spike = { may: 1.3, must: 2 }
/** And so much more, as a share of what it costs in a whole usual day. */
const spikeShare = 0.4
/** A rise is healthy when sales rise with it, at least by this part of it: worth a word, and no matter to miss. */
const healthyShare = 0.75
/**
 * No sales: so many orders would have come from the same clicks as usual, and none came. A campaign that sells twice a day has 56
 * times between two orders in four weeks. Chance alone makes one of 150 times as long as five orders, which is 38 a month for a
 * hundred campaigns, and one of 22,000 as long as ten, which is one in four months.
 */
const lostOrders = { may: 2, must: 10 }
/**
 * What is lost matters from so many usual orders of the account on: a campaign that cost as much without an order may be named,
 * whatever the reason, and spend that rose by less is no matter beyond doubt, however small the campaign.
 */
const ordersPaidFor = 3
/** The marketplace reports an hour's clicks up to 12 hours later, and most orders within a day. */
const lateMs = { traffic: 12 * HOUR_MS, orders: 48 * HOUR_MS }

export interface Account {
  profileId: number
  timezone: string
  /** Days on which more shoppers came, who bought: whatever they cost is no alarm. */
  healthyDays: readonly string[]
  /** The budgets that campaigns had on one day alone. */
  budgets: readonly { day: string; campaignId: string; micros: number }[]
}

/** What an alert is about may have begun before the first day that is judged: a time without orders often has. */
const weeksBefore = 4

/** What the marketplace counted of an account, and what it would have counted, from weeks before its first day on. */
export interface CountedHours {
  /** What happened. */
  actual: readonly TrueHour[]
  /** The same with budgets without end. */
  boundless: readonly TrueHour[]
  /** If nothing had been done to it. */
  usual: readonly TrueHour[]
  /** The budget of a usual day by campaign. */
  budgets: Readonly<Record<string, number>>
}

/** What happened on these days of an account, as far as they were played, and in the weeks before. */
export function countHours(world: PlayedWorld, profileId: number, days: readonly string[]): CountedHours {
  const range = [addDays(days[0] ?? '', -weeksBefore * 7), days.at(-1) ?? ''] as const
  const campaigns = [...world.sandbox.world.store.campaigns.values()].filter(one => one.profileId === profileId)
  return {
    actual: trueHours(world.sandbox.world, profileId, range),
    boundless: trueHours(world.boundless, profileId, range),
    usual: trueHours(world.usual, profileId, range),
    budgets: Object.fromEntries(campaigns.map(({ campaignId, budgetMicros }) => [campaignId, budgetMicros])),
  }
}

/** What is true of the campaigns of an account on its days, by what was counted. */
export function truthsOfDays(counted: CountedHours, account: Account, days: readonly string[]): Truth[] {
  const { profileId } = account
  const [actual, boundless, usual] = [counted.actual, counted.boundless, counted.usual].map(byCampaign) as [
    Map<string, TrueHour[]>,
    Map<string, TrueHour[]>,
    Map<string, TrueHour[]>,
  ]
  const begins = midnight(days[0] ?? '', account)
  const usualOnDays = counted.usual.filter(({ at }) => at >= begins)
  const costPerOrder = costOf(usualOnDays) / Math.max(1, ordersOf(usualOnDays))
  const campaignIds = new Set([...actual.keys(), ...boundless.keys(), ...usual.keys()])
  return [...campaignIds].flatMap(campaignId => {
    const hours = {
      actual: actual.get(campaignId) ?? [],
      boundless: boundless.get(campaignId) ?? [],
      usual: usual.get(campaignId) ?? [],
    }
    const usualBudgetMicros = counted.budgets[campaignId] ?? 0
    return [
      ...days.flatMap(day => {
        const ofDay = {
          actual: hours.actual.filter(hour => hour.day === day),
          boundless: hours.boundless.filter(hour => hour.day === day),
          usual: hours.usual.filter(hour => hour.day === day),
        }
        const usualDayMicros = costOf(hours.usual.filter(({ at }) => at >= begins)) / days.length
        const isHealthy = account.healthyDays.includes(day)
        const budget = account.budgets.find(one => one.day === day && one.campaignId === campaignId)
        const budgetMicros = budget?.micros ?? usualBudgetMicros
        const window = { from: midnight(day, account), to: midnight(addDays(day, 1), account) }
        const scale = { budgetMicros, usualDayMicros, costPerOrder }
        const spikes = isHealthy ? [] : spikeTruth(ofDay, scale, window)
        const isRunaway = spikes.some(({ certainty }) => certainty === 'MUST')
        return [...budgetTruth(ofDay, scale, { ...window, isRunaway }), ...spikes]
      }),
      ...salesTruth(hours, costPerOrder, begins),
    ].map(truth => ({ ...truth, profileId, campaignIds: [campaignId] }))
  })
}

type Hours = Record<'actual' | 'boundless' | 'usual', readonly TrueHour[]>
type OfCampaign = Omit<Truth, 'profileId' | 'campaignIds'>
/** What money means to a campaign. */
interface Scale {
  budgetMicros: number
  usualDayMicros: number
  /** Of the account, on usual days. */
  costPerOrder: number
}
interface Window {
  from: number
  to: number
}

const byCampaign = (hours: readonly TrueHour[]) => Map.groupBy(hours, hour => hour.campaignId)
const costOf = (hours: readonly TrueHour[]): number => hours.reduce((sum, hour) => sum + hour.costMicros, 0)
const ordersOf = (hours: readonly TrueHour[]): number => hours.reduce((sum, hour) => sum + hour.orders, 0)
const midnight = (day: string, { timezone }: Account): number => startOfDayIn(day, timezone).getTime()
const percent = (share: number): string => `${Math.round(share * 100)} %`

/**
 * Whether the budget ended before the day did. A day may cost twice its budget, so only what was missed tells. Where a runaway used
 * it up, that one alert says both: a larger budget would be the wrong decision.
 */
function budgetTruth(
  { actual, boundless }: Hours,
  { budgetMicros, costPerOrder }: Scale,
  { from, to, isRunaway }: Window & { isRunaway: boolean },
) {
  const [spent, wanted] = [costOf(actual), costOf(boundless)]
  const missed = wanted > 0 ? (wanted - spent) / wanted : 0
  const kinds: Truth['kinds'] = ['OUT_OF_BUDGET', 'BUDGET_PACING', ...(isRunaway ? (['SPEND_SPIKE'] as const) : [])]
  const truth = (certainty: Truth['certainty'], because: string): OfCampaign[] => [
    { kinds, certainty, from, to: to + HOUR_MS, because },
  ]
  if (missed >= missedShare.must && wanted - spent >= costPerOrder)
    return truth('MUST', `${percent(missed)} of the day was missed`)
  if (missed >= missedShare.may) return truth('MAY', `${percent(missed)} of the day was missed`)
  return wanted >= nearlyUsed * budgetMicros ? truth('MAY', 'the budget was nearly used up') : []
}

/** Whether a day cost more than it would have, without sales that rose with it. */
function spikeTruth({ actual, usual }: Hours, { usualDayMicros, costPerOrder }: Scale, { from, to }: Window) {
  const firstAt = (times: number, least: number): number | null => {
    for (let until = from + HOUR_MS; until <= to; until += HOUR_MS) {
      const [cost, expected] = [actual, usual].map(hours => costOf(hours.filter(({ at }) => at < until))) as [
        number,
        number,
      ]
      if (cost >= times * expected && cost - expected >= least) return until
    }
    return null
  }
  const rise = costOf(actual) / Math.max(1, costOf(usual))
  const salesRise = ordersOf(actual) / Math.max(1, ordersOf(usual))
  const isHealthy = salesRise >= healthyShare * rise
  // Spend that rises while nobody buys is one thing, of which one alert is enough: that it sells nothing says it as well.
  const kinds: Truth['kinds'] = ordersOf(actual) === 0 ? ['SPEND_SPIKE', 'NO_SALES'] : ['SPEND_SPIKE']
  const truth = (since: number | null, certainty: Truth['certainty']): OfCampaign[] =>
    since === null
      ? []
      : [
          {
            kinds,
            certainty,
            from: since,
            to: to + lateMs.traffic,
            because: `${rise.toFixed(1)} times the usual spend`,
          },
        ]
  const must = isHealthy
    ? []
    : truth(firstAt(spike.must, Math.max(spikeShare * usualDayMicros, ordersPaidFor * costPerOrder)), 'MUST')
  // Before it is beyond doubt, and where it never is, an alert is allowed.
  return [...must, ...truth(firstAt(spike.may, (spikeShare / 4) * usualDayMicros), 'MAY')]
}

/**
 * Whether orders that would have come stayed away, since `begins`: of the clicks of a time without a single order. What was paid
 * for counts from the last order on, whenever that was.
 */
function salesTruth({ actual, usual }: Hours, costPerOrder: number, begins: number): OfCampaign[] {
  return stretchesWithoutOrders(actual).flatMap(stretch => {
    const [start, end] = [stretch[0]?.at ?? 0, (stretch.at(-1)?.at ?? 0) + HOUR_MS]
    const costBy = (until: number, from = start): number => costOf(stretch.filter(({ at }) => at >= from && at < until))
    /** As many as usual clicks would have brought, where no more was paid for than usual. */
    const lostBy = (until: number): number => {
      const from = Math.max(start, begins)
      const before = usual.filter(({ at }) => at >= from && at < until)
      return ordersOf(before) * Math.min(1, costBy(until, from) / Math.max(1, costOf(before)))
    }
    const firstHour = (isReached: (until: number) => boolean): number | undefined =>
      usual.map(({ at }) => at + HOUR_MS).find(until => until > start && until <= end && isReached(until))
    const truth = (from: number | undefined, certainty: Truth['certainty'], because: string): OfCampaign[] =>
      from === undefined ? [] : [{ kinds: ['NO_SALES'], certainty, from, to: end + lateMs.orders, because }]
    return [
      ...truth(
        firstHour(until => lostBy(until) >= lostOrders.must),
        'MUST',
        `${lostBy(end).toFixed(0)} orders stayed away`,
      ),
      ...truth(
        firstHour(until => lostBy(until) >= lostOrders.may),
        'MAY',
        'orders stayed away',
      ),
      ...truth(
        firstHour(until => costBy(until) >= ordersPaidFor * costPerOrder),
        'MAY',
        'it cost and sold nothing',
      ),
    ]
  })
}

function stretchesWithoutOrders(hours: readonly TrueHour[]): TrueHour[][] {
  const stretches: TrueHour[][] = [[]]
  for (const hour of hours) {
    if (hour.orders > 0) stretches.push([])
    else stretches.at(-1)?.push(hour)
  }
  return stretches.filter(stretch => stretch.length > 0)
}
