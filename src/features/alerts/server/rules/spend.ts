import type { Evidence } from '#features/notifications/contract.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { type ReaderText, text } from '#shared/reader-text.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import { spentToday } from './budget.ts'
import type { AlertDraft, CampaignFacts, PastDay } from './facts.ts'
import { breakEvenCost } from './no-sales.ts'
import { shownShare, thresholds } from './thresholds.ts'
import { roughly } from './words.ts'

const rules = thresholds.spike
const HOUR_MS = 3_600_000

interface ClicksAt {
  at: number
  clicks: number
}

/** A day to be compared with those before it, up to the same hour. */
interface ComparedDay {
  date: string
  isToday: boolean
  costMicros: Micros
  /** Of the figures that were received, which may be less than what was spent. */
  receivedMicros: Micros
  clicks: ClicksAt[]
  orders: number
  before: { date: string; costMicros: Micros }[]
}

/**
 * Spend far beyond what the campaign usually costs by this hour of such a day, that brings less for its money than usual: a
 * click costs more, or fewer clicks buy. A busy day on which sales rise as well is none. In the morning the day before counts
 * too, because its last figures come only then.
 */
export function spendAlert(all: CampaignFacts): AlertDraft | null {
  const facts = { ...all, past: ordinaryDays(all.past) }
  const [today, yesterday] = comparedDays(all)
  const tested = [today, yesterday].flatMap(day => (day ? (testDay(facts, day) ?? []) : []))
  return tested.find(({ strength }) => strength >= 1) ?? tested[0] ?? null
}

function comparedDays(facts: CampaignFacts): (ComparedDay | null)[] {
  const { past, hours, now, today: date, timezone } = facts
  const start = startOfDayIn(date, timezone).getTime()
  const today: ComparedDay = {
    date,
    isToday: true,
    costMicros: spentToday(facts).micros,
    receivedMicros: hours.reduce((sum, { costMicros }) => sum + costMicros, 0),
    clicks: hours.map(({ hour, clicks }) => ({ at: start + hour * HOUR_MS, clicks })),
    orders: hours.reduce((sum, { orders }) => sum + orders, 0),
    before: ordinaryDays(past).map(day => ({ date: day.date, costMicros: day.costSoFarMicros })),
  }
  const last = past.at(-1)
  if (last?.date !== addDays(date, -1) || now.getTime() >= start + rules.hoursAfter * HOUR_MS) return [today]
  return [today, endedDay(last, past, start)]
}

const endedDay = (day: PastDay, past: readonly PastDay[], midnight: number): ComparedDay => ({
  date: day.date,
  isToday: false,
  costMicros: day.costMicros,
  receivedMicros: day.costMicros,
  clicks: [{ at: midnight - 12 * HOUR_MS, clicks: day.clicks }],
  orders: day.orders,
  before: ordinaryDays(past.slice(0, -1)).map(({ date, costMicros }) => ({ date, costMicros })),
})

/** Without days that cost far more than most, which would make the next one seem usual. */
function ordinaryDays(past: readonly PastDay[]): PastDay[] {
  const costs = past.map(({ costMicros }) => costMicros).toSorted((a, b) => a - b)
  const median = costs[Math.floor(costs.length / 2)] ?? 0
  return past.filter(({ costMicros }) => median === 0 || costMicros <= rules.ordinaryDay * median)
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const weekday = (date: string): number => new Date(date).getUTCDay()

/** What such a day usually costs until then: the dearer of all days and of the same days of the week. */
function usualOf({ date, before }: ComparedDay): { micros: Micros; deviation: number } {
  const costs = before.map(({ costMicros }) => costMicros)
  const same = before.filter(one => weekday(one.date) === weekday(date)).map(({ costMicros }) => costMicros)
  const middle = mean(costs)
  const deviation = Math.sqrt(mean(costs.map(cost => (cost - middle) ** 2)))
  return { micros: Math.round(Math.max(middle, same.length >= 2 ? mean(same) : 0)), deviation }
}

function testDay(facts: CampaignFacts, day: ComparedDay): AlertDraft | null {
  const past = facts.past.filter(one => one.date < day.date)
  if (past.length < rules.leastDays) return null
  const usual = usualOf(day)
  const usualDay = mean(past.map(({ costMicros }) => costMicros))
  const excessMicros = day.costMicros - usual.micros
  if (excessMicros < rules.excessShare * usualDay || excessMicros < rules.deviations * usual.deviation) return null
  if (excessMicros < rules.breakEvenCosts * (breakEvenCost(facts) ?? 0)) return null
  const value = returnOf(facts, day, past)
  if (!value) return null
  const ratio = day.costMicros / Math.max(1, usual.micros)
  const strength = Math.min(ratio / rules.ratio, rules.healthyReturn / value.share)
  const { campaignId, name, currency } = facts
  const seen = { micros: day.costMicros, currency }
  return {
    kind: 'SPEND_SPIKE',
    cause: `spend-${campaignId}`,
    occasion: day.date,
    title: `“${name}” spends far more than usual`,
    body: text`${seen} ${day.isToday ? 'so far today' : 'yesterday'}; usually it is ${{ micros: usual.micros, currency }}${day.isToday ? ' by this hour' : ''}. ${value.reason}`,
    url: `/campaigns?campaign=${campaignId}`,
    evidence: evidenceOf(day, usual.micros, value),
    measure: 100 * (ratio - 1),
    stakeMicros: excessMicros,
    actions: ['PAUSE_CAMPAIGN'],
    strength,
    says: `${day.date} ${roughly(ratio)} ${roughly(value.cpcMicros)} ${day.orders}`,
    endsAt: new Date(startOfDayIn(addDays(day.date, 1), facts.timezone).getTime() + rules.hoursAfter * HOUR_MS),
  }
}

interface Return {
  /** What spend brings, as a share of what it usually brings. */
  share: number
  reason: ReaderText
  cpcMicros: Micros
  usualCpcMicros: Micros
  clicks: number
  orders: number
}

/** Null before there are clicks enough to say anything. */
function returnOf({ now }: CampaignFacts, day: ComparedDay, past: readonly PastDay[]): Return | null {
  const clicks = day.clicks.reduce((sum, one) => sum + one.clicks, 0)
  const pastClicks = past.reduce((sum, one) => sum + one.clicks, 0)
  if (clicks < rules.leastClicks || pastClicks < rules.leastClicks) return null
  const cpcMicros = day.receivedMicros / clicks
  const usualCpcMicros = past.reduce((sum, one) => sum + one.costMicros, 0) / pastClicks
  const isDearer = cpcMicros > usualCpcMicros + rules.deviations * priceDeviation(past, usualCpcMicros, clicks)
  const dearer = isDearer ? cpcMicros / usualCpcMicros : 1
  const rate = past.reduce((sum, one) => sum + one.orders, 0) / pastClicks
  const lagging = day.clicks.reduce((sum, one) => sum + one.clicks * shownShare((now.getTime() - one.at) / HOUR_MS), 0)
  const expected = lagging * rate
  // As many as could have come by good luck: only what is clearly too few counts.
  const fewer =
    expected >= rules.leastExpected ? Math.min(1, (day.orders + rules.luck * Math.sqrt(day.orders + 1)) / expected) : 1
  return {
    share: fewer / dearer,
    reason: reasonOf(dearer, fewer),
    cpcMicros,
    usualCpcMicros,
    clicks,
    orders: day.orders,
  }
}

/** How far the mean price of so many clicks is from the usual one by chance: prices differ by click, and by day as well. */
function priceDeviation(past: readonly PastDay[], usualMicros: number, clicks: number): number {
  const days = past.filter(one => one.clicks > 0)
  const ofClick = Math.sqrt(mean(days.map(one => one.clicks * (one.costMicros / one.clicks - usualMicros) ** 2)))
  return ofClick / Math.sqrt(Math.min(clicks, mean(days.map(one => one.clicks))))
}

function reasonOf(dearer: number, fewer: number): ReaderText {
  if (dearer > 1 && fewer < 1) return 'A click costs more than usual, and fewer of them buy.'
  if (dearer > 1) return text`A click costs ${{ number: dearer, digits: 1 }} times the usual price.`
  return 'Sales have not risen with it, even if the last orders are still to come.'
}

function evidenceOf(day: ComparedDay, usualMicros: Micros, value: Return): Evidence[] {
  const money = (label: string, micros: Micros): Evidence => ({ label, format: 'money', value: fromMicros(micros) })
  return [
    money(day.isToday ? 'Spent so far' : 'Spent yesterday', day.costMicros),
    money(day.isToday ? 'Usual by this hour' : 'Usual on such a day', usualMicros),
    money('Cost per click', Math.round(value.cpcMicros)),
    money('Usual cost per click', Math.round(value.usualCpcMicros)),
    { label: 'Clicks so far', format: 'count', value: value.clicks },
    { label: 'Orders so far', format: 'count', value: value.orders },
  ]
}
