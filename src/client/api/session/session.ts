import * as v from 'valibot'
import { ApiError } from '../api-error.ts'
import { sessionKey } from '../storage-keys.ts'
import { endsSoon, parseJson, readClaims } from './token-claims.ts'

/** The two tokens of a session, as the server gives them. */
export interface Session {
  accessToken: string
  refreshToken: string
}

const sessionSchema = v.object({ accessToken: v.string(), refreshToken: v.string() })

interface Hooks {
  /** Exchanges a refresh token for a new pair; must not go through the session itself. */
  refresh: (refreshToken: string) => Promise<Session>
  /** Runs after the tokens are gone: wipe what is cached and go to /login. */
  onSignedOut: () => void | Promise<void>
}
let hooks: Hooks = {
  refresh: () => Promise.reject(new Error('the session was not configured')),
  onSignedOut: () => undefined,
}
const listeners = new Set<() => void>()
const notify = () => listeners.forEach(listener => listener())

/** Says how a session is renewed and what happens at its end. Called once, before the first call. */
export const configureSession = (given: Partial<Hooks>): void => {
  hooks = { ...hooks, ...given }
}

/** The stored session, or undefined when signed out. */
export const getSession = (): Session | undefined => {
  const parsed = v.safeParse(sessionSchema, parseJson(localStorage.getItem(sessionKey)))
  return parsed.success ? parsed.output : undefined
}

let known: { text: string | null; user: string | undefined } = { text: null, user: undefined }
/** Who is signed in, by the subject of the access token; undefined when nobody is. */
export const sessionUser = (): string | undefined => {
  // Asked in every row of a list.
  const text = localStorage.getItem(sessionKey)
  if (text !== known.text) {
    const session = getSession()
    known = { text, user: session && readClaims(session.accessToken).sub }
  }
  return known.user
}

/** Keeps the tokens of a log-in or renewal; every tab sees them. */
export const setSession = (session: Session): void => {
  localStorage.setItem(
    sessionKey,
    JSON.stringify({ accessToken: session.accessToken, refreshToken: session.refreshToken }),
  )
  notify()
}

/** Calls back when someone signs in or out, in this tab or another. Answers the way to stop. */
export const subscribeSession = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Forgets both tokens and all that was cached for this user, then leaves for /login. */
export const signOut = async (): Promise<void> => {
  localStorage.removeItem(sessionKey)
  notify()
  await hooks.onSignedOut()
}

/**
 * The access token, renewed first when it ends within a minute; undefined when signed out. Renewals run once at a
 * time over all tabs, because a refresh token used twice ends the session. Without network the old token is returned.
 */
export const freshAccessToken = async (now: () => number = Date.now): Promise<string | undefined> => {
  const session = getSession()
  if (!session || !endsSoon(session.accessToken, now())) return session?.accessToken
  renewal ??= exclusively(() => renew(now)).finally(() => {
    renewal = undefined
  })
  return renewal
}
let renewal: Promise<string | undefined> | undefined

const renew = async (now: () => number): Promise<string | undefined> => {
  const session = getSession()
  if (!session || !endsSoon(session.accessToken, now())) return session?.accessToken
  try {
    const next = await hooks.refresh(session.refreshToken)
    setSession(next)
    return next.accessToken
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) {
      // The refused call may have ended it already.
      if (getSession()) await signOut()
      throw error
    }
    return session.accessToken
  }
}

const exclusively = async <T>(work: () => Promise<T>): Promise<T> =>
  typeof navigator !== 'undefined' && navigator.locks ? await navigator.locks.request(sessionKey, work) : await work()

// Another tab signed in or out: this one must not go on with what it remembers.
if (typeof addEventListener === 'function')
  addEventListener('storage', event => {
    if (event.key !== sessionKey) return
    notify()
    if (event.newValue === null) void hooks.onSignedOut()
  })
