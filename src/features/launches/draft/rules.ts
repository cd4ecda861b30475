import * as v from 'valibot'
import {
  factsOfTemplate,
  type FunnelPhases,
  keywordText,
  launchMessages,
  MAX_CAMPAIGN_NAME,
  MAX_PRODUCTS,
  namePatternFault,
  sharesFault,
  type Template,
} from '../contract.ts'
import { type BidLimits, bidProblem, isTargetAcos } from '#shared/campaign-rules.ts'
import { blockedKeywords } from './negative-rules.ts'
import { CAMPAIGN_KEY, freshWizard, type WizardState } from './wizard-state.ts'

/** What is wrong, and at which field the user mends it. */
export interface Fault {
  field: string
  message: string
}

/** What the marketplace's own limits say: of the budget (null while they are met or not known), and what it takes as a bid. */
export interface MarketView {
  budgetFault: string | null
  bids?: BidLimits
}

const facts = (state: WizardState) => (state.template ? factsOfTemplate(state.template) : null)

/** What a template with this state lets the user configure by hand in step 4; null where nothing is. */
export const configurationOf = (state: WizardState): 'KEYWORDS' | 'CATEGORIES' | 'PRODUCT_TARGETS' | null => {
  const known = facts(state)
  if (!known || state.setupMode === 'SMART') return null
  if (known.family === 'TARGET') {
    if (!state.productTargetType) return null
    return state.productTargetType === 'CATEGORY' ? 'CATEGORIES' : 'PRODUCT_TARGETS'
  }
  return known.family === 'KEYWORD' && state.automationMode === 'AUTO' ? null : 'KEYWORDS'
}

/** True where negative keywords can be given: campaigns that target products take none. */
export const takesNegatives = (state: WizardState): boolean => {
  const known = facts(state)
  return known !== null && known.family !== 'TARGET'
}

/** Which optional blocks step 3 shows. */
export const settingsBlocks = (state: WizardState) => {
  const known = facts(state)
  const guided = state.setupMode === 'GUIDED'
  const keyword = known?.family === 'KEYWORD'
  return {
    funnel: known?.family === 'FUNNEL',
    automation: keyword,
    /** Only keywords can name a brand. */
    brandTerms: known?.family === 'FUNNEL' || (keyword && state.automationMode === 'MANUAL'),
    keywordMatch: (known?.family === 'FUNNEL' && guided) || (keyword && state.automationMode === 'MANUAL'),
    productTargetType: known?.family === 'TARGET' && guided,
    productMatch: known?.family === 'TARGET' && state.productTargetType !== 'CATEGORY',
  }
}

/** True when a choice other than mode, template and step was made: changing the template would lose it. */
export const hasProgressBeyondTemplate = (state: WizardState): boolean => {
  const fresh = freshWizard(state.setupMode)
  const beyond = { ...state, template: fresh.template, currentStep: fresh.currentStep }
  return JSON.stringify(beyond) !== JSON.stringify(fresh)
}
/** True when anything but the mode was chosen. */
export const hasProgress = (state: WizardState): boolean => state.template !== null || hasProgressBeyondTemplate(state)

const settingsFaults = (state: WizardState, market: MarketView): Fault[] => {
  const faults: Fault[] = []
  const fault = (field: string, message: string) => faults.push({ field, message })
  const name = state.campaignName.trim()
  if (!name) fault('campaignName', launchMessages.campaignName)
  else if (name.length > MAX_CAMPAIGN_NAME)
    fault('campaignName', `Campaign name must be at most ${MAX_CAMPAIGN_NAME} characters long`)
  const wrongPattern = state.namePattern === null ? null : namePatternFault(state.namePattern)
  if (wrongPattern !== null) fault('namePattern', wrongPattern)
  if (!state.budget) fault('budget', launchMessages.budget)
  else if (market.budgetFault) fault('budget', market.budgetFault)
  if (!state.targetAcos || !isTargetAcos(state.targetAcos)) fault('targetAcos', launchMessages.targetAcos)
  const blocks = settingsBlocks(state)
  const unshared = blocks.funnel && state.budgetShares && sharesFault(state.budgetShares, state)
  if (unshared) fault('budgetShares', unshared)
  if (blocks.automation && !state.automationMode) fault('automationMode', 'Choose automatic or manual targeting')
  if (blocks.keywordMatch && !state.keywordMatchType) fault('keywordMatchType', 'Choose a keyword match type')
  return faults
}

/** What step 4 asks the user to configure, in words. */
export const configureMessages = {
  KEYWORDS: 'Configure keywords for each selected product first.',
  CATEGORIES: 'Configure categories for each selected product first.',
  PRODUCT_TARGETS: 'Configure product targets for each selected product first.',
  CAMPAIGN_KEYWORDS: 'Configure at least one keyword for the campaign first.',
  CAMPAIGN_TARGETS: 'Configure at least one category or product target for the campaign first.',
  TARGET_TYPE: 'Choose category or product targeting in step 3 first.',
  PRODUCTS: 'Select at least one product first.',
  MATCH_TYPE: 'Choose the keyword match type in step 3 first.',
} as const

const has = (lists: Record<string, readonly unknown[]>, key: string): boolean => (lists[key]?.length ?? 0) > 0

const configurationFaults = (state: WizardState): Fault[] => {
  const known = facts(state)
  if (!known || state.setupMode === 'SMART') return []
  const what = configurationOf(state)
  if (known.family === 'TARGET' && !what)
    return [{ field: 'productTargetType', message: configureMessages.TARGET_TYPE }]
  if (!what) return []
  const lists = { KEYWORDS: state.keywords, CATEGORIES: state.categories, PRODUCT_TARGETS: state.productTargets }[what]
  if (known.multiProduct) {
    const message = what === 'KEYWORDS' ? configureMessages.CAMPAIGN_KEYWORDS : configureMessages.CAMPAIGN_TARGETS
    return has(lists, CAMPAIGN_KEY) ? [] : [{ field: 'configure', message }]
  }
  const complete = state.products.every(p => has(lists, p.asin))
  return complete ? [] : [{ field: 'configure', message: configureMessages[what] }]
}

// As the server says it, and before it does: what was typed into a row stays there when its sheet is closed.
const bidFaults = (state: WizardState, limits: BidLimits): Fault[] => {
  const what = configurationOf(state)
  const keys = [...state.products.map(p => p.asin), CAMPAIGN_KEY]
  const faultsIn = <T extends { bid: number }>(
    field: string,
    lists: Record<string, T[]>,
    nameOf: (item: T) => string,
  ) =>
    keys.flatMap(key =>
      (lists[key] ?? []).flatMap(item => {
        const message = bidProblem(item.bid, limits, { subject: `The bid for “${nameOf(item)}”` })
        return message === null ? [] : [{ field, message }]
      }),
    )
  if (what === 'KEYWORDS') return faultsIn('keywords', state.keywords, k => k.keyword)
  if (what === 'CATEGORIES') return faultsIn('categories', state.categories, c => c.name)
  return what === null ? [] : faultsIn('productTargets', state.productTargets, t => t.asin)
}

// The server's own rule: a draft may have been written before it was one, or on another device.
const textFaults = (state: WizardState): Fault[] => {
  const lists = [...state.products.map(p => p.asin), CAMPAIGN_KEY].flatMap(key => state.keywords[key] ?? [])
  const faultsIn = (field: string, all: readonly { keyword: string }[]) =>
    all.flatMap(({ keyword }) => {
      const parsed = v.safeParse(keywordText, keyword)
      return parsed.success ? [] : [{ field, message: `“${keyword}”: ${parsed.issues[0].message}` }]
    })
  return [
    ...(configurationOf(state) === 'KEYWORDS' ? faultsIn('keywords', lists) : []),
    ...(takesNegatives(state) ? faultsIn('negativeKeywords', state.negativeKeywords) : []),
  ]
}

const negativeFaults = (state: WizardState): Fault[] =>
  configurationOf(state) === 'KEYWORDS'
    ? blockedKeywords(state).map(text => ({
        field: 'negativeKeywords',
        message: `“${text}” would never be shown: a negative keyword keeps it out`,
      }))
    : []

/**
 * What keeps a step (from 1) from being complete, in the order of its fields; empty when Continue may be pressed.
 * product.md, section 4.
 */
export const stepFaults = (state: WizardState, step: number, market: MarketView): Fault[] => {
  if (step === 1) return state.template ? [] : [{ field: 'template', message: launchMessages.template }]
  if (step === 2) return state.strategy ? [] : [{ field: 'strategy', message: launchMessages.strategy }]
  if (step === 3) return settingsFaults(state, market)
  if (step !== 4) return []
  if (!state.products.length) return [{ field: 'products', message: configureMessages.PRODUCTS }]
  if (!facts(state)?.multiProduct && state.products.length > 1)
    return [{ field: 'products', message: productRefusals.limit.message }]
  return [
    ...configurationFaults(state),
    ...(market.bids ? bidFaults(state, market.bids) : []),
    ...textFaults(state),
    ...negativeFaults(state),
  ]
}

/** The first step that is not complete, with what is wrong there; null when all are. */
export const firstIncomplete = (state: WizardState, market: MarketView): { step: number; faults: Fault[] } | null => {
  for (const step of [1, 2, 3, 4]) {
    const faults = stepFaults(state, step, market)
    if (faults.length) return { step, faults }
  }
  return null
}

const stepOfField: Record<string, number> = { template: 1, strategy: 2, products: 4, configure: 4 }

/** What a launch is refused for, with the step where it is mended, in the order of the steps. product.md, section 5. */
export const launchFaults = (state: WizardState): (Fault & { step: number })[] => {
  const checks: [boolean, keyof typeof launchMessages][] = [
    [state.template !== null, 'template'],
    [state.strategy !== null, 'strategy'],
    [state.campaignName.trim() !== '', 'campaignName'],
    [(state.budget ?? 0) > 0, 'budget'],
    [(state.targetAcos ?? 0) > 0, 'targetAcos'],
    [state.products.length > 0, 'products'],
  ]
  return checks.flatMap(([met, field]) => (met ? [] : [faultAt(field, launchMessages[field])]))
}

/** A fault that the server found, at the step of its field. */
export const faultAt = (field: string, message: string): Fault & { step: number } => ({
  field,
  message,
  step: stepOfField[field] ?? (/^(keywords|negativeKeywords|categories|productTargets)/.test(field) ? 4 : 3),
})

/** Titles and words of the refusals of a product. product.md, section 8. */
export const productRefusals = {
  ineligible: {
    title: 'Product Not Eligible',
    message: 'This product is not eligible for Sponsored Products campaigns.',
  },
  limit: {
    title: 'Product Limit Reached',
    message: 'A single-product template can only have 1 product; remove the current product first.',
  },
  full: {
    title: 'Product Limit Reached',
    message: `A campaign can have at most ${MAX_PRODUCTS} products; remove one of them first.`,
  },
  twice: {
    title: 'ASIN Already Selected',
    message: 'A product with this ASIN is already selected, even with a different SKU.',
  },
} as const

interface Candidate {
  asin: string | null
  spEligibilityStatus: string | null
  spEligibilityMessage: string | null
}

/** Why a product cannot be selected now, as a notification; null when it can. */
export const productRefusal = (state: WizardState, candidate: Candidate): { title: string; message: string } | null => {
  const { ineligible, limit, full, twice } = productRefusals
  if (candidate.asin === null || candidate.spEligibilityStatus === 'INELIGIBLE')
    return { title: ineligible.title, message: candidate.spEligibilityMessage || ineligible.message }
  if (state.products.some(p => p.asin === candidate.asin)) return twice
  if (!facts(state)?.multiProduct) return state.products.length > 0 ? limit : null
  return state.products.length >= MAX_PRODUCTS ? full : null
}

/** The phases of a funnel as step 3 previews them. product.md, section 2. */
export const funnelPhases = ({
  includeHighImpact,
  includeRanking,
}: FunnelPhases): { name: string; targeting: string }[] => [
  { name: 'Discovery', targeting: 'auto, broad' },
  { name: 'Research', targeting: 'manual, phrase' },
  { name: 'Performance', targeting: 'manual, exact' },
  ...(includeRanking ? [{ name: 'Ranking', targeting: 'manual, competitive bidding' }] : []),
  ...(includeHighImpact ? [{ name: 'High Impact', targeting: 'manual, aggressive' }] : []),
]

/** True when a template takes several products. */
export const isMultiProduct = (template: Template | null): boolean =>
  template !== null && factsOfTemplate(template).multiProduct
