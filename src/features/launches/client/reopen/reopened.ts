import type { Launch } from '../../contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type FieldProblem, firstIncomplete, problemAt } from '../../draft/rules.ts'
import { failedFields, nextName, stateOf, withoutPlace } from '../../draft/reopen.ts'
import { productOf, STEP_COUNT, type WizardProduct, type WizardState } from '../../draft/wizard-state.ts'
import { wizardReducer } from '../wizard/wizard-reducer.ts'

/** A launch as the wizard opens it again, at `currentStep` of its state. */
export interface Reopened {
  state: WizardState
  /** What the user has to fix, in the order of the steps; `currentStep` is the step of the first. */
  problems: readonly FieldProblem[]
  /** Sentences about what differs from the launch. */
  notes: readonly string[]
}

type Listed = Parameters<typeof productOf>[0]

/**
 * The payload of a launch as a wizard, with the products as they are listed now, at the step of the first problem or at the
 * review. Null when the payload can no longer be read.
 */
export function reopened(launch: Launch, listed: readonly Listed[], market: MarketplaceFacts): Reopened | null {
  const payload = launch.asked?.payload
  const launched = payload && stateOf(payload)
  if (!payload || !launched) return null
  const unlisted = launched.products.filter(product => !rowOf(product, listed))
  const remaining = unlisted.reduce(
    (state, { asin }) => wizardReducer(state, { type: 'productRemoved', asin }),
    launched,
  )
  const products = remaining.products.map(product => productOf(rowOf(product, listed) ?? product) ?? product)
  const failed = failedFields(launch)
  const isRenamed = holdsName(launch) && !failed.some(({ field }) => field === 'campaignName')
  const campaignName = isRenamed ? nextName(launched.campaignName) : launched.campaignName
  const state = { ...remaining, products, campaignName }
  const problems = [
    ...(unlisted.length ? [problemAt('products', unlistedNote(unlisted))] : []),
    ...failed,
    ...(firstIncomplete(state, market)?.problems ?? []).map(({ field, message }) => problemAt(field, message)),
  ].sort((a, b) => a.step - b.step)
  const lost = withoutPlace(payload, launched)
  return {
    state: { ...state, currentStep: problems[0]?.step ?? STEP_COUNT },
    problems,
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

// What the launch created keeps its name, on the marketplace too.
const holdsName = ({ createdCount, undo }: Launch): boolean => createdCount > 0 && undo !== 'DONE'

const renameNote = ({ campaignName, status }: Launch, name: string): string => {
  const instead = status === 'COMPLETED' ? '' : ' If this launch replaces it, undo the old one in the log.'
  return `The new name is “${name}”, because “${campaignName}” still exists.${instead}`
}

const namedAtMost = 3

function unlistedNote(unlisted: readonly WizardProduct[]): string {
  const named = unlisted.slice(0, namedAtMost).map(({ asin, sku }) => `${asin} (${sku})`)
  const more = unlisted.length > namedAtMost ? ` and ${unlisted.length - namedAtMost} more` : ''
  return `No longer listed, so removed along with its targeting: ${named.join(', ')}${more}`
}
