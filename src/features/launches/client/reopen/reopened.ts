import type { Launch } from '../../contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type FieldProblem, firstIncomplete, problemAt } from '../../draft/rules.ts'
import { failedFields, nextName, stateOf, withoutPlace } from '../../draft/reopen.ts'
import { productOf, STEP_COUNT, type WizardProduct, type WizardState } from '../../draft/wizard-state.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'

/** A launch as the wizard opens it anew, at `currentStep` of its state. */
export interface Reopened {
  state: WizardState
  /** What to mend, in the order of the steps; `currentStep` is that of the first. */
  faults: readonly FieldProblem[]
  /** What is otherwise than it was launched, in sentences. */
  notes: readonly string[]
}

type Listed = Parameters<typeof productOf>[0]

/**
 * What a launch was asked for, with what is listed now in place of the products, at the step where the first fault is mended;
 * at the review where there is none. Null where it cannot be understood any more.
 */
export function reopened(launch: Launch, listed: readonly Listed[], market: MarketplaceFacts): Reopened | null {
  const payload = launch.asked?.payload
  const asked = payload && stateOf(payload)
  if (!payload || !asked) return null
  const gone = asked.products.filter(product => !rowOf(product, listed))
  const still = gone.reduce((state, { asin }) => wizardReducer(state, { type: 'productRemoved', asin }), asked)
  const products = still.products.map(product => productOf(rowOf(product, listed) ?? product) ?? product)
  const failed = failedFields(launch)
  const isRenamed = holdsName(launch) && !failed.some(({ field }) => field === 'campaignName')
  const campaignName = isRenamed ? nextName(asked.campaignName) : asked.campaignName
  const state = { ...still, products, campaignName }
  const faults = [
    ...(gone.length ? [problemAt('products', unlistedNote(gone))] : []),
    ...failed,
    ...(firstIncomplete(state, market)?.problems ?? []).map(({ field, message }) => problemAt(field, message)),
  ].sort((a, b) => a.step - b.step)
  const lost = withoutPlace(payload, asked)
  return {
    state: { ...state, currentStep: faults[0]?.step ?? STEP_COUNT },
    faults,
    notes: [
      ...(isRenamed ? [renameNote(launch, campaignName)] : []),
      ...(lost
        ? [
            `${lost} of its terms ${lost === 1 ? 'does' : 'do'} not fit into the wizard and ${lost === 1 ? 'was' : 'were'} left out.`,
          ]
        : []),
    ],
  }
}

function rowOf({ asin, sku }: WizardProduct, listed: readonly Listed[]): Listed | undefined {
  return listed.find(row => row.asin === asin && row.sku === sku)
}

// What was made keeps its name, on the marketplace too.
const holdsName = ({ createdCount, undo }: Launch): boolean => createdCount > 0 && undo !== 'DONE'

const renameNote = ({ campaignName, status }: Launch, name: string): string => {
  const instead = status === 'COMPLETED' ? '' : ' If this launch replaces it, undo the old one in the log.'
  return `The new name is “${name}”, because “${campaignName}” still exists.${instead}`
}

const namedAtMost = 3

function unlistedNote(gone: readonly WizardProduct[]): string {
  const named = gone.slice(0, namedAtMost).map(({ asin, sku }) => `${asin} (${sku})`)
  const more = gone.length > namedAtMost ? ` and ${gone.length - namedAtMost} more` : ''
  return `No longer listed, so removed along with its targeting: ${named.join(', ')}${more}`
}
