import { MAX_PRODUCTS } from '../launch-schema.ts'
import { type LaunchMarket, type Problem, problems, productMessages, stepOfField } from '../problems.ts'
import { draftOf } from './payload-of.ts'
import { freshWizard, isMultiProduct, type WizardState } from './wizard-state.ts'

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

export const configureMessages = {
  PRODUCTS: 'Select at least one product first.',
  MATCH_TYPE: 'Choose the keyword match type in step 3 first.',
} as const

// Several parts of the page need the problems of the same state.
const latest = new WeakMap<WizardState, { market: LaunchMarket | null; found: Problem[] }>()

/** Everything that prevents a launch, at the steps that show the fields, in the order of the steps. */
export function launchProblems(state: WizardState, market: LaunchMarket | null): Problem[] {
  const cached = latest.get(state)
  if (cached?.market === market) return cached.found
  const found = problems(draftOf(state), market)
  latest.set(state, { market, found })
  return found
}

/** The problems that keep a step (from 1) from being complete; empty when Continue may be pressed. */
export const stepProblems = (state: WizardState, step: number, market: LaunchMarket | null): Problem[] =>
  launchProblems(state, market).filter(problem => problem.step === step)

/** A problem that the server found, at the step of its field. */
export const problemAt = (field: string, message: string): FieldProblem => ({
  field,
  message,
  step: stepOfField(field),
})

/** Why a product cannot be selected now, as a notification; null when it can. */
export function productRefusal(
  { products, template }: WizardState,
  candidate: Record<'asin' | 'spEligibilityStatus' | 'spEligibilityMessage', string | null>,
): { title: string; message: string } | null {
  const { asin, spEligibilityStatus, spEligibilityMessage } = candidate
  if (asin === null || spEligibilityStatus === 'INELIGIBLE')
    return {
      title: 'Product Not Eligible',
      message: spEligibilityMessage || 'This product is not eligible for Sponsored Products campaigns.',
    }
  if (products.some(p => p.asin === asin)) return { title: 'ASIN Already Selected', message: productMessages.duplicate }
  const isMulti = isMultiProduct(template)
  if (products.length < (isMulti ? MAX_PRODUCTS : 1)) return null
  const full = `A campaign can have at most ${MAX_PRODUCTS} products; remove one of them first.`
  return { title: 'Product Limit Reached', message: isMulti ? full : productMessages.limit }
}
