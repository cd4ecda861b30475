import { addOutline, closeOutline } from 'ionicons/icons'
import { useState } from 'react'
import { formatFigure } from '#client/ui/figures/format.ts'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { metrics } from '#shared/metrics.ts'
import {
  type Comparison,
  comparisons,
  type FigureCondition,
  MAX_FIGURE_CONDITIONS,
  parseFigureFilter,
  writeFigureFilter,
} from '../../figure-filter.ts'
import { figureOptions } from '../figures/row-figures.tsx'

const comparisonLabels: Record<Comparison, string> = { '>': 'above', '>=': 'at least', '<': 'below', '<=': 'at most' }
const comparisonOptions = comparisons.map(value => ({ value, label: comparisonLabels[value] }))

/** What sellers look for most; each is a text of conditions. */
const presets = [
  { label: 'Spend without orders', figures: 'cost>0,orders<=0' },
  { label: 'ACOS above 40%', figures: 'acos>40' },
  { label: '10 clicks, no orders', figures: 'clicks>=10,orders<=0' },
  { label: 'No impressions', figures: 'impressions<=0' },
]

interface ConditionsProps {
  /** The text of an address; what is none of conditions counts as none. */
  figures: string | undefined
  onChange: (figures: string | undefined) => void
}

const conditionsIn = (figures: string | undefined): FigureCondition[] =>
  (figures === undefined ? null : parseFigureFilter(figures)) ?? []

/** Narrows a list by its figures; a condition takes effect once it has a number. */
export function FigureConditions({ figures, onChange }: ConditionsProps) {
  const conditions = conditionsIn(figures)
  // A condition is typed here until it is whole.
  const [draft, setDraft] = useState<Omit<FigureCondition, 'value'> | null>(null)
  const replace = (index: number, next: FigureCondition | null): void =>
    onChange(writeFigureFilter(conditions.flatMap((one, at) => (at === index ? (next ?? []) : one))))
  return (
    <fieldset className="figure-conditions">
      <legend>Figures</legend>
      <div className="condition-presets">
        {presets.map(preset => (
          <button
            key={preset.figures}
            type="button"
            className={figures === preset.figures ? 'chip chip-active' : 'chip'}
            aria-pressed={figures === preset.figures}
            onClick={() => onChange(figures === preset.figures ? undefined : preset.figures)}
          >
            {preset.label}
          </button>
        ))}
      </div>
      {conditions.map((condition, index) => (
        <ConditionFields
          key={index}
          number={index + 1}
          condition={condition}
          onChange={next => next.value !== null && replace(index, { ...next, value: next.value })}
          onRemove={() => replace(index, null)}
        />
      ))}
      {draft ? (
        <ConditionFields
          number={conditions.length + 1}
          condition={{ ...draft, value: null }}
          onChange={next => {
            if (next.value === null) return setDraft(next)
            setDraft(null)
            onChange(writeFigureFilter([...conditions, { ...next, value: next.value }]))
          }}
          onRemove={() => setDraft(null)}
        />
      ) : (
        conditions.length < MAX_FIGURE_CONDITIONS && (
          <Button onClick={() => setDraft({ metric: 'acos', is: '>' })}>
            <Icon icon={addOutline} /> Add a condition
          </Button>
        )
      )}
    </fieldset>
  )
}

type Draft = Omit<FigureCondition, 'value'> & { value: number | null }
interface ConditionFieldsProps {
  number: number
  condition: Draft
  onChange: (next: Draft) => void
  onRemove: () => void
}

function ConditionFields({ number, condition, onChange, onRemove }: ConditionFieldsProps) {
  const { currency } = useCurrentMarketplace()
  const [value, setValue] = useState(condition.value)
  const { unit, label } = metrics[condition.metric]
  // Written into the address once the field is left, so that "4" on the way to "40" loads nothing.
  const commit = (): void => {
    if (value !== null && value >= 0) onChange({ ...condition, value })
  }
  const name = `condition-${number}`
  return (
    <div className="figure-condition">
      <SelectField
        label={`Figure ${number}`}
        name={`${name}-metric`}
        value={condition.metric}
        options={figureOptions}
        onChange={metric => onChange({ ...condition, metric })}
      />
      <SelectField
        label="is"
        name={`${name}-is`}
        value={condition.is}
        options={comparisonOptions}
        onChange={is => onChange({ ...condition, is })}
      />
      <NumberField
        label={label}
        name={`${name}-value`}
        value={value}
        onChange={setValue}
        onBlur={commit}
        {...(unit === 'money' && { prefix: currency })}
        {...(unit === 'percent' && { suffix: '%' })}
      />
      <button type="button" className="icon-button" aria-label={`Remove condition ${number}`} onClick={onRemove}>
        <Icon icon={closeOutline} />
      </button>
    </div>
  )
}

/** The conditions that narrow a list, above its rows, each with the way to drop it. */
export function ActiveConditions({ figures, onChange }: ConditionsProps) {
  const { currency } = useCurrentMarketplace()
  const conditions = conditionsIn(figures)
  if (!conditions.length) return null
  return (
    <ul className="active-conditions" aria-label="Narrowed by figures">
      {conditions.map((condition, index) => {
        const { label, unit } = metrics[condition.metric]
        const text = `${label} ${comparisonLabels[condition.is]} ${formatFigure(condition.value, unit, currency)}`
        const others = conditions.filter((_, at) => at !== index)
        return (
          <li key={index}>
            <button
              type="button"
              className="chip chip-active"
              aria-label={`Remove: ${text}`}
              onClick={() => onChange(writeFigureFilter(others))}
            >
              {text} <Icon icon={closeOutline} />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
