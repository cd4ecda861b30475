import { createAtom } from '@tanstack/react-store'

/**
 * A value that local storage holds under `key`, for all tabs. `parse` gets the stored text, or null when there is none. It
 * runs once per text, so `get` returns the same object until another text is stored. Read it in React with `useSelector`.
 */
export function storedValue<T>(key: string, parse: (text: string | null) => T) {
  const writes = createAtom(0)
  let cached: { text: string | null; value: T } | undefined
  const get = (): T => {
    // Read every time: another tab may have written since, before its event reaches this one.
    const text = localStorage.getItem(key)
    if (cached?.text !== text) cached = { text, value: parse(text) }
    return cached.value
  }
  return {
    get,

    /** Stores a text; null removes it. Throws when the device has no room. */
    set(text: string | null): void {
      if (text === null) localStorage.removeItem(key)
      else localStorage.setItem(key, text)
      writes.set(count => count + 1)
    },

    /** Calls back on each change, in this tab or another. */
    subscribe(listener: (value: T) => void): { unsubscribe: () => void } {
      const onStorage = (event: StorageEvent): void => {
        if (event.key === key || event.key === null) listener(get())
      }
      const ownWrites = writes.subscribe(() => listener(get()))
      addEventListener('storage', onStorage)
      return {
        unsubscribe: () => {
          ownWrites.unsubscribe()
          removeEventListener('storage', onStorage)
        },
      }
    },
  }
}
