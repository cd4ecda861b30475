import { useSyncExternalStore } from 'react'
import * as v from 'valibot'

const storageKey = 'tideline.launch'
const schema = v.object({ id: v.number(), name: v.string(), dismissed: v.boolean() })
/** The launch that this device follows; `dismissed` when the user closed its overlay and only the card tells of it. */
export type ActiveLaunch = v.InferOutput<typeof schema>

const listeners = new Set<() => void>()
let cached: { text: string | null; launch: ActiveLaunch | null } = { text: null, launch: null }

function parse(text: string | null): ActiveLaunch | null {
  try {
    const parsed = v.safeParse(schema, JSON.parse(text ?? 'null'))
    return parsed.success ? parsed.output : null
  } catch {
    return null
  }
}

/** The launch that is followed, or null. The same object until it changes. */
export function activeLaunch(): ActiveLaunch | null {
  const text = localStorage.getItem(storageKey)
  if (text !== cached.text) cached = { text, launch: parse(text) }
  return cached.launch
}

/** Follows a launch from now on, over reloads; null follows none. */
export function followLaunch(launch: ActiveLaunch | null): void {
  if (launch) localStorage.setItem(storageKey, JSON.stringify(launch))
  else localStorage.removeItem(storageKey)
  listeners.forEach(listener => listener())
}

function subscribe(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === storageKey) listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

/** The launch that is followed, in every tab. */
export const useActiveLaunch = (): ActiveLaunch | null => useSyncExternalStore(subscribe, activeLaunch)
