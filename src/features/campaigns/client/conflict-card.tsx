import { Money } from '#client/ui/figures/figure.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { Campaign } from '../contract.ts'
import { type CampaignDraft, valuesOf } from './campaign-form-values.ts'
import { strategyLabel } from './strategy-words.ts'

interface ConflictCardProps {
  mine: CampaignDraft
  theirs: Campaign
  onChoose: (keepMine: boolean) => void
}

/** The campaign was changed meanwhile: what differs, both ways, and the choice. */
export const ConflictCard = ({ mine, theirs, onChoose }: ConflictCardProps) => {
  const now = valuesOf(theirs)
  const shown = (values: CampaignDraft) => ({
    name: values.name,
    budget: <Money amount={values.budget} currency={theirs.currency} />,
    state: values.state === 'ENABLED' ? 'Enabled' : 'Paused',
    biddingStrategy: strategyLabel(values.biddingStrategy),
  })
  const [yours, current] = [shown(mine), shown(now)]
  const rows = (
    [
      ['name', 'Campaign name'],
      ['budget', 'Daily budget'],
      ['state', 'State'],
      ['biddingStrategy', 'Bidding strategy'],
    ] as const
  ).filter(([name]) => mine[name] !== now[name])
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
