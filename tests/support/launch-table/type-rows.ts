import { type Contents, type ExpectedCampaign, groupFor, type Intensity } from './expected-tree.ts'
import { ownKeywords } from './funnel-rows.ts'
import { categoryIds, rivals, terms } from './known-advice.ts'

// Of the emulator's: the server refuses categories that the marketplace does not know.
export const ownCategories = [
  ['3741181', 0.46],
  ['289742', 0.45],
] as const
export const ownRivals = [
  ['B0OWNRIV01', 0.47],
  ['B0OWNRIV02', 0.48],
] as const

/** What the ad groups of keyword and product target templates buy, case by case. */
export const typeContents = {
  AUTO: [{ name: 'Keywords | Auto', match: 'AUTO' }],
  SMART_BROAD: [{ name: 'Keywords | Broad', match: 'BROAD', recommended: terms(1, 25) }],
  SMART_PHRASE: [{ name: 'Keywords | Phrase', match: 'PHRASE', recommended: terms(1, 25) }],
  SMART_EXACT: [{ name: 'Keywords | Exact', match: 'EXACT', recommended: terms(1, 25) }],
  GUIDED_BROAD: [{ name: 'Keywords | Broad', match: 'BROAD', own: ownKeywords }],
  GUIDED_PHRASE: [{ name: 'Keywords | Phrase', match: 'PHRASE', own: ownKeywords }],
  GUIDED_EXACT: [{ name: 'Keywords | Exact', match: 'EXACT', own: ownKeywords }],
  GUIDED_EVERY_MATCH: [
    { name: 'Keywords | Broad', match: 'BROAD', own: ownKeywords },
    { name: 'Keywords | Phrase', match: 'PHRASE', own: ownKeywords },
    { name: 'Keywords | Exact', match: 'EXACT', own: ownKeywords },
  ],
  SMART_CATEGORY: [{ name: 'Products | Category', match: 'CATEGORY', recommended: categoryIds(1, 5) }],
  SMART_PRODUCT_EXACT: [{ name: 'Products | Product Exact', match: 'PRODUCT_EXACT', recommended: rivals(1, 25) }],
  SMART_PRODUCT_SIMILAR: [{ name: 'Products | Product Similar', match: 'PRODUCT_SIMILAR', recommended: rivals(1, 25) }],
  SMART_EVERY_TARGET: [
    { name: 'Products | Category', match: 'CATEGORY', recommended: categoryIds(1, 5) },
    { name: 'Products | Product Exact', match: 'PRODUCT_EXACT', recommended: rivals(1, 25) },
  ],
  GUIDED_CATEGORY: [{ name: 'Products | Category', match: 'CATEGORY', own: ownCategories }],
  GUIDED_PRODUCT_EXACT: [{ name: 'Products | Product Exact', match: 'PRODUCT_EXACT', own: ownRivals }],
  GUIDED_PRODUCT_SIMILAR: [{ name: 'Products | Product Similar', match: 'PRODUCT_SIMILAR', own: ownRivals }],
} as const satisfies Record<string, readonly Contents[]>
export type TypeVariant = keyof typeof typeContents

/** 100.03 a day in equal parts, the odd cents to the first. */
const budgets: Record<number, readonly number[]> = { 1: [100.03], 2: [50.02, 50.01], 3: [33.35, 33.34, 33.34] }

/**
 * A campaign for each type, or, by ad group, one campaign with an ad group for each. No phases, so no negatives; bids only
 * go down, and no placement is raised.
 */
export function byType(variant: TypeVariant, byAdGroup: boolean, at: Intensity): ExpectedCampaign[] {
  const contents: readonly Contents[] = typeContents[variant]
  const calm = { bidding: 'DOWN', topOfSearch: 0 } as const
  if (byAdGroup && contents.length > 1) {
    const phase = contents[0]?.name.split(' | ')[0]
    const groups = contents.map(c => groupFor(c, at))
    return [{ suffix: `${phase} | Manual`, targeting: 'MANUAL', budget: 100.03, ...calm, groups }]
  }
  return contents.map((c, i) => ({
    suffix: c.name,
    targeting: c.match === 'AUTO' ? 'AUTO' : 'MANUAL',
    budget: budgets[contents.length]?.[i] ?? Number.NaN,
    ...calm,
    groups: [groupFor(c, at)],
  }))
}
