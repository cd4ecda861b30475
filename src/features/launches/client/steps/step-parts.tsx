import type { Dispatch, ReactNode } from 'react'
import type { Shop } from '#features/accounts/client/public.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { blockedKeywords } from '../../chosen-terms.ts'
import { draftOf } from '../../draft/payload-of.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { firstFew } from '../wizard/labels.ts'
import type { BudgetPreview } from '../wizard/structure-preview.ts'
import type { WizardAction } from '../wizard/wizard-reducer.ts'

export interface StepProps {
  state: WizardState
  dispatch: Dispatch<WizardAction>
  market: MarketplaceFacts
  shop: Shop
  budget: BudgetPreview | null
  /** Messages of a rejected launch, by field. */
  messages: Record<string, string>
}

export function ProblemNote({ children }: { children: ReactNode }) {
  return children ? (
    <p className="field-error" role="alert" tabIndex={-1} data-problem>
      {children}
    </p>
  ) : null
}

/** Products beyond the first few, which would push what follows out of sight. */
export function MoreProducts({ count, children }: { count: number; children: ReactNode }) {
  return count > 0 ? (
    <details className="fold">
      <summary>
        Show {count} more {count === 1 ? 'product' : 'products'}
      </summary>
      {children}
    </details>
  ) : null
}

/** Warns of chosen keywords that a negative keyword blocks, since the launch would be rejected. */
export function BlockedNote({ state }: { state: WizardState }) {
  const blocked = blockedKeywords(draftOf(state)).map(text => `“${text}”`)
  return (
    blocked.length > 0 && (
      <ProblemNote>
        Never shown, because a negative keyword keeps {blocked.length === 1 ? 'it' : 'them'} out: {firstFew(blocked, 5)}
        . Take out the keyword or the negative one.
      </ProblemNote>
    )
  )
}
