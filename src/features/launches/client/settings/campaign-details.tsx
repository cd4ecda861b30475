import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatMoney, formatPercent } from '#client/ui/figures/format.ts'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { TextField } from '#client/ui/forms/fields.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { accountQueries } from '#features/accounts/client/public.ts'
import { BUSY_DAY_FACTOR } from '../../review/forecast.ts'
import { DEFAULT_NAME_PATTERN, MAX_NAME_PATTERN, namePatternProblem, nameTokens } from '../../plan/plan-names.ts'
import { MAX_CAMPAIGN_NAME } from '../../launch-schema.ts'
import type { Margins } from '../../review/preview-schema.ts'
import { draftOf } from '../../draft/payload-of.ts'
import { stepProblems } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'
import { namesOf } from '../../plan/plan-structure.ts'
import { withDefaults } from '../../problems.ts'
import { launchQueries } from '../queries.ts'
import type { StepProps } from '../steps/step-parts.tsx'
import type { BudgetPreview } from '../wizard/structure-preview.ts'
import type { WizardFields } from '../wizard/wizard-reducer.ts'
import { BudgetSplit } from '../wizard/wizard-summary.tsx'

const atLeastZero = (value: number | null): number | null => (value === null ? null : Math.max(0, value))

export function CampaignDetails(props: StepProps) {
  const { state, dispatch, messages, market, budget } = props
  const set = (fields: Partial<WizardFields>) => dispatch({ type: 'fieldsSet', fields })
  // Problems are shown after the user leaves a field.
  const problems = stepProblems(state, 3, market)
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
      <NamePattern {...props} />
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
      <BreakEvenAcos {...props} />
    </Card>
  )
}

function thinText(thin: NonNullable<BudgetPreview['thin']>, campaigns: number, currency: string): string {
  const { names, cpc, leastClicks, needed } = thin
  const which = campaigns === 1 ? 'this buys' : `${names.length} of ${campaigns} campaigns buy`
  return `At about ${formatMoney(cpc, currency)} a click ${which} fewer than ${leastClicks} clicks a day, too few to learn from. About ${formatMoney(needed, currency)} a day would be enough; the review uses the suggested bids.`
}

function budgetHelp(least: number | null, budget: number | null, currency: string): string {
  const minimum = least === null ? '' : ` At least ${formatMoney(least, currency)}.`
  const busy = budget ? ` Spend can reach ${formatMoney(budget * BUSY_DAY_FACTOR, currency)} on a busy day.` : ''
  return `Total daily budget, shared by all campaigns.${minimum}${busy}`
}

function NamePattern({ state, dispatch, messages, shop }: StepProps) {
  const [open, setOpen] = useState(state.namePattern !== null)
  const pattern = state.namePattern ?? DEFAULT_NAME_PATTERN
  const problem = namePatternProblem(pattern)
  const error = messages['namePattern']
  const set = (namePattern: string | null) => dispatch({ type: 'fieldsSet', fields: { namePattern } })
  return (
    <details className="fold" open={open || error !== undefined} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Campaign naming</summary>
      {open && (
        <>
          <TextField
            label="Name pattern"
            name="namePattern"
            maxLength={MAX_NAME_PATTERN}
            value={pattern}
            onChange={value => set(value === DEFAULT_NAME_PATTERN ? null : value)}
            error={problem ?? error}
            help={`Placeholders in braces: ${nameTokens.map(token => `{${token}}`).join(', ')}.`}
          />
          {problem === null && <Preview state={state} shop={shop} />}
          {state.namePattern !== null && (
            <div className="button-row">
              <Button onClick={() => set(null)}>Use the default pattern</Button>
            </div>
          )}
        </>
      )}
    </details>
  )
}

function Preview({ state, shop }: Pick<StepProps, 'state' | 'shop'>) {
  const { data } = useQuery(accountQueries.merchant(shop.merchantId))
  const { template } = state
  if (!template) return null
  const profile = data?.profiles.find(p => p.marketplace.id === shop.marketplaceId)
  const payload = withDefaults({ ...draftOf(state), template })
  const noLists = { keywords: [], categories: [], productTargets: [] }
  const placeholders = {
    campaignName: payload.campaignName || 'Campaign name',
    products: payload.products.length ? payload.products : [{ asin: 'ASIN', sku: 'SKU', ...noLists }],
  }
  const { names } = namesOf(
    { ...payload, ...placeholders },
    {
      campaignPrefix: profile?.campaignPrefix ?? null,
      accountType: profile?.accountType === 'VENDOR' ? 'vendor' : 'seller',
    },
  )
  return (
    <div className="small">
      <p className="muted">Names of the campaigns:</p>
      <ul aria-label="Names of the campaigns">
        {names.slice(0, 3).map(name => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {names.length > 3 && <p className="muted">and {names.length - 3} more.</p>}
    </div>
  )
}

const inventory: string = '/inventory'

// The break-even ACOS of the product with the lowest margin, or why it is unknown.
function BreakEvenAcos({ state, shop }: Pick<StepProps, 'state' | 'shop'>) {
  const online = useOnline()
  const skus = state.products.map(p => p.sku)
  const { data, error, refetch } = useQuery({ ...launchQueries.margins(shop, skus), enabled: skus.length > 0 })
  if (!skus.length)
    return <p className="muted small">The break-even ACOS appears here once you choose products in step 4.</p>
  if (data) return <BreakEven margins={data} state={state} />
  if (!online) return <p className="muted small">The break-even ACOS needs a connection.</p>
  if (!error) return <p className="muted small">Calculating the break-even ACOS…</p>
  return (
    <div className="break-even">
      <p className="small">The break-even ACOS could not be loaded.</p>
      <Button onClick={() => void refetch()}>Try again</Button>
    </div>
  )
}

function BreakEven({ margins, state: { products, targetAcos } }: { margins: Margins; state: WizardState }) {
  const { breakEvenAcos, caveat } = margins
  const unknown = margins.products.filter(p => p.unknownBecause !== null)
  const titleOf = (sku: string) => products.find(p => p.sku === sku)?.title ?? sku
  const isAbove = breakEvenAcos !== null && targetAcos !== null && targetAcos > breakEvenAcos
  return (
    <div className="break-even">
      <p>
        Break-even ACOS: <strong>{breakEvenAcos === null ? 'unknown' : formatPercent(breakEvenAcos)}</strong>
        {breakEvenAcos !== null && products.length > 1 && ' (of the product with the lowest margin)'}
      </p>
      <output className="danger small">
        {isAbove && 'The target is higher than that: an average sale from these ads would lose money.'}
      </output>
      {breakEvenAcos !== null && <p className="muted small">{caveat}</p>}
      {unknown.length > 0 && (
        <details className="fold" open={unknown.length === 1}>
          <summary>
            Unknown for {unknown.length} of {products.length} {products.length === 1 ? 'product' : 'products'}
          </summary>
          <ul className="small">
            {unknown.map(({ productId, sku, price, cogs, unknownBecause }) => (
              <li key={sku}>
                {titleOf(sku)}: {unknownBecause}
                {price !== null && cogs === null && (
                  <>
                    {' '}
                    <Link
                      to={inventory}
                      className="button button-quiet"
                      search={{ product: productId, search: sku, from: 'wizard' }}
                      aria-label={`Enter COGS of ${titleOf(sku)}`}
                    >
                      Enter COGS
                    </Link>
                  </>
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
