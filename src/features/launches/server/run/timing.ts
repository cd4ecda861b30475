/** How patient a launch is. */
export interface Timing {
  /** How long after an unclear call the marketplace's lists may still miss what it made. */
  quietMs: number
  /** The first pause between two looks; each is twice the last, up to ten times the first. */
  pollMs: number
  /** A holder not heard of for so long has lost the launch. */
  leaseMs: number
  /** Sends of one item in one run before it is given up. */
  maxSends: number
}

/**
 * A campaign may be missing from lists for up to two minutes; one that was made is usually there at the first look, and
 * only of one that is not need so much time pass before it is made again.
 */
export const usualTiming: Timing = { quietMs: 120_000, pollMs: 1_000, leaseMs: 6_000, maxSends: 3 }
