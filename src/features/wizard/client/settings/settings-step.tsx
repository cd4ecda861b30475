import { useState } from 'react'
import { formatMoney } from '#client/ui/figures/format.ts'
import { CheckField, ChoiceCards } from '#client/ui/forms/choices.tsx'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { MAX_CAMPAIGN_NAME } from '#features/launches/contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { funnelPhases, settingsBlocks, stepFaults } from '../../rules.ts'
import type { budgetOf } from './budget-of.ts'
import { BreakEvenAcos } from './break-even-acos.tsx'
import { BudgetSplit } from './budget-split.tsx'
import { PhaseShares } from './phase-shares.tsx'
import type { WizardFields } from '../state.ts'
import type { StepProps } from '../steps/strategy-step.tsx'
import { automationWords, matchWords, productMatchWords, targetTypeWords } from '../words.ts'

interface SettingsStepProps extends StepProps {
  market: MarketplaceFacts
  budget: ReturnType<typeof budgetOf>
  shop: Shop
}

const optionsOf = <T extends string>(words: Record<T, string>) =>
  (Object.entries(words) as [T, string][]).map(([value, label]) => ({ value, label }))

const atLeastZero = (value: number | null): number | null => (value === null ? null : Math.max(0, value))

/** Step 3: name, budget, target ACOS, and what the template asks beside them. */
export const SettingsStep = ({ state, dispatch, faults, market, budget, shop }: SettingsStepProps) => {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const found = stepFaults(state, 3, { budgetFault: budget?.fault ?? null })
  const field = (name: keyof WizardFields) => ({
    name,
    error: faults[name] ?? (left.has(name) ? found.find(f => f.field === name)?.message : undefined),
    onBlur: () => setLeft(new Set(left).add(name)),
  })
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
  const blocks = settingsBlocks(state)
  const sharesError = faults['budgetShares'] ?? found.find(f => f.field === 'budgetShares')?.message
  const { currency } = market
  return (
    <>
      <Card title="Campaign Details">
        <TextField
          label="Campaign name"
          required
          maxLength={MAX_CAMPAIGN_NAME}
          help={`At most ${MAX_CAMPAIGN_NAME} characters. The phase and match type are added to it.`}
          value={state.campaignName}
          onChange={campaignName => set({ campaignName })}
          {...field('campaignName')}
        />
        <MoneyField
          label="Budget"
          required
          currency={currency}
          help={budgetHelp(budget?.least ?? null, state.budget, currency)}
          value={state.budget}
          onChange={value => set({ budget: atLeastZero(value) })}
          {...field('budget')}
        />
        {budget && budget.split.length > 1 && !sharesError && <BudgetSplit split={budget.split} currency={currency} />}
        <NumberField
          label="Target ACOS"
          required
          digits={1}
          suffix="%"
          help="Advertising cost as a share of the sales it brings, 0 to 100. It caps what a click may cost."
          value={state.targetAcos}
          onChange={value => set({ targetAcos: atLeastZero(value) })}
          {...field('targetAcos')}
        />
        <BreakEvenAcos shop={shop} products={state.products} targetAcos={state.targetAcos} />
      </Card>
      {blocks.funnel && (
        <Card title="Funnel structure preview">
          <ol className="phases">
            {funnelPhases(state.includeHighImpact).map(({ name, targeting }) => (
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
          <PhaseShares
            state={state}
            currency={currency}
            split={budget?.split ?? []}
            error={sharesError}
            onShares={budgetShares => set({ budgetShares })}
          />
        </Card>
      )}
      {blocks.automation && (
        <ChoiceCards
          legend="Targeting Mode"
          value={state.automationMode}
          error={faults['automationMode']}
          onChange={automationMode => set({ automationMode })}
          options={optionsOf(automationWords)}
        />
      )}
      {blocks.keywordMatch && (
        <ChoiceCards
          legend="Keyword Match Type"
          value={state.keywordMatchType}
          error={faults['keywordMatchType']}
          onChange={keywordMatchType => set({ keywordMatchType })}
          options={optionsOf(matchWords)}
        />
      )}
      {blocks.productTargetType && (
        <ChoiceCards
          legend="Product Targeting Type"
          value={state.productTargetType}
          error={faults['productTargetType']}
          onChange={productTargetType => set({ productTargetType })}
          options={optionsOf(targetTypeWords)}
        />
      )}
      {blocks.productMatch && (
        <ChoiceCards
          legend="Product Match Type"
          value={state.productMatchType}
          error={faults['productMatchType']}
          onChange={productMatchType => set({ productMatchType })}
          options={optionsOf(productMatchWords)}
        />
      )}
    </>
  )
}

const busyDayFactor = 2

const budgetHelp = (least: number | null, budget: number | null, currency: string): string => {
  const minimum = least === null ? '' : ` At least ${formatMoney(least, currency)}.`
  // The marketplace evens a month out: one day may spend twice its budget.
  const busy = budget ? ` On a busy day up to ${formatMoney(budget * busyDayFactor, currency)} may be spent.` : ''
  return `Total daily budget, shared by all campaigns.${minimum}${busy}`
}
