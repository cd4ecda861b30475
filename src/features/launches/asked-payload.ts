import * as v from 'valibot'
import { keywordMatchTypes, strategies } from '#features/recommendations/contract.ts'
import { automationModes, negativeMatchTypes, productMatchTypes, productTargetTypes, setupModes } from './payload.ts'
import { budgetShares } from './plan/budget-shares.ts'
import { templates } from './templates.ts'

const listOf = <S extends v.GenericSchema>(item: S) => v.optional(v.array(item), [])
const text = v.string()
const bid = v.number()

const keyword = v.object({ keyword: text, matchType: v.optional(v.picklist(keywordMatchTypes)), bid })
const negativeKeyword = v.object({
  keyword: text,
  matchType: v.optional(v.picklist(negativeMatchTypes), 'NEGATIVE_EXACT'),
})
const category = v.object({ id: text, name: text, bid })
const productTarget = v.object({ asin: text, matchType: v.optional(v.picklist(productMatchTypes)), bid })
const lists = {
  keywords: listOf(keyword),
  categories: listOf(category),
  productTargets: listOf(productTarget),
}

/**
 * A payload as it is read again, long after it was accepted: limits and rules may be others by now and are for the wizard
 * to tell, lists that it did not know are empty, and fields that are not known any more are passed over.
 */
export const askedPayload = v.object({
  template: v.picklist(templates),
  strategy: v.picklist(strategies),
  setupMode: v.picklist(setupModes),
  campaignName: text,
  namePattern: v.optional(text),
  budget: v.number(),
  targetAcos: v.number(),
  products: v.array(v.object({ asin: text, sku: text, ...lists })),
  ...lists,
  negativeKeywords: listOf(negativeKeyword),
  budgetShares: v.optional(budgetShares),
  includeHighImpact: v.optional(v.boolean(), false),
  includeRanking: v.optional(v.boolean(), true),
  separateBrandTerms: v.optional(v.boolean(), false),
  automationMode: v.optional(v.picklist(automationModes)),
  keywordMatchType: v.optional(v.picklist(keywordMatchTypes)),
  productTargetType: v.optional(v.picklist(productTargetTypes)),
  productMatchType: v.optional(v.picklist(productMatchTypes)),
})
export type AskedPayload = v.InferOutput<typeof askedPayload>
