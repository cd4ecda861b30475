import * as v from 'valibot'
import { chosenKeywords } from '../chosen-terms.ts'
import { type CreatePayloadInput, type LaunchDraft, launchMessages, storedLists } from '../launch-schema.ts'
import { configurationOf } from '../problems.ts'
import { CAMPAIGN_KEY, settingsBlocks, takesNegatives, type WizardState } from './wizard-state.ts'

/**
 * The launch as far as the wizard has it. What the template and the mode do not use is left out; so are the lists that were
 * configured by hand before smart mode or automatic targeting was chosen.
 */
export function draftOf(state: WizardState) {
  // What is being entered, and the step, are no part of a launch.
  const { currentStep: _step, selectedCategory: _category, selectedProduct: _product, ...fields } = state
  const { categoryBid: _categoryBid, productBid: _productBid, ...launch } = fields
  const configured = configurationOf(state)
  const blocks = settingsBlocks(state)
  const listsOf = (key: string) => ({
    keywords: (configured === 'KEYWORDS' && state.keywords[key]) || [],
    categories: (configured === 'CATEGORIES' && state.categories[key]) || [],
    productTargets: (configured === 'PRODUCT_TARGETS' && state.productTargets[key]) || [],
  })
  return {
    ...launch,
    campaignName: state.campaignName.trim(),
    products: state.products.map(({ asin, sku }) => ({ asin, sku, ...listsOf(asin) })),
    ...listsOf(CAMPAIGN_KEY),
    negativeKeywords: takesNegatives(state) ? state.negativeKeywords : [],
    separateBrandTerms: blocks.brandTerms && state.separateBrandTerms,
    budgetShares: blocks.funnel ? state.budgetShares : null,
  } satisfies LaunchDraft
}

/**
 * The create payload of a wizard in which template, strategy, budget and target ACOS are set; null before. `keywords` is the
 * flattened list: of every product and of the campaign, each text and match type once.
 */
export function payloadOf(state: WizardState): CreatePayloadInput | null {
  const { template, strategy, budget, targetAcos, products, ...draft } = draftOf(state)
  if (!template || !strategy || budget == null || targetAcos == null) return null
  const keywords = chosenKeywords({ products, keywords: draft.keywords })
  const chosen = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== null)) as typeof draft
  return {
    ...(chosen as Omit<CreatePayloadInput, 'products'>),
    template,
    strategy,
    budget,
    targetAcos,
    // The draft's rows carry suggested bids, which are no part of a launch.
    products: products.map(({ asin, sku, ...lists }) => ({ asin, sku, ...v.parse(storedLists, lists) })),
    ...v.parse(storedLists, { ...draft, keywords }),
  }
}

/** The create payload of a complete wizard. Throws where something is missing that the checks before should have found. */
export function launchPayloadOf(state: WizardState): CreatePayloadInput {
  if (!state.template || !state.strategy) throw new Error('Template and strategy are required')
  if (!state.campaignName.trim()) throw new Error(launchMessages.campaignName)
  if (!state.budget) throw new Error(launchMessages.budget)
  const payload = payloadOf(state)
  if (!state.targetAcos || !payload) throw new Error(launchMessages.targetAcos)
  return payload
}
