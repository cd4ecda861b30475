import type { UnsavedWork } from '#client/api/session/unsaved-work.ts'
import { sessionUser } from '#client/api/session/session.ts'
import { draftPrefixOf } from './draft-keys.ts'

// This code loads at start, so it reads the stored draft without the schema.
function isUnsaved(text: string | null): boolean {
  try {
    const stored = JSON.parse(text ?? 'null') as { draft?: { changedAt?: unknown } | null; sentAt?: unknown } | null
    return Boolean(stored?.draft) && stored?.draft?.changedAt !== stored?.sentAt
  } catch {
    return false
  }
}

function ownKeys(storage: Storage): string[] {
  const prefix = draftPrefixOf(sessionUser())
  return Object.keys(storage).filter(key => key.startsWith(prefix))
}

/** The drafts of the signed-in user. They survive an expired session; a log-out deletes them. */
export const ownDrafts: UnsavedWork = {
  save: async () => {
    const { saveOwnDraft } = await import('./draft-sync.ts')
    await saveOwnDraft()
  },
  atRisk: () => {
    const unsaved = ownKeys(localStorage).filter(key => isUnsaved(localStorage.getItem(key))).length
    if (unsaved === 0) return null
    return unsaved === 1
      ? 'Your unfinished campaign is not saved on our server yet and will be lost.'
      : `${unsaved} unfinished campaigns are not saved on our server yet and will be lost.`
  },
  forget: () => {
    for (const storage of [localStorage, sessionStorage]) for (const key of ownKeys(storage)) storage.removeItem(key)
  },
}
