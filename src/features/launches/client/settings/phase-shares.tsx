import { useId, useRef, useState } from 'react'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { type BudgetShares, templateOf, usualShares } from '../../contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { phases as phaseNames } from '../../templates.ts'
import { ProblemNote } from '../steps/step-parts.tsx'
import {
  amountOfPhase,
  mostOf,
  type SharedPhase,
  settledShare,
  shareProblem,
  sharesAround,
  sumOf,
  unlessDefault,
} from './share-steps.ts'

const sharedPhases = ['DISCOVERY', 'RESEARCH', 'PERFORMANCE', 'RANKING', 'HIGH_IMPACT'] as const

interface PhaseSharesProps {
  state: WizardState
  currency: string
  /** The budget of each campaign; empty while the total is too low. */
  split: readonly { phase: string; budget: number }[]
  error: string | undefined
  /** Null for the default split. */
  onShares: (shares: BudgetShares | null) => void
}

/** The adjustable split of a funnel's budget among its phases. */
export function PhaseShares({ state, currency, split, error, onShares }: PhaseSharesProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const byAdGroup = state.template !== null && templateOf(state.template).byAdGroup
  const usual = usualShares(state)
  const phases = byAdGroup ? (['DISCOVERY'] as const) : sharedPhases.filter(phase => usual[phase] !== undefined)
  const shares = state.budgetShares ?? usual
  const amountText = (phase: SharedPhase) => {
    const amount = amountOfPhase(phase, split)
    return amount === null ? undefined : `${formatMoney(amount, currency)} a day`
  }
  const set = (next: BudgetShares) => onShares(unlessDefault(next, usual))
  // The button disappears with the problem that it fixes; the focus moves to the heading.
  const runAndFocusHeading = (act: () => void) => {
    act()
    heading.current?.focus()
  }
  const most = mostOf(usual)
  const rest = 100 - sumOf(shares)
  const performance = shares.PERFORMANCE + rest
  return (
    <section className="shares" aria-labelledby={id}>
      <h3 id={id} ref={heading} tabIndex={-1}>
        Split among phases
      </h3>
      {byAdGroup && (
        <p className="muted small">
          Half of Discovery’s share goes to the automatic campaign. The ad groups of all other phases share the budget
          of the manual campaign.
        </p>
      )}
      <div className="field-pair">
        {phases.map(phase => (
          <ShareField
            key={phase}
            phase={phase}
            percent={shares[phase] ?? null}
            most={most}
            help={error || byAdGroup ? undefined : amountText(phase)}
            onPercent={percent => set(byAdGroup ? sharesAround(percent, usual) : { ...shares, [phase]: percent })}
          />
        ))}
      </div>
      <ProblemNote>{error}</ProblemNote>
      <div className="button-row">
        {rest !== 0 && shareProblem(performance, most) === null && (
          <Button onClick={() => runAndFocusHeading(() => set({ ...shares, PERFORMANCE: performance }))}>
            Set Performance to {formatPercent(performance)}
          </Button>
        )}
        {state.budgetShares && (
          <Button onClick={() => runAndFocusHeading(() => onShares(null))}>Use the default split</Button>
        )}
      </div>
    </section>
  )
}

interface ShareFieldProps {
  phase: SharedPhase
  percent: number | null
  most: number
  help: string | undefined
  onPercent: (percent: number) => void
}

function ShareField({ phase, percent, most, help, onPercent }: ShareFieldProps) {
  // A typed share that is not possible stays in the field; the draft holds only possible ones.
  const [typed, setTyped] = useState<{ value: number | null } | null>(null)
  const problem = typed ? shareProblem(typed.value, most) : null
  return (
    <NumberField
      label={`${phaseNames[phase]} share`}
      name={`share ${phase}`}
      digits={1}
      suffix="%"
      value={typed ? typed.value : percent}
      error={problem ?? undefined}
      {...(help !== undefined && { help })}
      onChange={value => {
        const isPossible = value !== null && shareProblem(value, most) === null
        setTyped(isPossible ? null : { value })
        if (isPossible) onPercent(value)
      }}
      onBlur={() => {
        setTyped(null)
        if (typed?.value != null) onPercent(settledShare(typed.value, most))
      }}
    />
  )
}
