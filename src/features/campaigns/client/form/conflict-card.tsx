import type { ReactNode } from 'react'
import { Money } from '#client/ui/figures/figure.tsx'
import { formatFullDay, formatPercent } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Campaign } from '#features/structure/contract.ts'
import { type CampaignDraft, valuesOf } from './campaign-form-values.ts'
import { placements } from '#shared/campaign-rules.ts'
import { placementWords, strategyLabel } from './strategy-words.ts'

interface ConflictCardProps {
  mine: CampaignDraft
  theirs: Campaign
  onChoose: (keepMine: boolean) => void
}

const labels: readonly (readonly [name: string, label: string])[] = [
  ['name', 'Campaign name'],
  ['budget', 'Daily budget'],
  ['targetAcos', 'Target ACOS'],
  ['state', 'State'],
  ['biddingStrategy', 'Bidding strategy'],
  ['endDate', 'Last day'],
  ...placements.map(placement => [placement, placementWords[placement]] as const),
]

/** The campaign was changed meanwhile: what differs, both ways, and the choice. */
export const ConflictCard = ({ mine, theirs, onChoose }: ConflictCardProps) => {
  const now = valuesOf(theirs)
  const shown = (values: CampaignDraft): Record<string, ReactNode> => ({
    name: values.name,
    budget: <Money amount={values.budget} currency={theirs.currency} />,
    targetAcos: values.targetAcos === null ? 'None' : formatPercent(values.targetAcos, 1),
    state: values.state === 'ENABLED' ? 'Enabled' : 'Paused',
    biddingStrategy: strategyLabel(values.biddingStrategy),
    endDate: values.endDate ? formatFullDay(values.endDate) : 'None',
    ...Object.fromEntries(placements.map(placement => [placement, `${values[placement] ?? '–'}%`])),
  })
  const [yours, current] = [shown(mine), shown(now)]
  const rows = labels.filter(([name]) => mine[name] !== now[name])
  return (
    <Card title="This campaign was changed meanwhile">
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
            {rows.map(([name, label]) => (
              <tr key={name}>
                <th scope="row">{label}</th>
                <td>{yours[name]}</td>
                <td>{current[name]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p>It is now as you wanted it.</p>}
      </div>
      <div className="detail-actions">
        <Button onClick={() => onChoose(true)}>Keep mine</Button>
        <Button onClick={() => onChoose(false)}>Take what is there now</Button>
      </div>
    </Card>
  )
}
