import type { Evidence } from '#features/notifications/contract.ts'
import { fromMicros, type Micros } from '#shared/money.ts'
import { type ReaderText, text } from '#shared/reader-text.ts'
import { shareBefore } from '#features/metrics/server/public.ts'
import { addDays, startOfDayIn } from '#shared/time.ts'
import type { AlertDraft, CampaignFacts } from './facts.ts'
import { thresholds } from './thresholds.ts'
import { roughly } from './words.ts'

const rules = thresholds.budget
const MINUTE_MS = 60_000
/** How far the sales that are missed may be from what is said of them. */
const SPREAD = 0.3

interface BudgetState {
  budgetMicros: Micros
  spentMicros: Micros
  /** Up to when the spend is known. */
  at: Date
  fullSince: Date | null
  /** What the day would cost with a budget without end. */
  wantedMicros: Micros
}

/** What was spent today; the use of the budget is reported sooner than figures, which come late by hours. */
export function spentToday({ usage, hours, now }: CampaignFacts): { micros: Micros; at: Date } {
  const received = hours.reduce((sum, { costMicros }) => sum + costMicros, 0)
  return usage && usage.spentMicros >= received
    ? { micros: usage.spentMicros, at: usage.at }
    : { micros: received, at: now }
}

function stateOf(facts: CampaignFacts): BudgetState | null {
  const { budgetMicros, usage, today: date, timezone, curve } = facts
  if (!budgetMicros || !usage) return null
  const { micros: spentMicros, at } = spentToday(facts)
  if (spentMicros < budgetMicros * rules.nearShare) return null
  const fullSince = spentMicros >= budgetMicros ? (usage.fullSince ?? at) : null
  const share = shareBefore({ date, timezone, asOf: at, curve }, fullSince ?? at)
  // Of what is spent at night, before the first usual hour, nothing follows for the day.
  const usedMicros = fullSince ? Math.min(spentMicros, budgetMicros) : spentMicros
  const wantedMicros = share > 0.02 ? Math.round(usedMicros / share) : budgetMicros * 3
  return { budgetMicros, spentMicros, at, fullSince, wantedMicros: Math.min(wantedMicros, budgetMicros * 4) }
}

/**
 * A budget that is used up, or will be, before the day is: by the campaign's own hours where a week of them is known, else by
 * the clock, which has to say more. Both are one cause, so that a budget is pushed for once more only when it has run out.
 */
export function budgetAlert(facts: CampaignFacts): AlertDraft | null {
  const state = stateOf(facts)
  if (!state) return null
  const { budgetMicros, wantedMicros, fullSince } = state
  const missed = Math.max(0, 1 - budgetMicros / wantedMicros)
  const dayEnd = startOfDayIn(addDays(facts.today, 1), facts.timezone)
  const minutesLeft = (dayEnd.getTime() - facts.now.getTime()) / MINUTE_MS
  const threshold = facts.curve ? rules.missedShare : rules.missedShareByClock
  const strength = missed / threshold
  const { campaignId, name, today } = facts
  const missedSales = salesOf(facts, wantedMicros - budgetMicros)
  const kind = fullSince ? 'OUT_OF_BUDGET' : 'BUDGET_PACING'
  const usedPart = { share: state.spentMicros / budgetMicros }
  return {
    kind,
    cause: `budget-${campaignId}`,
    occasion: `${today}-${fullSince ? 'out' : 'pace'}`,
    title: fullSince ? `“${name}” is out of budget` : text`“${name}” has used ${usedPart} of its budget`,
    body: text`${whatHappened(facts, state)}${salesSentence(facts, missedSales)}`,
    url: `/campaigns?campaign=${campaignId}`,
    evidence: evidenceOf(facts, state),
    measure: (100 * state.spentMicros) / budgetMicros,
    stakeMicros: missedSales,
    actions: ['RAISE_BUDGET_TODAY', 'PAUSE_CAMPAIGN'],
    strength: minutesLeft < rules.leastMinutesLeft ? Math.min(strength, 0.99) : strength,
    says: `${kind} ${budgetMicros} ${Math.floor((state.spentMicros / budgetMicros) * 20)} ${roughly(missedSales ?? 0)}`,
    endsAt: dayEnd,
  }
}

function whatHappened({ currency, timezone, curve, today }: CampaignFacts, state: BudgetState): ReaderText {
  const { budgetMicros, spentMicros, at, fullSince } = state
  const budget = { micros: budgetMicros, currency }
  const moment = fullSince ?? at
  const time = { time: moment.toISOString(), timeZone: timezone }
  const share = shareBefore({ date: today, timezone, asOf: at, curve }, moment)
  const later = { share: 1 - share }
  const rest = curve
    ? text`On its usual days ${later} of the ad spend comes later.`
    : text`${later} of the day was left.`
  if (fullSince) return text`All of today’s ${budget} was used by ${time}. ${rest}`
  return text`${{ micros: spentMicros, currency }} of today’s ${budget} was spent by ${time}. ${rest}`
}

const salesSentence = ({ currency }: CampaignFacts, missed: Micros | null): ReaderText =>
  missed === null
    ? ''
    : text` About ${{ micros: missed * (1 - SPREAD), currency }} to ${{ micros: missed * (1 + SPREAD), currency }} of sales may be missed today.`

/** What spend of this size usually brings, by settled days; null where that is not known. */
function salesOf({ past, movingFrom }: CampaignFacts, costMicros: Micros): Micros | null {
  const settled = past.filter(({ date }) => date < movingFrom)
  const cost = settled.reduce((sum, day) => sum + day.costMicros, 0)
  const sales = settled.reduce((sum, day) => sum + day.salesMicros, 0)
  return cost > 0 && sales > 0 ? Math.round((Math.max(0, costMicros) * sales) / cost) : null
}

function evidenceOf({ today, timezone, curve }: CampaignFacts, state: BudgetState): Evidence[] {
  const { budgetMicros, spentMicros, at, fullSince } = state
  const share = shareBefore({ date: today, timezone, asOf: at, curve }, at)
  return [
    { label: 'Budget today', format: 'money', value: fromMicros(budgetMicros) },
    { label: 'Spent', format: 'money', value: fromMicros(spentMicros) },
    { label: 'As of', format: 'time', value: at.toISOString() },
    {
      label: curve ? 'Usual by then' : 'By the clock',
      format: 'percent',
      value: Math.round(share * 100),
    },
    ...(fullSince ? [{ label: 'Used up since', format: 'time' as const, value: fullSince.toISOString() }] : []),
  ]
}
