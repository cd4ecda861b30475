import { createAtom } from '@tanstack/react-store'
import { managingKey } from '../storage-keys.ts'
import { storedValue } from '../stored-value.ts'
import { parseJson } from './token-claims.ts'

/** The user for whom this browser's session acts. */
export interface Managed {
  id: number
  firstName: string
  lastName: string
  email: string
  /** When it ends by itself, in ISO 8601 by the server's clock. */
  endsAt: string | null
  /** Whether this device had the signed-in user's pushes before, which are ended meanwhile. */
  hadPushes?: boolean
}

// Written by this file alone, so it is not parsed by a schema: the first visit need not wait for one.
const stored = storedValue(managingKey, text => (parseJson(text) as Managed | null | undefined) ?? null)

/** Whom the session manages, as this browser knows it; null in the own context. The server has the last word. */
export const getManaged = (): Managed | null => stored.get()

export const setManaged = (managed: Managed | null): void => stored.set(managed && JSON.stringify(managed))

/** Calls back when managing begins or ends in this tab or another. */
export const subscribeManaged = (listener: () => void): (() => void) => stored.subscribe(listener).unsubscribe

/** True while one context gives way to the other: nothing is drawn then, so that no screen asks in the wrong one. */
export const changingContext = createAtom(false)
