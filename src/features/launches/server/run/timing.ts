/** How patient a launch is. */
export interface Timing {
  /** How long after an unclear call the marketplace's lists may still miss what it made. */
  quietMs: number
  /** Pause between two looks. */
  pollMs: number
  /** A holder not heard of for so long has lost the launch. */
  leaseMs: number
  /** Sends of one item in one run before it is given up. */
  maxSends: number
}

/** A campaign may be missing from lists for up to two minutes (design: launch under fire). */
export const usualTiming: Timing = { quietMs: 120_000, pollMs: 5_000, leaseMs: 60_000, maxSends: 3 }
