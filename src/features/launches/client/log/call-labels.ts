import type { CallOutcome, CallStep, Launch, LaunchCall } from '../../contract.ts'
import { stepLabels } from '../launch-labels.ts'

/** What became of a call, and what that means for the launch. */
export const outcomeLabels: Record<CallOutcome, { name: string; meaning: string }> = {
  ANSWERED: {
    name: 'Answered',
    meaning: 'The marketplace accepted the call; its answer lists the result of each item.',
  },
  REFUSED: { name: 'Rejected', meaning: 'The marketplace rejected the call. Nothing changed.' },
  UNREACHED: { name: 'Not delivered', meaning: 'The call did not reach the marketplace. Nothing changed.' },
  UNKNOWN: { name: 'No answer', meaning: 'The change may have happened. The launch checks before it sends it again.' },
}
export const outcomeTones: Record<CallOutcome, string> = {
  ANSWERED: '',
  REFUSED: 'tag-danger',
  UNREACHED: 'tag-danger',
  UNKNOWN: 'tag-accent',
}

/** What a call was made for, as a seller would say it. */
export const callStepLabel = (step: CallStep): string => (step === 'UNDO' ? 'Undoing the launch' : stepLabels[step])

const verbLabels: Record<string, string> = {
  create: 'Create',
  update: 'Change',
  list: 'Look up',
  archive: 'Archive',
  recommend: 'Get recommended',
}
const objectLabels: Record<string, string> = {
  campaigns: 'campaigns',
  adGroups: 'ad groups',
  productAds: 'product ads',
  keywords: 'keywords',
  targetingClauses: 'targets',
  negativeKeywords: 'negative keywords',
  bids: 'bids',
  categories: 'categories',
  products: 'products',
  'product themes': 'products',
}
// Where the step knows better what a change is for.
const changesOf: Partial<Record<CallStep, string>> = {
  ENABLE: 'Enable campaigns',
  AUTO_TARGETS: 'Set bids for automatic targeting',
}
const operationLabels: Record<string, string> = {
  'check eligibility': 'Check whether the products can be advertised',
}

/** What a call does, as a seller would say it; the call's own name where nobody has said it yet. */
export function callName({ operation, step }: Pick<LaunchCall, 'operation' | 'step'>): string {
  const [verb = '', ...rest] = operation.split(' ')
  const own = verb === 'update' && step ? changesOf[step] : undefined
  const said = verbLabels[verb]
  const things = objectLabels[rest.join(' ')]
  return own ?? operationLabels[operation] ?? (said && things ? `${said} ${things}` : operation)
}

export const entityLabels: Record<Launch['created'][number]['entity'], string> = {
  CAMPAIGN: 'Campaigns',
  AD_GROUP: 'Ad groups',
  PRODUCT_AD: 'Product ads',
  KEYWORD: 'Keywords',
  PRODUCT_TARGET: 'Product targets',
  NEGATIVE_KEYWORD: 'Negative keywords',
}

/** Day and time to the second, as the device writes them. */
export function formatSecond(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** JSON as people read it; what is none stays as it came. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
