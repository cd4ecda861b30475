import type { Micros } from '#shared/money.ts'

// What the seller asks for, and what the engine remembers from one day to the next.

export const strategies = ['PROFIT', 'REACH', 'LAUNCH'] as const
export type Strategy = (typeof strategies)[number]

/** What the seller set when taking over. */
export interface Settings {
  /** The ceiling of the group's mean ACOS, above 0. */
  targetAcos: number
  strategy: Strategy
  highestBidMicros: Micros | null
  /** The most that the campaigns may spend on a day together. */
  budgetMicros: Micros
  /** Targets and searches that are never changed. */
  untouched: readonly string[]
  /** Of the strategy LAUNCH: its first and last day, and what it may cost in all. Then it ends by itself. */
  launch?: Launch | null
}

export interface Launch {
  from: string
  until: string
  budgetMicros: Micros
}

/** What the engine remembers of a group from one day to the next. Begins as `{}`. */
export interface Memory {
  /** What is bid for a unit of expected sales, and how far a short budget lowers it (at most 1). */
  multiplier?: number
  moneyFactor?: number
  /** By campaign. */
  moneyFactors?: Readonly<Record<string, number>>
  /** By campaign: how many times what it spends it would spend with more money, while it has too little. */
  wants?: Readonly<Record<string, number>>
  steeredOn?: string
  budgetsOn?: string
  termsOn?: string
  placesOn?: string
  /** Why nothing may be raised, and until when. */
  frozenUntil?: string
  /** The forecast of the last decision, to see it rise. */
  forecastAcos?: number
  /** The day on which the launch ended by itself, whatever the settings still say. */
  launchEndedOn?: string
  /** By campaign: what was said to be left alone, so that it is said once. */
  leftAlone?: Readonly<Record<string, string>>
  /** When hours were last proposed. */
  hoursOn?: string
  /** By target: when its bid was changed, what it was before, and until when it belongs to the seller. */
  targets?: Readonly<Record<string, TargetMemory>>
}

export interface TargetMemory {
  changedOn?: string
  beforeMicros?: Micros
  pinnedUntil?: string
  /** The days of the last two weeks on which its bid changed, and what it was until then; the earliest first. */
  bids?: readonly (readonly [day: string, beforeMicros: Micros])[]
}
