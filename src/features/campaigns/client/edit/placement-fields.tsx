import type { ComponentProps } from 'react'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { MAX_PLACEMENT_PERCENT, type Placement, placements } from '../../rules.ts'
import { placementWords } from '../form/strategy-words.ts'

type Field = Pick<ComponentProps<typeof NumberField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>

/** How much higher a campaign bids at each place. */
export const PlacementFields = ({ field }: { field: (placement: Placement) => Field }) => (
  <fieldset className="placements">
    <legend>Bid more by placement</legend>
    <p className="field-help">On top of each bid, from 0 to {MAX_PLACEMENT_PERCENT}%.</p>
    {placements.map(placement => (
      <NumberField key={placement} label={placementWords[placement]} digits={0} suffix="%" {...field(placement)} />
    ))}
  </fieldset>
)
