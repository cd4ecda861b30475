import * as v from 'valibot'
import { CheckField, ChoiceCards } from '#client/ui/forms/choices.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { settingsBlocks, type WizardState } from '../../draft/wizard-state.ts'
import { phases, phases as phaseNames, templateOf } from '../../templates.ts'
import { type StepProps, ProblemNote } from '../steps/step-parts.tsx'
import { matchLabels, productMatchLabels } from '../wizard/labels.ts'
import type { WizardFields } from '../wizard/wizard-reducer.ts'
import { CampaignDetails } from './campaign-details.tsx'
import { useId, useRef, useState } from 'react'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { fromMicros, toMicros } from '#shared/money.ts'
import { type BudgetShares, budgetShares, usualShares } from '../../plan/budget-shares.ts'
import { stepProblems } from '../../draft/rules.ts'

const modeLabels = { AUTO: 'Automatic', MANUAL: 'Manual' }
const typeLabels = { CATEGORY: 'Category Targeting', PRODUCT: 'Product Targeting' }
const targetingChoices = [
  { block: 'automation', field: 'automationMode', legend: 'Targeting Mode', labels: modeLabels },
  { block: 'keywordMatch', field: 'keywordMatchType', legend: 'Keyword Match Type', labels: matchLabels },
  { block: 'productTargetType', field: 'productTargetType', legend: 'Product Targeting Type', labels: typeLabels },
  { block: 'productMatch', field: 'productMatchType', legend: 'Product Match Type', labels: productMatchLabels },
] as const

export function SettingsStep(props: StepProps) {
  const { state, dispatch, messages } = props
  const blocks = settingsBlocks(state)
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
  return (
    <>
      <CampaignDetails {...props} />
      {blocks.funnel && (
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
          <PhaseShares {...props} />
        </Card>
      )}
      {targetingChoices.map(
        ({ block, field, legend, labels }) =>
          blocks[block] && (
            <ChoiceCards
              key={field}
              legend={legend}
              value={state[field]}
              error={messages[field]}
              onChange={value => set({ [field]: value })}
              options={Object.entries(labels).map(([value, label]) => ({ value, label }))}
            />
          ),
      )}
      {blocks.brandTerms && (
        <Card title="Brand terms">
          <CheckField
            label="Separate campaigns for brand terms"
            help="Keywords with your own brand and keywords with a competitor’s brand get one campaign each, with 10% of the budget. The other campaigns exclude them."
            checked={state.separateBrandTerms}
            onChange={separateBrandTerms => set({ separateBrandTerms })}
          />
        </Card>
      )}
    </>
  )
}

function phaseSummaries({
  includeHighImpact,
  includeRanking,
}: Pick<WizardState, 'includeHighImpact' | 'includeRanking'>) {
  return [
    { name: phases.DISCOVERY, targeting: 'auto, broad' },
    { name: phases.RESEARCH, targeting: 'manual, phrase' },
    { name: phases.PERFORMANCE, targeting: 'manual, exact' },
    ...(includeRanking ? [{ name: phases.RANKING, targeting: 'manual, competitive bidding' }] : []),
    ...(includeHighImpact ? [{ name: phases.HIGH_IMPACT, targeting: 'manual, aggressive' }] : []),
  ]
}

type SharedPhase = keyof BudgetShares
const sharedPhases = ['DISCOVERY', 'RESEARCH', 'PERFORMANCE', 'RANKING', 'HIGH_IMPACT'] as const

function PhaseShares({ state, dispatch, market, budget, messages }: StepProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const byAdGroup = state.template !== null && templateOf(state.template).byAdGroup
  const usual = usualShares(state)
  const phases = byAdGroup ? (['DISCOVERY'] as const) : sharedPhases.filter(phase => usual[phase] !== undefined)
  const shares = state.budgetShares ?? usual
  const problems = stepProblems(state, 3, market)
  const error = messages['budgetShares'] ?? problems.find(({ field }) => field === 'budgetShares')?.message
  const set = (next: BudgetShares) =>
    dispatch({ type: 'fieldsSet', fields: { budgetShares: unlessDefault(next, usual) } })
  const setAndFocusHeading = (next: BudgetShares) => {
    set(next)
    // The button disappears with the problem that it fixes.
    heading.current?.focus()
  }
  const helpOf = (phase: SharedPhase) => {
    const amount = error || byAdGroup ? null : amountOfPhase(phase, budget?.split ?? [])
    return amount === null ? undefined : `${formatMoney(amount, market.currency)} a day`
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
            help={helpOf(phase)}
            onPercent={percent => set(byAdGroup ? sharesAround(percent, usual) : { ...shares, [phase]: percent })}
          />
        ))}
      </div>
      <ProblemNote>{error}</ProblemNote>
      <div className="button-row">
        {rest !== 0 && shareProblem(performance, most) === null && (
          <Button onClick={() => setAndFocusHeading({ ...shares, PERFORMANCE: performance })}>
            Set Performance to {formatPercent(performance)}
          </Button>
        )}
        {state.budgetShares && <Button onClick={() => setAndFocusHeading(usual)}>Use the default split</Button>}
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
  return (
    <NumberField
      label={`${phaseNames[phase]} share`}
      name={`share ${phase}`}
      digits={1}
      suffix="%"
      value={typed ? typed.value : percent}
      error={(typed && shareProblem(typed.value, most)) ?? undefined}
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

const step = 0.5
const least = 1

/** Why a share is not possible; null when it is. `most` is what the other phases leave. */
export function shareProblem(percent: number | null, most: number): string | null {
  const parsed = v.safeParse(budgetShares.entries.DISCOVERY, percent)
  if (!parsed.success) return parsed.issues[0].message
  return parsed.output > most ? `At most ${most}%: each other phase needs at least ${least}%` : null
}

const settledShare = (percent: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(percent / step) * step))

const sumOf = (shares: Partial<BudgetShares>): number =>
  Object.values(shares).reduce((sum: number, one) => sum + (one ?? 0), 0)

/** The highest share of one phase, while each other phase has the lowest. */
const mostOf = (usual: BudgetShares): number => 100 - (Object.keys(usual).length - 1) * least

/**
 * A split with this share for Discovery and the other phases in their default proportions. Ad group funnels ask only for
 * this share, because their later phases share one budget.
 */
export function sharesAround(discovery: number, usual: BudgetShares): BudgetShares {
  const scaled = Object.entries(usual).map(([phase, percent = 0]) => {
    const share = ((100 - discovery) * percent) / (100 - usual.DISCOVERY)
    return [phase, Math.max(least, Math.floor(share / step) * step)]
  })
  const shares: BudgetShares = { ...Object.fromEntries(scaled), DISCOVERY: discovery, PERFORMANCE: 0 }
  return { ...shares, PERFORMANCE: 100 - sumOf(shares) }
}

export function unlessDefault(shares: BudgetShares, usual: BudgetShares): BudgetShares | null {
  return sharedPhases.every(phase => shares[phase] === usual[phase]) ? null : shares
}

/** The sum of the budgets of a phase's campaigns; null when it has none. */
export function amountOfPhase(phase: SharedPhase, split: readonly { phase: string; budget: number }[]): number | null {
  const campaigns = split.filter(campaign => campaign.phase === phase)
  return campaigns.length ? fromMicros(campaigns.reduce((sum, { budget }) => sum + toMicros(budget), 0)) : null
}
