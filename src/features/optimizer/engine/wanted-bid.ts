/** At most so much is bid above a target's worth in order to learn about it. */
const mostCuriosity = 0.1
/** The part of the raise for the top of search that the base bid makes up for. */
const topShare = 0.35

/** What the group's aim lets a click be bid at, before any cap. */
export function wantedBid(of: {
  multiplier: number
  moneyFactor: number
  worthMicros: number
  priorClicks: number
  effectiveClicks: number
  topRaise: number
}): number {
  const curiosity = (mostCuriosity * of.priorClicks) / (of.priorClicks + of.effectiveClicks)
  return (of.multiplier * of.moneyFactor * of.worthMicros * (1 + curiosity)) / (1 + topShare * of.topRaise)
}
