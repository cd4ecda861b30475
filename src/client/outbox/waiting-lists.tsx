import { Button } from '../ui/states/button.tsx'
import { withdrawEdit } from './outbox.ts'
import type { WaitingEdit } from './stored-edits.ts'

/** The changes that wait, with the way back from each. */
export function WaitingList({ edits }: { edits: readonly WaitingEdit[] }) {
  return (
    <ul>
      {edits.map(edit => (
        <li key={edit.id}>
          <span>{`${edit.name}: ${edit.words}`}</span>
          <Button onClick={() => withdrawEdit(edit.id)} aria-label={`Undo ${edit.words} of ${edit.name}`}>
            Undo
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** The changes that the server failed at too often, with the reason and the choice. */
export function AsideList({ edits, onAgain }: { edits: readonly WaitingEdit[]; onAgain: (id: string) => void }) {
  return (
    <ul>
      {edits.map(({ id, name, words, aside }) => (
        <li key={id}>
          <span>
            {`${name}: ${words}`}
            <small>{aside}</small>
          </span>
          <div className="outbox-choices">
            <Button onClick={() => onAgain(id)} aria-label={`Try again: ${words} of ${name}`}>
              Try again
            </Button>
            <Button onClick={() => withdrawEdit(id)} aria-label={`Discard ${words} of ${name}`}>
              Discard
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
