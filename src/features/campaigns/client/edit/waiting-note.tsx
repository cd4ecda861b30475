import { PendingNote } from '#client/ui/states/state-views.tsx'

/** Says that a change of the row waits, with its undo; nothing when none does. */
export const WaitingNote = ({ takeBack }: { takeBack: (() => void) | undefined }) =>
  takeBack ? <PendingNote onUndo={takeBack}>Waits for the network.</PendingNote> : null
