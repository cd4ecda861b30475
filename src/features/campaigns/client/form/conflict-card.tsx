import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { type Campaign, campaignFields } from '#features/structure/contract.ts'
import { placements } from '#shared/campaign-rules.ts'
import { fieldsOfRow } from '#shared/fields.ts'
import type { Draft } from './entity-form.tsx'
import { type FieldValue, formatField, inputFields, placementLabels } from './field-labels.ts'

interface ConflictCardProps {
  mine: Draft
  current: Draft
  theirs: Campaign
  onChoose: (keepMine: boolean) => void
}

const percent = (value: FieldValue): string => `${value ?? '–'}%`

/** Somebody else changed the campaign: what differs, both ways, and the choice. */
export function ConflictCard({ mine, current, theirs, onChoose }: ConflictCardProps) {
  const lines = [
    ...inputFields(fieldsOfRow(campaignFields, theirs)).map(([name, field]) => ({
      name,
      label: field.label,
      format: (value: FieldValue) => formatField(name, field, value, theirs.currency),
    })),
    ...placements.map(name => ({ name, label: placementLabels[name], format: percent })),
  ].filter(({ name }) => mine[name] !== current[name])
  return (
    <Card title="This campaign was changed in the meantime">
      <div aria-live="assertive">
        <table className="conflict">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">Field</span>
              </th>
              <th scope="col">Yours</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ name, label, format }) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>{format(mine[name] ?? null)}</td>
                <td>{format(current[name] ?? null)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p>It is now as you wanted it.</p>}
      </div>
      <div className="detail-actions">
        <Button onClick={() => onChoose(true)}>Keep mine</Button>
        <Button onClick={() => onChoose(false)}>Use the current version</Button>
      </div>
    </Card>
  )
}
