import * as v from 'valibot'
import { ApiError } from '../api-error.ts'
import { managingKey, sessionKey } from '../storage-keys.ts'
import { storedValue } from '../stored-value.ts'
import { changingContext, getManaged, setManaged, subscribeManaged } from './managing.ts'
import { endsSoon, parseJson, readClaims } from './token-claims.ts'

const sessionSchema = v.object({ accessToken: v.string(), refreshToken: v.string() })
export type Session = v.InferOutput<typeof sessionSchema>

interface Hooks {
  /** Exchanges a refresh token for a new pair; must not go through the session itself. */
  refresh: (refreshToken: string) => Promise<Session>
  /** Runs after the tokens are gone: wipe what is cached and go to /login. */
  onSignedOut: () => void | Promise<void>
  /** Runs when managing a user has begun or ended without this page: in another tab, or as the server says. */
  onManagingChanged: (where: 'tab' | 'server') => void
}
let hooks: Hooks = {
  refresh: () => Promise.reject(new Error('the session was not configured')),
  onSignedOut: () => undefined,
  onManagingChanged: () => undefined,
}
const stored = storedValue(sessionKey, text => {
  const parsed = v.safeParse(sessionSchema, parseJson(text))
  if (!parsed.success) return undefined
  return { tokens: parsed.output, user: readClaims(parsed.output.accessToken).sub }
})

/** Sets how a session is renewed and what happens at its end. Called once, before the first call. */
export function configureSession(changes: Partial<Hooks>): void {
  hooks = { ...hooks, ...changes }
}

export const getSession = (): Session | undefined => stored.get()?.tokens

/**
 * Whose data this browser shows: who is signed in, by the subject of the access token, and for whom that user acts; undefined when
 * nobody is signed in.
 */
export function sessionUser(): string | undefined {
  const user = stored.get()?.user
  const managed = getManaged()
  return user !== undefined && managed ? `${user}>${managed.id}` : user
}

/** Stores the tokens of a log-in or renewal; every tab sees them. */
export function setSession({ accessToken, refreshToken }: Session): void {
  return stored.set(JSON.stringify({ accessToken, refreshToken }))
}

/** Calls back when someone signs in or out, or acts for another user, in this tab or another. Returns a function that stops it. */
export function subscribeSession(listener: () => void): () => void {
  const stops = [stored.subscribe(listener).unsubscribe, subscribeManaged(listener)]
  return () => stops.forEach(stop => stop())
}

/** Deletes both tokens and everything cached for this user, then goes to /login. */
export async function signOut(): Promise<void> {
  stored.set(null)
  setManaged(null)
  await hooks.onSignedOut()
}

export const noteManagingChanged = (): void => hooks.onManagingChanged('server')

/**
 * The access token, renewed first when it ends within a minute; undefined when signed out. Renewals run once over all
 * tabs, because a refresh token used twice ends the session. Without network the old token is returned.
 */
export async function freshAccessToken(now: () => number = Date.now): Promise<string | undefined> {
  const session = getSession()
  if (!session || !endsSoon(session.accessToken, now())) return session?.accessToken
  const hasLocks = typeof navigator !== 'undefined' && Boolean(navigator.locks)
  renewal ??= (hasLocks ? renewInOneTab(session, now) : renew(now)).finally(() => {
    renewal = undefined
  })
  return renewal
}
let renewal: Promise<string | undefined> | undefined

/** The name of the lock under which a session is renewed: another one for each refresh token. */
export const renewalLock = ({ refreshToken }: Session): string => `${sessionKey} ${refreshToken.slice(-12)}`

const RETAINED_MS = 10_000

/**
 * One tab renews the session and the others wait for what it stores. A lock alone would not do: browsers pass it on before
 * the tabs of other processes can read what was stored under it, so it is retained for longer than that takes.
 */
function renewInOneTab(old: Session, now: () => number): Promise<string | undefined> {
  const isReplaced = (): boolean => getSession()?.refreshToken !== old.refreshToken
  return new Promise((resolve, reject) => {
    const waiting = new AbortController()
    const { unsubscribe } = stored.subscribe(() => isReplaced() && waiting.abort())
    const work = async (): Promise<void> => {
      await renew(now).then(resolve, reject)
      if (isReplaced()) await new Promise(done => setTimeout(done, RETAINED_MS))
    }
    navigator.locks
      .request(renewalLock(old), { signal: waiting.signal }, work)
      .catch((error: unknown) => (waiting.signal.aborted ? resolve(getSession()?.accessToken) : reject(error as Error)))
      .finally(unsubscribe)
  })
}

async function renew(now: () => number): Promise<string | undefined> {
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

// When another tab signs out, or acts for another user, this one must drop what it has cached.
if (typeof addEventListener === 'function')
  addEventListener('storage', event => {
    if (event.key === sessionKey && event.newValue === null) void hooks.onSignedOut()
    else if (event.key === managingKey && getSession()) {
      changingContext.set(true)
      hooks.onManagingChanged('tab')
    }
  })
