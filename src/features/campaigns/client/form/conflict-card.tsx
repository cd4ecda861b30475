import { Card } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'

/** One field that differs, both values as text. */
export interface ConflictLine {
  label: string
  mine: string
  current: string
}

interface ConflictCardProps {
  /** What was changed: "campaign". */
  noun: string
  lines: readonly ConflictLine[]
  onChoose: (keepMine: boolean) => void
}

/** Somebody else changed the row: what differs, both ways, and the choice. */
export function ConflictCard({ noun, lines, onChoose }: ConflictCardProps) {
  return (
    <Card title={`This ${noun} was changed in the meantime`}>
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
            {lines.map(({ label, mine, current }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{mine}</td>
                <td>{current}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {lines.length === 0 && <p>It already has the values that you entered.</p>}
      </div>
      <div className="detail-actions">
        <Button onClick={() => onChoose(true)}>Keep mine</Button>
        <Button onClick={() => onChoose(false)}>Use the current version</Button>
      </div>
    </Card>
  )
}
