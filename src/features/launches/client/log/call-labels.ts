import type { CallOutcome, CallStep, Launch, LaunchCall } from '../../contract.ts'
import { stepLabels } from '../launch-labels.ts'

/** The outcome of a call, and its meaning for the launch. */
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

/** The purpose of a call, in a seller's words. */
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
// What an update does in these steps.
const changesOf: Partial<Record<CallStep, string>> = {
  ENABLE: 'Enable campaigns',
  AUTO_TARGETS: 'Set bids for automatic targeting',
}
const operationLabels: Record<string, string> = {
  'check eligibility': 'Check whether the products can be advertised',
}

/** What a call does, in a seller's words; the name of the operation when there is no label for it. */
export function callName({ operation, step }: Pick<LaunchCall, 'operation' | 'step'>): string {
  const [verb = '', ...rest] = operation.split(' ')
  const changeLabel = verb === 'update' && step ? changesOf[step] : undefined
  const verbLabel = verbLabels[verb]
  const things = objectLabels[rest.join(' ')]
  return changeLabel ?? operationLabels[operation] ?? (verbLabel && things ? `${verbLabel} ${things}` : operation)
}

export const entityLabels: Record<Launch['created'][number]['entity'], string> = {
  CAMPAIGN: 'Campaigns',
  AD_GROUP: 'Ad groups',
  PRODUCT_AD: 'Product ads',
  KEYWORD: 'Keywords',
  PRODUCT_TARGET: 'Product targets',
  NEGATIVE_KEYWORD: 'Negative keywords',
}

/** Date and time to the second, in the device's format. */
export function formatSecond(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** Indented JSON; other text stays as it is. */
export function readableJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
