import { defaultRegion, machineTimeZone, provideRegion, type Region } from '#shared/region-format.ts'
import { regionKey } from './storage-keys.ts'

// Without the library's store: the early script, which must stay small, reads it too.
const listeners = new Set<() => void>()
let changes = 0
let cached: { text: string | null; region: Region } | undefined

/** The user's format and time zone; those of the device until the user's are known. */
export function region(): Region {
  const text = regionText()
  if (cached?.text !== text) cached = { text, region: parsed(text) }
  return cached.region
}

// Rules that both sides share write sentences too.
provideRegion(region)

/** Persists the user's format and time zone on this device; every screen is drawn again when they are others. */
export function setRegion({ locale, timezone }: { locale: string; timezone: string }): void {
  const text = JSON.stringify({ locale, timeZone: timezone } satisfies Region)
  if (text === regionText()) return
  const { locale: shown, timeZone } = region()
  localStorage.setItem(regionKey, text)
  // What stands on the page is written in them already, where they are the device's.
  if (shown !== locale || timeZone !== timezone) announce()
}

function announce(): void {
  changes++
  for (const listener of listeners) listener()
}
/** How often they have changed since the page was opened. */
export const regionChanges = (): number => changes

/** Calls back when they change, in this tab or another. Returns a function that stops it. */
export function subscribeRegion(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key !== regionKey || event.newValue === null) return
    changes++
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', onStorage)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', onStorage)
  }
}

function regionText(): string | null {
  try {
    return localStorage.getItem(regionKey)
  } catch {
    return null
  }
}

/** The format and the time zone of this device. */
export const deviceRegion = (): Region => ({ locale: deviceLocale(), timeZone: machineTimeZone() })
const deviceLocale = (): string => globalThis.navigator?.language ?? defaultRegion.locale

function parsed(text: string | null): Region {
  const { locale, timeZone } = JSON.parse(text ?? '{}') as Partial<Region>
  return {
    locale: locale ?? deviceLocale(),
    // The platform's calendar takes a phone a tenth of a second: only where a time is written.
    get timeZone() {
      return timeZone ?? machineTimeZone()
    },
  }
}
