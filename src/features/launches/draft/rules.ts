import { MAX_PRODUCTS } from '../launch-schema.ts'
import { type LaunchMarket, type Problem, problems, productMessages, stepOfField } from '../problems.ts'
import { phases } from '../templates.ts'
import type { FunnelPhases } from '../plan/budget-shares.ts'
import { draftOf } from './payload-of.ts'
import { freshWizard, isMultiProduct, type WizardState } from './wizard-state.ts'

/** A problem at the step that shows its field. */
export interface FieldProblem {
  field: string
  step: number
  message: string
}

/** True when a choice other than mode, template and step was made: changing the template would lose it. */
export function hasProgressBeyondTemplate(state: WizardState): boolean {
  const fresh = freshWizard(state.setupMode)
  const beyond = { ...state, template: fresh.template, currentStep: fresh.currentStep }
  return JSON.stringify(beyond) !== JSON.stringify(fresh)
}
/** True when anything but the mode was chosen. */
export const hasProgress = (state: WizardState): boolean => state.template !== null || hasProgressBeyondTemplate(state)

/** What step 4 asks for before anything can be configured. */
export const configureMessages = {
  PRODUCTS: 'Select at least one product first.',
  MATCH_TYPE: 'Choose the keyword match type in step 3 first.',
} as const

const latest = new WeakMap<WizardState, { market: LaunchMarket | null; found: Problem[] }>()

// Several parts of the page need the problems of the same state.
function problemsOf(state: WizardState, market: LaunchMarket | null): Problem[] {
  const cached = latest.get(state)
  if (cached?.market === market) return cached.found
  const found = problems(draftOf(state), market)
  latest.set(state, { market, found })
  return found
}

/** The problems that keep a step (from 1) from being complete; empty when Continue may be pressed. */
export const stepProblems = (state: WizardState, step: number, market: LaunchMarket | null): Problem[] =>
  problemsOf(state, market).filter(problem => problem.step === step)

/** The first step that is not complete, with its problems; null when all are complete. */
export function firstIncomplete(
  state: WizardState,
  market: LaunchMarket | null,
): { step: number; problems: [Problem, ...Problem[]] } | null {
  const [first, ...others] = problemsOf(state, market)
  return first ? { step: first.step, problems: [first, ...others.filter(({ step }) => step === first.step)] } : null
}

/** Everything that prevents a launch, at the steps that show the fields, in the order of the steps. */
export function launchProblems(state: WizardState, market: LaunchMarket | null): FieldProblem[] {
  return problemsOf(state, market)
    .map(({ field, message }) => problemAt(field, message))
    .sort((a, b) => a.step - b.step)
}

/** A problem that the server found, at the step of its field. */
export function problemAt(field: string, message: string): FieldProblem {
  return {
    field,
    message,
    step: stepOfField(field),
  }
}

/** Why a product cannot be selected. */
export const productRefusals = {
  ineligible: {
    title: 'Product Not Eligible',
    message: 'This product is not eligible for Sponsored Products campaigns.',
  },
  limit: {
    title: 'Product Limit Reached',
    message: productMessages.limit,
  },
  full: {
    title: 'Product Limit Reached',
    message: `A campaign can have at most ${MAX_PRODUCTS} products; remove one of them first.`,
  },
  twice: {
    title: 'ASIN Already Selected',
    message: productMessages.duplicate,
  },
} as const

interface Candidate {
  asin: string | null
  spEligibilityStatus: string | null
  spEligibilityMessage: string | null
}

/** Why a product cannot be selected now, as a notification; null when it can. */
export function productRefusal(state: WizardState, candidate: Candidate): { title: string; message: string } | null {
  const { ineligible, limit, full, twice } = productRefusals
  if (candidate.asin === null || candidate.spEligibilityStatus === 'INELIGIBLE')
    return { title: ineligible.title, message: candidate.spEligibilityMessage || ineligible.message }
  if (state.products.some(p => p.asin === candidate.asin)) return twice
  if (!isMultiProduct(state.template)) return state.products.length > 0 ? limit : null
  return state.products.length >= MAX_PRODUCTS ? full : null
}

/** The phases of a funnel with their targeting, as step 3 shows them. */
export function phaseSummaries({
  includeHighImpact,
  includeRanking,
}: FunnelPhases): { name: string; targeting: string }[] {
  return [
    { name: phases.DISCOVERY, targeting: 'auto, broad' },
    { name: phases.RESEARCH, targeting: 'manual, phrase' },
    { name: phases.PERFORMANCE, targeting: 'manual, exact' },
    ...(includeRanking ? [{ name: phases.RANKING, targeting: 'manual, competitive bidding' }] : []),
    ...(includeHighImpact ? [{ name: phases.HIGH_IMPACT, targeting: 'manual, aggressive' }] : []),
  ]
}
