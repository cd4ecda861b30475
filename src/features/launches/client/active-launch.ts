import { useSelector } from '@tanstack/react-store'
import * as v from 'valibot'
import { parseJson } from '#client/api/session/token-claims.ts'
import { storedValue } from '#client/api/stored-value.ts'

const schema = v.object({ id: v.number(), name: v.string(), dismissed: v.boolean() })
/** The launch that this device follows; `dismissed` when the user closed its overlay and only the card shows it. */
export type ActiveLaunch = v.InferOutput<typeof schema>

const stored = storedValue('tideline.launch', (text): ActiveLaunch | null => {
  const parsed = v.safeParse(schema, parseJson(text))
  return parsed.success ? parsed.output : null
})

export const activeLaunch = (): ActiveLaunch | null => stored.get()

/** Follows a launch from now on, also after a reload; null follows none. */
export const followLaunch = (launch: ActiveLaunch | null): void => stored.set(launch && JSON.stringify(launch))

export const useActiveLaunch = (): ActiveLaunch | null => useSelector(stored)

/** The launches of which this page has said that they succeeded: the event about it may come later. */
export const announcedLaunches = new Set<number>()
