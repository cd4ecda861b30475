import type { ComponentProps } from 'react'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import type { Placement } from '#shared/campaign-rules.ts'
import { MAX_PLACEMENT_PERCENT, placementsOf } from '#shared/campaign-rules.ts'
import { placementWords } from '../form/strategy-words.ts'

type Field = Pick<ComponentProps<typeof NumberField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>

interface PlacementFieldsProps {
  adType: string
  field: (placement: Placement) => Field
}

/** How much higher a campaign bids at each place that its ad type has. */
export const PlacementFields = ({ adType, field }: PlacementFieldsProps) => (
  <fieldset className="placements">
    <legend>Bid more by placement</legend>
    <p className="field-help">On top of each bid, from 0 to {MAX_PLACEMENT_PERCENT}%.</p>
    {placementsOf(adType).map(placement => (
      <NumberField key={placement} label={placementWords[placement]} digits={0} suffix="%" {...field(placement)} />
    ))}
  </fieldset>
)
