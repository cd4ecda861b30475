import { useState } from 'react'
import { formatMoney } from '#client/ui/figures/format.ts'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { BUSY_DAY_FACTOR, MAX_CAMPAIGN_NAME } from '../../contract.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { FieldProblem } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import type { WizardFields } from '../wizard/wizard-reducer.ts'
import { BreakEvenAcos } from './break-even-acos.tsx'
import { BudgetSplit } from './budget-split.tsx'
import { NamePattern } from './name-pattern.tsx'
import type { budgetOf } from '../wizard/structure-preview.ts'

export interface CampaignDetailsProps {
  state: WizardState
  /** Messages of a rejected launch, by field. */
  messages: Record<string, string>
  market: MarketplaceFacts
  budget: ReturnType<typeof budgetOf>
  shop: Shop
  /** The problems of this step, shown after the user leaves a field. */
  problems: readonly FieldProblem[]
  set: (fields: Partial<WizardFields>) => void
}

const atLeastZero = (value: number | null): number | null => (value === null ? null : Math.max(0, value))

/** Name, daily budget with its split, and target ACOS next to the break-even ACOS. */
export function CampaignDetails({ state, messages, market, budget, shop, problems, set }: CampaignDetailsProps) {
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const field = (name: keyof WizardFields) => ({
    name,
    error: messages[name] ?? (visited.has(name) ? problems.find(f => f.field === name)?.message : undefined),
    onBlur: () => setVisited(new Set(visited).add(name)),
  })
  const isShared = budget !== null && budget.split.length > 1 && !problems.some(f => f.field === 'budgetShares')
  const { currency } = market
  return (
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
      <NamePattern
        state={state}
        shop={shop}
        error={messages['namePattern']}
        onPattern={namePattern => set({ namePattern })}
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
      {isShared && <BudgetSplit split={budget.split} currency={currency} />}
      {budget?.thin && <output className="note small">{thinText(budget.thin, budget.split.length, currency)}</output>}
      <NumberField
        label="Target ACOS"
        required
        digits={1}
        suffix="%"
        help="Advertising cost as a share of the sales it brings, 0 to 100 in steps of 0.1. It caps what a click may cost."
        value={state.targetAcos}
        onChange={value => set({ targetAcos: atLeastZero(value) })}
        {...field('targetAcos')}
      />
      <BreakEvenAcos shop={shop} products={state.products} targetAcos={state.targetAcos} />
    </Card>
  )
}

type Thin = NonNullable<NonNullable<CampaignDetailsProps['budget']>['thin']>

const thinText = ({ names, cpc, leastClicks, needed }: Thin, campaigns: number, currency: string): string => {
  const which = campaigns === 1 ? 'this buys' : `${names.length} of ${campaigns} campaigns buy`
  return `At about ${formatMoney(cpc, currency)} a click ${which} fewer than ${leastClicks} clicks a day, too few to learn from. About ${formatMoney(needed, currency)} a day would be enough; the review uses the suggested bids.`
}

function budgetHelp(least: number | null, budget: number | null, currency: string): string {
  const minimum = least === null ? '' : ` At least ${formatMoney(least, currency)}.`
  const busy = budget ? ` Spend can reach ${formatMoney(budget * BUSY_DAY_FACTOR, currency)} on a busy day.` : ''
  return `Total daily budget, shared by all campaigns.${minimum}${busy}`
}
