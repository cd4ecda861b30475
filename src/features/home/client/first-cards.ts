import { buildUrl } from '#client/api/build-request.ts'
import { homePaths } from '../paths.ts'

export const homeCardsKey = ['home', 'cards'] as const

/** What the answer of `startEndpoint` says of the calls that it stands for: of the guard's questions by their names. */
interface StartAnswer {
  cards: { dateFrom: string; dateTo: string } | null
  [question: string]: unknown
}

/**
 * The one request of a first visit, in place of the guard's (the path of each question) and of Home's for its cards, of which
 * the server knows the days. What is missing in the answer is asked for by the app.
 */
export function startRequest(withCards: boolean, questions: Readonly<Record<string, string>>) {
  const urls = Object.entries(questions).map(([name, path]) => ({
    name,
    url: buildUrl({ path: path as `/${string}` }, {}),
  }))
  return {
    url: buildUrl({ path: homePaths.start }, { query: withCards ? {} : { cards: false } }),
    answers: urls.map(({ url }) => url),
    read: ({ cards, ...guard }: StartAnswer): [url: string, answer: unknown][] => {
      const found = urls.map(({ name, url }): [string, unknown] => [url, guard[name] ?? null])
      if (cards) {
        const { dateFrom, dateTo } = cards
        found.push([buildUrl({ path: homePaths.cards }, { query: { dateFrom, dateTo } }), cards])
      }
      return found.filter(([, answer]) => answer !== null)
    },
  }
}
