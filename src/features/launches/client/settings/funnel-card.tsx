import { phaseSummaries } from '../../draft/rules.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardFields } from '../wizard/wizard-reducer.ts'
import { PhaseShares } from './phase-shares.tsx'

interface FunnelCardProps {
  state: WizardState
  currency: string
  /** The budget of each campaign; empty while the total is too low. */
  split: readonly { phase: string; budget: number }[]
  sharesError: string | undefined
  set: (fields: Partial<WizardFields>) => void
}

/** The phases of a funnel, which of them to include, and their split of the budget. */
export function FunnelCard({ state, currency, split, sharesError, set }: FunnelCardProps) {
  return (
    <Card title="Funnel structure preview">
      <ol className="phases">
        {phaseSummaries(state).map(({ name, targeting }) => (
          <li key={name}>
            <strong>{name}</strong> <span className="muted">({targeting})</span>
          </li>
        ))}
      </ol>
      <CheckField
        label="Include High Impact Campaign"
        help="Aggressive bidding on high-intent keywords for customers ready to buy."
        checked={state.includeHighImpact}
        onChange={includeHighImpact => set({ includeHighImpact })}
      />
      <CheckField
        label="Include Ranking"
        help="Competes for the best placements. Without it, the other phases share its budget in proportion, and its keywords go to Performance."
        checked={state.includeRanking}
        onChange={includeRanking => set({ includeRanking })}
      />
      <PhaseShares
        state={state}
        currency={currency}
        split={split}
        error={sharesError}
        onShares={budgetShares => set({ budgetShares })}
      />
    </Card>
  )
}
