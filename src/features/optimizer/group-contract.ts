import * as v from 'valibot'
import { money, newMoney } from '#shared/money.ts'
import { day, id, moment } from '#shared/query-schemas.ts'
import { strategies } from './engine/settings.ts'

// A group of campaigns that were taken over together: how it is made, what can be set, and what is answered of it.

/** The most campaigns that one group has. */
export const MAX_CAMPAIGNS = 50
/** What a group decides on, and may ask about first. */
export const changeKinds = ['bid', 'budget', 'negative', 'harvest', 'placement'] as const
export type ChangeKind = (typeof changeKinds)[number]
/** SHADOW: it says what it would do and sends nothing. */
export const groupStates = ['SHADOW', 'RUNNING', 'STOPPED'] as const
export type GroupState = (typeof groupStates)[number]

export const strategy = v.picklist(strategies, 'Must be PROFIT, REACH or LAUNCH')
const kindsToAsk = v.pipe(
  v.array(v.picklist(changeKinds, 'Must be a kind of change')),
  v.maxLength(changeKinds.length, 'Name each kind once'),
)
/** Percent, as everywhere in the API: 30 is 30 %. */
const targetAcos = v.pipe(
  v.number('Enter a target ACOS'),
  v.minValue(1, 'At least 1 %'),
  v.maxValue(500, 'At most 500 %'),
)
const name = v.pipe(
  v.string('Enter a name'),
  v.trim(),
  v.nonEmpty('Enter a name'),
  v.maxLength(100, 'At most 100 characters'),
)
const amount = (message: string) => v.pipe(newMoney(message), v.minValue(0.01, message))
const untouched = v.pipe(
  v.array(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200, 'At most 200 characters'))),
  v.maxLength(500, 'At most 500 keywords and products'),
)

const settingEntries = {
  name,
  /** The ceiling of the group’s mean; single keywords may stand above it. */
  targetAcos,
  strategy,
  /** The most that is ever bid; null: what the marketplace takes. */
  highestBid: v.nullable(amount('Enter a highest bid')),
  /** The most that the campaigns may spend on a day together. */
  dailyBudget: amount('Enter a daily budget'),
  /** Of a launch: its last day, and what it may cost in all. */
  launchUntil: v.nullable(day),
  launchBudget: v.nullable(amount('Enter a budget for the launch')),
  /** Keywords and ASINs that are never changed, harvested or negated. */
  untouched,
  /** What is proposed instead of done. */
  asks: kindsToAsk,
}

export const settingsChange = v.partial(v.strictObject(settingEntries))
export type SettingsChange = v.InferOutput<typeof settingsChange>

export const takeover = v.strictObject({
  campaignIds: v.pipe(
    v.array(id),
    v.minLength(1, 'Choose at least one campaign'),
    v.maxLength(MAX_CAMPAIGNS, 'At most 50 campaigns in one group'),
  ),
  targetAcos,
  strategy,
  /** Without it the name of the first campaign. */
  name: v.optional(name),
  highestBid: v.optional(settingEntries.highestBid),
  /** Without it the sum of the campaigns’ budgets. */
  dailyBudget: v.optional(settingEntries.dailyBudget),
  launchUntil: v.optional(settingEntries.launchUntil),
  launchBudget: v.optional(settingEntries.launchBudget),
  untouched: v.optional(untouched),
  /** Without it harvests, negatives and budgets, for the first 14 days. */
  asks: v.optional(kindsToAsk),
})
export type Takeover = v.InferOutput<typeof takeover>

const member = v.object({
  id,
  name: v.string(),
  adType: v.string(),
  state: v.string(),
  budget: v.nullable(money),
})

/** What came of one day: HELD, because of its cause nothing was decided; FAILED, it is tried again. */
const run = v.object({
  day,
  at: moment,
  outcome: v.picklist(['DECIDED', 'NOTHING', 'HELD', 'FAILED']),
  cause: v.nullable(v.string()),
  /** How many changes it decided on. */
  decisions: v.number(),
  /** Until when the reports reach that it read. */
  reportedAt: v.nullable(moment),
})

export const group = v.object({
  id,
  ...settingEntries,
  state: v.picklist(groupStates),
  currency: v.string(),
  timezone: v.string(),
  campaigns: v.array(member),
  takenOverAt: moment,
  /** Until then it sends nothing. */
  shadowUntil: moment,
  /** Since when it sends; null in the shadow. */
  startedAt: v.nullable(moment),
  stoppedAt: v.nullable(moment),
  /** Until when kinds are asked about only because the group is new; null where that is over or was set by hand. */
  asksUntil: v.nullable(day),
  /** Kinds that are asked about because they were undone three times in 30 days. */
  taught: v.array(v.picklist(changeKinds)),
  /** Whether nothing is raised, or nothing decided at all, and why. */
  halt: v.nullable(v.object({ cause: v.string(), until: v.nullable(day) })),
  lastRun: v.nullable(run),
  /** When it decides next; null for a stopped one. */
  nextRunAt: v.nullable(moment),
  /** Percent: the week’s spend over what its clicks are expected to sell; null before the first run. */
  forecastAcos: v.nullable(v.number()),
  /** Of the last 30 settled days. */
  cost: money,
  sales: money,
  acos: v.nullable(v.number()),
  /** Of the last seven days. */
  changes: v.number(),
  proposals: v.number(),
  /** What no longer changes before a day, because a person changed or undid it. */
  pins: v.array(v.object({ id, entity: v.string(), entityId: id, name: v.string(), until: day, since: moment })),
})
export type OptimizerGroup = v.InferOutput<typeof group>
