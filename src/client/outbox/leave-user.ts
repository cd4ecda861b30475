import { discardUnsavedWork, saveUnsavedWork } from '../api/session/unsaved-work.ts'
import { confirm } from '../ui/overlays/dialogs.ts'
import { discardOwnEdits, storedEdits } from './outbox.ts'

/**
 * Before this browser shows another user's data: at a log-out, and when somebody begins or ends to manage another user. Saves
 * what can be saved, and asks with what would be lost. True when the user agreed; then all of that is deleted, and the
 * caller calls `wipeClientData`, or `signOut`, which does. `onSaved` is called before the question. `onlyAtRisk`: does not
 * ask when nothing would be lost.
 */
export async function askToLeaveUser(
  title: string,
  confirmText: string,
  { onSaved, onlyAtRisk = false }: { onSaved?: () => void; onlyAtRisk?: boolean } = {},
): Promise<boolean> {
  const atRisk = await saveUnsavedWork().finally(onSaved)
  const unsent = storedEdits().length
  if (onlyAtRisk && unsent === 0 && atRisk.length === 0) return true
  const lost = unsent === 1 ? ['1 unsent change will be lost.'] : [`${unsent} unsent changes will be lost.`]
  const message = ['Your data is removed from this device.', ...(unsent > 0 ? lost : []), ...atRisk].join(' ')
  const isConfirmed = await confirm({ title, message, confirmText })
  if (isConfirmed) {
    discardOwnEdits()
    discardUnsavedWork()
  }
  return isConfirmed
}
