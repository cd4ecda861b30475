import { type QueryClient, type EnsureQueryDataOptions, onlineManager, type QueryKey } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { getSession } from './api/session/session.ts'
import { type Answer, type GuardAnswers, routeGuard } from './route-guard.ts'

interface Entering {
  context: { queryClient: QueryClient }
  location: { pathname: string }
}

/** Whether the guard lets the present user stay at an address. */
export type CanReach = (path: string) => boolean

/**
 * `beforeLoad` of the authenticated area: throws the router's redirect when the guard says so. Adds to the context of the
 * routes below which other addresses the user can reach, so that the frame offers no others.
 */
export const guarded =
  (questions: GuardQuestions) =>
  async ({ context, location }: Entering): Promise<{ canReach: CanReach }> => {
    const answers = await askGuard(context.queryClient, questions)
    // A plain string: this room does not know which addresses the features registered.
    const target: string | null = routeGuard(answers, location.pathname)
    if (target) throw redirect({ to: target, replace: true })
    return { canReach: path => routeGuard(answers, path) === null }
  }

/** `beforeLoad` of / : leads signed-in users to the start, others to the log-in. */
export function startOrLogin(): never {
  const to: string = getSession() ? '/home' : '/login'
  throw redirect({ to, replace: true })
}

/** `beforeLoad` of the public pages that a signed-in user has no use for. */
export function homeWhenSignedIn(): void {
  const to: string = '/home'
  if (getSession()) throw redirect({ to, replace: true })
}

type GuardQuestion<T> = (client: QueryClient) => Promise<Answer<T>>
/** The questions as the features answer them; without an answer a question stays unknown. */
export type GuardQuestions = {
  [K in Exclude<keyof GuardAnswers, 'signedIn'>]?: GuardQuestion<GuardAnswers[K] extends Answer<infer T> ? T : never>
}

/**
 * A question answered by a query (with `forGuards`). It uses the persisted answer and refreshes it in the background; only
 * for an invalidated one does it wait. Without network and without a persisted answer it is unknown.
 */
export function questionOf<T, K extends QueryKey>(options: EnsureQueryDataOptions<T, Error, T, K>): GuardQuestion<T> {
  return async client => {
    const state = client.getQueryState(options.queryKey)
    const online = onlineManager.isOnline()
    if (state?.data === undefined && !online) return { state: 'unknown' }
    try {
      const renew = online && state?.isInvalidated === true
      const value = renew
        ? await client.fetchQuery(options)
        : await client.ensureQueryData({ ...options, revalidateIfStale: online })
      return { state: 'known', value }
    } catch {
      return onlineManager.isOnline() ? { state: 'failed' } : { state: 'unknown' }
    }
  }
}

const ask = async <T>(question: GuardQuestion<T> | undefined, client: QueryClient): Promise<Answer<T>> =>
  question ? question(client) : { state: 'unknown' }

/** Asks all questions in parallel; none when nobody is signed in. */
export async function askGuard(client: QueryClient, questions: GuardQuestions): Promise<GuardAnswers> {
  const signedIn = getSession() !== undefined
  const applicable = signedIn ? questions : {}
  const [merchants, subscription, currentMerchant, currentMarketplace] = await Promise.all([
    ask(applicable.merchants, client),
    ask(applicable.subscription, client),
    ask(applicable.currentMerchant, client),
    ask(applicable.currentMarketplace, client),
  ])
  return { signedIn, merchants, subscription, currentMerchant, currentMarketplace }
}

/** Calls back when an answer of the guard changed in the background, so that the guard can run again. */
export function onAnswerChange(client: QueryClient, changed: () => void): () => void {
  const last = new Map<string, unknown>()
  return client.getQueryCache().subscribe(({ query }) => {
    if (query.meta?.persist !== 'sync' || query.state.status !== 'success') return
    const { data } = query.state
    if (last.has(query.queryHash) && last.get(query.queryHash) !== data) changed()
    last.set(query.queryHash, data)
  })
}
