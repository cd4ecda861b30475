import type { PlanMarket } from './launch-plan.ts'

/** The longest campaign name, by who advertises [amazon.md 1.5; vendors have 116]. */
export const maxNameLength = { seller: 128, vendor: 116 } as const

const SEPARATOR = ' | '

const cut = (text: string, length: number): string => {
  // By code points, so that no character is halved; the marketplace counts UTF-16 units at most.
  let kept = ''
  for (const char of text) {
    if (kept.length + char.length > length) break
    kept += char
  }
  return kept.trimEnd()
}

/**
 * `{prefix} | {campaignName} | {suffix}` for each suffix, within the account's limit. Room for the longest suffix is
 * kept free first, so that all names of a launch begin alike and stay different. A prefix that would leave the name
 * itself less than 20 characters is cut as well. `shortened` tells that something was.
 */
export const planNames = (
  campaignName: string,
  suffixes: readonly string[],
  { campaignPrefix, accountType }: Pick<PlanMarket, 'campaignPrefix' | 'accountType'>,
): { names: string[]; shortened: boolean } => {
  const name = campaignName.trim()
  const longest = Math.max(...suffixes.map(s => s.length)) + SEPARATOR.length
  const room = maxNameLength[accountType] - longest
  const wholePrefix = campaignPrefix?.trim() ?? ''
  const prefix = cut(wholePrefix, Math.max(0, room - Math.min(name.length, 20) - SEPARATOR.length))
  const lead = prefix ? `${prefix}${SEPARATOR}` : ''
  const own = cut(name, room - lead.length)
  return {
    names: suffixes.map(suffix => `${lead}${own}${SEPARATOR}${suffix}`),
    shortened: own !== name || prefix !== wholePrefix,
  }
}
