import { type CreatePayloadInput, launchMessages, normalTerm } from '../contract.ts'
import { configurationOf, settingsBlocks, takesNegatives } from './rules.ts'
import { CAMPAIGN_KEY, type WizardKeyword, type WizardState } from './wizard-state.ts'

const plainKeyword = ({ keyword, matchType, bid }: WizardKeyword) => ({ keyword, matchType, bid })

/**
 * The create payload of a wizard in which template, strategy, budget and target ACOS are set; null before. In smart mode, and
 * where targeting is automatic, what was configured by hand stays out. `keywords` is the flattened list: of every
 * product and of the campaign, each text and match type once.
 */
export const payloadOf = (state: WizardState): CreatePayloadInput | null => {
  const { template, strategy, budget, targetAcos } = state
  if (!template || !strategy || budget === null || targetAcos === null) return null
  const what = configurationOf(state)
  const keywords = what === 'KEYWORDS' ? state.keywords : {}
  const categories = what === 'CATEGORIES' ? state.categories : {}
  const targets = what === 'PRODUCT_TARGETS' ? state.productTargets : {}
  const flat = new Map<string, WizardKeyword>()
  for (const key of [...state.products.map(p => p.asin), CAMPAIGN_KEY])
    for (const one of keywords[key] ?? []) {
      const double = `${one.matchType} ${normalTerm(one.keyword)}`
      if (!flat.has(double)) flat.set(double, one)
    }
  return {
    template,
    strategy,
    budget,
    targetAcos,
    setupMode: state.setupMode,
    campaignName: state.campaignName.trim(),
    ...(state.namePattern !== null && { namePattern: state.namePattern }),
    products: state.products.map(({ asin, sku }) => ({
      asin,
      sku,
      keywords: (keywords[asin] ?? []).map(plainKeyword),
      categories: (categories[asin] ?? []).map(({ id, name, bid }) => ({ id, name, bid })),
      productTargets: (targets[asin] ?? []).map(t => ({ asin: t.asin, bid: t.bid })),
    })),
    keywords: [...flat.values()].map(plainKeyword),
    negativeKeywords: takesNegatives(state) ? state.negativeKeywords : [],
    categories: (categories[CAMPAIGN_KEY] ?? []).map(({ id, name, bid }) => ({ id, name, bid })),
    productTargets: (targets[CAMPAIGN_KEY] ?? []).map(t => ({ asin: t.asin, bid: t.bid })),
    includeHighImpact: state.includeHighImpact,
    includeRanking: state.includeRanking,
    separateBrandTerms: settingsBlocks(state).brandTerms && state.separateBrandTerms,
    ...(settingsBlocks(state).funnel && state.budgetShares && { budgetShares: state.budgetShares }),
    ...(state.automationMode && { automationMode: state.automationMode }),
    ...(state.keywordMatchType && { keywordMatchType: state.keywordMatchType }),
    ...(state.productTargetType && { productTargetType: state.productTargetType }),
    ...(state.productMatchType && { productMatchType: state.productMatchType }),
  }
}

/**
 * The create payload of a wizard that is launched. Throws where something is missing that the checks before should have
 * found: product.md, section 8.
 */
export const launchPayloadOf = (state: WizardState): CreatePayloadInput => {
  if (!state.template || !state.strategy) throw new Error('Template and strategy are required')
  if (!state.campaignName.trim()) throw new Error(launchMessages.campaignName)
  if (!state.budget) throw new Error(launchMessages.budget)
  const payload = payloadOf(state)
  if (!state.targetAcos || !payload) throw new Error(launchMessages.targetAcos)
  return payload
}
