import type { ReactNode } from 'react'
import { CheckField, ChoiceCards } from '#client/ui/forms/choices.tsx'
import { TextField } from '#client/ui/forms/fields.tsx'
import { MoneyField, NumberField } from '#client/ui/forms/number-field.tsx'
import { errorsOf } from '#client/ui/forms/use-form.ts'
import { changeKinds, optimizerEndpoints, type SettingsChange, strategies, type Strategy } from '../contract.ts'
import { askWords, strategyWords } from '../optimizer-words.ts'

/** The settings of a group as its forms hold them: null while a field is empty, one entry a line for what is never changed. */
export interface SettingValues {
  name: string
  targetAcos: number | null
  strategy: Strategy
  dailyBudget: number | null
  highestBid: number | null
  launchUntil: string
  launchBudget: number | null
  untouched: string
  asks: readonly (typeof changeKinds)[number][]
}

/** What is sent of the settings. */
export function settingsOf(values: SettingValues): SettingsChange {
  const isLaunch = values.strategy === 'LAUNCH'
  return {
    ...values,
    // What is missing is for the schema to say.
    targetAcos: values.targetAcos as number,
    dailyBudget: values.dailyBudget as number,
    launchUntil: isLaunch && values.launchUntil ? values.launchUntil : null,
    launchBudget: isLaunch ? values.launchBudget : null,
    untouched: values.untouched.split('\n').flatMap(line => line.trim() || []),
    asks: [...values.asks],
  }
}

/** What is wrong with the settings, by field. */
export function settingErrors(values: SettingValues): Partial<Record<keyof SettingValues, string>> {
  const errors = errorsOf(optimizerEndpoints.update.body, settingsOf(values))
  const isEndless = values.strategy === 'LAUNCH' && !values.launchUntil && values.launchBudget === null
  return { ...errors, ...(isEndless && { launchUntil: 'Enter a last day, or an amount to spend' }) }
}

interface FieldsProps {
  values: SettingValues
  errors: Partial<Record<keyof SettingValues, string>>
  onChange: (change: Partial<SettingValues>) => void
}

export function TargetFields({ values, errors, onChange, children }: FieldsProps & { children?: ReactNode }) {
  return (
    <>
      <NumberField
        label="Target ACOS"
        name="targetAcos"
        suffix="%"
        value={values.targetAcos}
        error={errors.targetAcos}
        onChange={targetAcos => onChange({ targetAcos })}
        help="The upper limit for the average of all these campaigns. A single keyword may be above it where the others make up for it."
      />
      {children}
    </>
  )
}

interface StrategyFieldsProps extends FieldsProps {
  /** What fits by what is on record. */
  fitting?: Strategy
  today: string
  currency: string
}

export function StrategyFields({ values, errors, onChange, fitting, today, currency }: StrategyFieldsProps) {
  return (
    <>
      <ChoiceCards
        legend="Strategy"
        name="strategy"
        value={values.strategy}
        onChange={strategy => onChange({ strategy })}
        options={strategies.map(value => ({
          value,
          label: value === fitting ? `${strategyWords[value].label} · fits best` : strategyWords[value].label,
          hint: strategyWords[value].help,
        }))}
      />
      {values.strategy === 'LAUNCH' && (
        <>
          <TextField
            label="Last day of the launch"
            name="launchUntil"
            type="date"
            min={today}
            value={values.launchUntil}
            error={errors.launchUntil}
            onChange={launchUntil => onChange({ launchUntil })}
          />
          <MoneyField
            label="What the launch may cost (optional)"
            name="launchBudget"
            currency={currency}
            optional
            value={values.launchBudget}
            error={errors.launchBudget}
            onChange={launchBudget => onChange({ launchBudget })}
          />
        </>
      )}
    </>
  )
}

export function MoneyFields({ values, errors, onChange, currency }: FieldsProps & { currency: string }) {
  return (
    <>
      <MoneyField
        label="Total daily budget"
        name="dailyBudget"
        currency={currency}
        value={values.dailyBudget}
        error={errors.dailyBudget}
        onChange={dailyBudget => onChange({ dailyBudget })}
        help="The most that these campaigns may spend on a day together. It is never raised without you."
      />
      <MoneyField
        label="Highest bid (optional)"
        name="highestBid"
        currency={currency}
        optional
        value={values.highestBid}
        error={errors.highestBid}
        onChange={highestBid => onChange({ highestBid })}
        help="No bid goes above it. Empty: only the marketplace’s own limit."
      />
    </>
  )
}

export function LimitFields({ values, errors, onChange }: FieldsProps) {
  return (
    <>
      <fieldset className="choices">
        <legend>Ask me first about</legend>
        {changeKinds.map(kind => (
          <CheckField
            key={kind}
            label={askWords[kind].label}
            help={askWords[kind].help}
            checked={values.asks.includes(kind)}
            onChange={isOn =>
              onChange({ asks: changeKinds.filter(one => (one === kind ? isOn : values.asks.includes(one))) })
            }
          />
        ))}
      </fieldset>
      <TextField
        label="Never touch (optional)"
        name="untouched"
        rows={4}
        value={values.untouched}
        error={errors.untouched}
        onChange={untouched => onChange({ untouched })}
        placeholder={'steel bottle\nB0CXYZ1234'}
        help="Keywords, search terms and ASINs, one a line. Their bids stay, and they become neither negatives nor new targets."
      />
    </>
  )
}
