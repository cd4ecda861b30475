import { type EnsureQueryDataOptions, onlineManager, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { Answer, GuardAnswers } from '../../route-guard.ts'
import { getSession } from '../session/session.ts'

/** Asks one question of the guard. */
export type GuardQuestion<T> = (client: QueryClient) => Promise<Answer<T>>
/** The questions, as the features answer them; what nobody answers stays unknown. */
export type GuardQuestions = {
  [K in Exclude<keyof GuardAnswers, 'signedIn'>]?: GuardQuestion<GuardAnswers[K] extends Answer<infer T> ? T : never>
}

/**
 * A question answered by a query (with `forGuards`). The last known answer is taken at once and refreshed behind it; only
 * one that was invalidated is awaited anew. Without network and without a last answer it is unknown.
 */
export const questionOf =
  <T, K extends QueryKey>(options: EnsureQueryDataOptions<T, Error, T, K>): GuardQuestion<T> =>
  async client => {
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

const ask = async <T>(question: GuardQuestion<T> | undefined, client: QueryClient): Promise<Answer<T>> =>
  question ? question(client) : { state: 'unknown' }

/** Asks all the questions at once; none when nobody is signed in. */
export async function askGuard(client: QueryClient, questions: GuardQuestions): Promise<GuardAnswers> {
  const signedIn = getSession() !== undefined
  const asked = signedIn ? questions : {}
  const [merchants, subscription, currentMerchant, currentMarketplace] = await Promise.all([
    ask(asked.merchants, client),
    ask(asked.subscription, client),
    ask(asked.currentMerchant, client),
    ask(asked.currentMarketplace, client),
  ])
  return { signedIn, merchants, subscription, currentMerchant, currentMarketplace }
}

/** Calls back when an answer of the guard changed behind the screen, so that the guard can be asked again. */
export function onAnswerChange(client: QueryClient, changed: () => void): () => void {
  const last = new Map<string, unknown>()
  return client.getQueryCache().subscribe(({ query }) => {
    if (query.meta?.persist !== 'sync' || query.state.status !== 'success') return
    const { data } = query.state
    if (last.has(query.queryHash) && last.get(query.queryHash) !== data) changed()
    last.set(query.queryHash, data)
  })
}
