import { formatDay, formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { TextField } from '#client/ui/forms/fields.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import type { TakeoverCheck } from '../../contract.ts'
import { askWords, strategyWords } from '../../optimizer-words.ts'
import type { SettingValues } from '../settings-fields.tsx'

/** Where the campaigns are today, next to the target that is being set. */
export function TargetNote({ check, values }: { check: TakeoverCheck; values: SettingValues }) {
  const { acos, margin, targetAcos } = check
  const isAbove = margin !== null && values.targetAcos !== null && values.targetAcos > margin
  return (
    <p className="take-over-note">
      {acos === null
        ? 'These campaigns had no sales in the last 30 settled days.'
        : `In the last 30 settled days their ACOS was ${formatPercent(acos, 1)}.`}
      {margin !== null && ` Your margin is ${formatPercent(margin, 0)}: an ACOS above it loses money.`}
      {values.targetAcos !== targetAcos && ` We would begin with ${formatPercent(targetAcos, 1)}.`}
      {isAbove && <strong> Your target is above your margin.</strong>}
    </p>
  )
}

/** Whether the costs are on record that the strategy Profit needs. */
export function StrategyNote({ check: { products, productsWithCosts } }: { check: TakeoverCheck }) {
  if (products === 0) return null
  return (
    <p className="take-over-note">
      {productsWithCosts === products
        ? 'The costs of all products are on record, so we know what a click earns you.'
        : productsWithCosts === 0
          ? 'No product costs are on record, so we do not know what a click earns you. Add them under Inventory to use Profit.'
          : `Costs are on record for ${formatNumber(productsWithCosts)} of ${formatNumber(products)} products.`}
    </p>
  )
}

export function MoneyNote({ check: { dailyBudget, cost, currency } }: { check: TakeoverCheck }) {
  return (
    <p className="take-over-note">
      Today their budgets add up to {formatMoney(dailyBudget, currency)} a day. They spent{' '}
      {formatMoney(cost / 30, currency)} a day on average.
    </p>
  )
}

interface ReviewProps {
  check: TakeoverCheck
  values: SettingValues
  errors: Partial<Record<keyof SettingValues, string>>
  onChange: (change: Partial<SettingValues>) => void
}

/** Everything that was chosen, and what happens next. */
export function Review({ check, values, errors, onChange }: ReviewProps) {
  const names = check.campaigns.map(({ name }) => name)
  return (
    <>
      <TextField
        label="Name of the group"
        name="name"
        value={values.name}
        error={errors.name}
        onChange={name => onChange({ name })}
      />
      <Card title={names.length === 1 ? '1 campaign' : `${formatNumber(names.length)} campaigns`}>
        <p>{names.join(', ')}</p>
      </Card>
      <Card title="Settings">
        <KeyValue items={itemsOf(values, check.currency)} />
      </Card>
      <p className="take-over-note">
        For the first 48 hours nothing is sent: you see what would change and why, and can stop or change the settings.
        After that it starts by itself. Every change can be undone, and everything can go back to today’s values.
      </p>
    </>
  )
}

function itemsOf(values: SettingValues, currency: string): { label: string; value: string }[] {
  const { targetAcos, strategy, dailyBudget, highestBid, launchUntil, launchBudget, untouched, asks } = values
  const count = untouched.split('\n').filter(line => line.trim()).length
  return [
    { label: 'Target ACOS, at most', value: targetAcos === null ? '–' : formatPercent(targetAcos, 1) },
    { label: 'Strategy', value: strategyWords[strategy].label },
    ...(strategy === 'LAUNCH' && launchUntil ? [{ label: 'Launch until', value: formatDay(launchUntil) }] : []),
    ...(strategy === 'LAUNCH' && launchBudget !== null
      ? [{ label: 'Launch may cost', value: formatMoney(launchBudget, currency) }]
      : []),
    { label: 'Total daily budget', value: dailyBudget === null ? '–' : formatMoney(dailyBudget, currency) },
    { label: 'Highest bid', value: highestBid === null ? 'No limit' : formatMoney(highestBid, currency) },
    {
      label: 'Asks first about',
      value: asks.map(kind => askWords[kind].label).join(', ') || 'Nothing',
    },
    { label: 'Never touched', value: count === 0 ? 'Nothing' : `${formatNumber(count)} entries` },
  ]
}

/** Beside the sheets of a tablet: what was chosen so far. */
export function Summary({
  check,
  count,
  values,
}: {
  check: TakeoverCheck | undefined
  count: number
  values: SettingValues
}) {
  return (
    <Card title="Summary">
      <KeyValue
        items={[{ label: 'Campaigns', value: formatNumber(count) }, ...(check ? itemsOf(values, check.currency) : [])]}
      />
    </Card>
  )
}
