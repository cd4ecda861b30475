import { MAX_CAMPAIGN_NAME } from '../contract.ts'

const numbered = /^(.*\S) \((\d{1,4})\)$/

/** The next name of a campaign whose own is taken: “Mats (2)” for “Mats”, “Mats (3)” for that; never longer than a name may be. */
export const nameAgain = (name: string): string => {
  const [, base = name, number = '1'] = numbered.exec(name) ?? []
  const tail = ` (${Number(number) + 1})`
  // Half of a character that takes two places is none.
  const room = base.slice(0, MAX_CAMPAIGN_NAME - tail.length).replace(/[\uD800-\uDBFF]$/, '')
  return `${room.trimEnd()}${tail}`
}
