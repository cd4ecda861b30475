import { Button } from '../ui/states/button.tsx'
import { type EditKind, type OutboxRoute, retryEdit } from './flush-outbox.ts'
import { discardEdit, type PendingEdit } from './outbox.ts'

interface OutboxListProps {
  edits: readonly PendingEdit[]
  /** Those that are loaded. */
  kinds: Record<string, EditKind>
  route: OutboxRoute
  onRevise: (id: string) => void
}

/** Changes that wait, that met somebody else's, or that the server rejected, with what can be done about each. */
export function OutboxList({ edits, kinds, route, onRevise }: OutboxListProps) {
  if (edits.length === 0) return null
  return (
    <ul>
      {edits.map(edit => (
        <li key={edit.id}>
          <span>
            {`${edit.name}: ${edit.words}`}
            {edit.aside !== undefined && <small>{edit.aside}</small>}
            {edit.conflict && <small>Somebody else changed this in the meantime.</small>}
          </span>
          <div className="outbox-choices">
            <Choices edit={edit} kind={kinds[edit.kind]} route={route} onRevise={() => onRevise(edit.id)} />
          </div>
        </li>
      ))}
    </ul>
  )
}

interface ChoicesProps {
  edit: PendingEdit
  kind: EditKind | undefined
  route: OutboxRoute
  onRevise: () => void
}

function Choices({ edit, kind, route, onRevise }: ChoicesProps) {
  const { id, name, words, aside, conflict } = edit
  const canRevise = conflict ? kind !== undefined : kind?.fields?.(edit).some(field => field.input) === true
  const revise = conflict ? 'Choose' : 'Edit'
  const end = aside === undefined && !conflict ? 'Undo' : 'Discard'
  return (
    <>
      {aside !== undefined && (
        <Button onClick={() => void retryEdit(route, id)} aria-label={`Try again: ${words} of ${name}`}>
          Try again
        </Button>
      )}
      {canRevise && (
        <Button tone={conflict ? 'primary' : 'quiet'} onClick={onRevise} aria-label={`${revise} ${words} of ${name}`}>
          {revise}
        </Button>
      )}
      <Button onClick={() => discardEdit(id)} aria-label={`${end} ${words} of ${name}`}>
        {end}
      </Button>
    </>
  )
}
