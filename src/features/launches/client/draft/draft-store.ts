import * as v from 'valibot'
import { sessionUser } from '#client/api/session/session.ts'
import { parseJson } from '#client/api/session/token-claims.ts'
import { type StoredDraft, storedDraft } from '../../draft/draft.ts'
import type { SetupMode } from '../../draft/wizard-state.ts'
import { draftPrefixOf, shopOfScope } from './draft-keys.ts'

const modeKey = 'tideline.setup-mode'

const nothing: StoredDraft = { draft: null, sentAt: null, discardedId: null }
const intentSchema = v.object({ draftId: v.string(), key: v.string(), body: v.string(), failed: v.boolean() })
/**
 * A launch request without a certain answer: its idempotency key, its draft and its body. `failed` once the user has seen that
 * no answer came; from then on only the user repeats it.
 */
export type LaunchIntent = v.InferOutput<typeof intentSchema>

function textIn(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key)
  } catch {
    return null
  }
}
function parse<S extends v.GenericSchema>(text: string | null, schema: S): v.InferOutput<S> | null {
  const parsed = v.safeParse(schema, parseJson(text))
  return parsed.success ? parsed.output : null
}

// Returns the text that is stored now.
function write(storage: Storage, key: string, text: string | null): string | null {
  try {
    if (text === null) storage.removeItem(key)
    else storage.setItem(key, text)
    return text
  } catch {
    // The storage is full or forbidden: the draft is in memory and on the server.
    return textIn(storage, key)
  }
}

export const savedMode = (): SetupMode => (textIn(localStorage, modeKey) === 'guided' ? 'GUIDED' : 'SMART')
export const saveMode = (mode: SetupMode): void => void write(localStorage, modeKey, mode.toLowerCase())

/**
 * What this device stores for one user (by default the signed-in one) and one advertising account. Synchronous, so that a
 * closing page loses no keystroke.
 */
export function draftStore(scope: string, user = sessionUser()) {
  const key = `${draftPrefixOf(user)}${scope}`
  // Parsed again only when another tab has written in the meantime.
  let last: { text: string | null; stored: StoredDraft } = { text: null, stored: nothing }
  const readStored = (): StoredDraft => {
    const text = textIn(localStorage, key)
    if (text !== last.text) last = { text, stored: parse(text, storedDraft) ?? nothing }
    return last.stored
  }
  const writeStored = (stored: StoredDraft): void => {
    const before = textIn(localStorage, key)
    const text = write(localStorage, key, stored.draft || stored.discardedId ? JSON.stringify(stored) : null)
    // Without space, the older version stays.
    if (text !== before) last = { text, stored: text === null ? nothing : stored }
  }
  return {
    shop: shopOfScope(scope),
    /** True while its user is signed in; only then it may be sent to the server. */
    isOwn: (): boolean => user !== undefined && sessionUser() === user,
    read: readStored,
    write: writeStored,
    /** Calls `run` when another tab may have changed the stored draft. Returns a function that stops it. */
    onOtherTab: (run: () => void): (() => void) => {
      const onStorage = (event: StorageEvent): void => void (event.key === key && run())
      addEventListener('storage', onStorage)
      // A sleeping tab may have missed the event.
      document.addEventListener('visibilitychange', run)
      return () => {
        removeEventListener('storage', onStorage)
        document.removeEventListener('visibilitychange', run)
      }
    },
    readIntent: (): LaunchIntent | null => parse(textIn(localStorage, `${key}.intent`), intentSchema),
    writeIntent: (intent: LaunchIntent | null): void =>
      void write(localStorage, `${key}.intent`, intent && JSON.stringify(intent)),
    /** The draft that is open in this tab; a reload continues it without asking. */
    openId: (): string | null => parse(textIn(sessionStorage, `${key}.open`), v.string()),
    setOpenId: (id: string | null): void => void write(sessionStorage, `${key}.open`, id && JSON.stringify(id)),
  }
}
export type DraftStore = ReturnType<typeof draftStore>
