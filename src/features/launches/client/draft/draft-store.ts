import * as v from 'valibot'
import { sessionUser } from '#client/api/session/session.ts'
import { type KeptDraft, draftSchema } from '../../draft/draft.ts'
import type { SetupMode } from '../../draft/wizard-state.ts'
import { draftPrefixOf, shopOfScope } from './draft-keys.ts'

const modeKey = 'tideline.setup-mode'

const keptSchema = v.object({
  draft: v.nullable(draftSchema),
  sentAt: v.nullable(v.string()),
  discardedId: v.nullable(v.string()),
})
const nothing: KeptDraft = { draft: null, sentAt: null, discardedId: null }
const intentSchema = v.object({ draftId: v.string(), key: v.string(), body: v.string(), failed: v.boolean() })
/**
 * A launch that was asked for and has no certain answer: its idempotency key, its draft and what was sent. `failed` once the user
 * was told that no answer came; then only the user sends it again.
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
  try {
    const parsed = v.safeParse(schema, JSON.parse(text ?? 'null'))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}
function read<S extends v.GenericSchema>(storage: Storage, key: string, schema: S): v.InferOutput<S> | null {
  return parse(textIn(storage, key), schema)
}

// Answers what stands there now.
function write(storage: Storage, key: string, value: unknown): string | null {
  try {
    const text = value === null ? null : JSON.stringify(value)
    if (text === null) storage.removeItem(key)
    else storage.setItem(key, text)
    return text
  } catch {
    // A full or forbidden storage: the draft lives on the server and in memory.
    return textIn(storage, key)
  }
}

/** The setup mode last used on this device; smart when none was. */
export function savedMode(): SetupMode {
  try {
    return localStorage.getItem(modeKey) === 'guided' ? 'GUIDED' : 'SMART'
  } catch {
    return 'SMART'
  }
}
/** Remembers the setup mode on this device. */
export function saveMode(mode: SetupMode): void {
  try {
    localStorage.setItem(modeKey, mode.toLowerCase())
  } catch {
    // Only a convenience.
  }
}

/**
 * What this device keeps of one user, by default who is signed in, for one advertising account. Synchronous, so that no
 * keystroke is lost to a closing page.
 */
export const draftStore = (scope: string, user = sessionUser()) => {
  const key = `${draftPrefixOf(user)}${scope}`
  // A long draft is not parsed anew for each letter, only what another tab wrote in between.
  let last: { text: string | null; kept: KeptDraft } = { text: null, kept: nothing }
  const readKept = (): KeptDraft => {
    const text = textIn(localStorage, key)
    if (text !== last.text) last = { text, kept: parse(text, keptSchema) ?? nothing }
    return last.kept
  }
  const writeKept = (kept: KeptDraft): void => {
    const before = textIn(localStorage, key)
    const text = write(localStorage, key, kept.draft || kept.discardedId ? kept : null)
    // Where there is no room, the older version stands.
    if (text !== before) last = { text, kept: text === null ? nothing : kept }
  }
  return {
    shop: shopOfScope(scope),
    /** True while its user is signed in: only then the server is told of it, in that user's name. */
    isOwn: (): boolean => user !== undefined && sessionUser() === user,
    read: readKept,
    write: writeKept,
    /** Calls `run` when another tab may have changed what is kept; answers how to end it. */
    onOtherTab: (run: () => void): (() => void) => {
      const onStorage = (event: StorageEvent): void => void (event.key === key && run())
      addEventListener('storage', onStorage)
      // A tab that slept may have missed it.
      document.addEventListener('visibilitychange', run)
      return () => {
        removeEventListener('storage', onStorage)
        document.removeEventListener('visibilitychange', run)
      }
    },
    readIntent: (): LaunchIntent | null => read(localStorage, `${key}.intent`, intentSchema),
    writeIntent: (intent: LaunchIntent | null): void => void write(localStorage, `${key}.intent`, intent),
    /** The draft that is open in this tab: a reload goes on with it without asking. */
    openId: (): string | null => read(sessionStorage, `${key}.open`, v.string()),
    setOpenId: (id: string | null): void => void write(sessionStorage, `${key}.open`, id),
  }
}
export type DraftStore = ReturnType<typeof draftStore>
