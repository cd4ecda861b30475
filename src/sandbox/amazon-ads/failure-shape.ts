import { AdsFailure } from './ads-failure.ts'

const words: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHORIZED',
  403: 'ACCESS_DENIED',
  404: 'NOT_FOUND',
  406: 'NOT_ACCEPTABLE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_ENTITY',
  429: 'THROTTLED',
}
/** The word for a status in `code`. */
export const wordOf = (status: number): string =>
  words[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR')

type Shape = (status: number, text: string) => Record<string, unknown>

const numberAndDetails: Shape = (status, details) => ({ code: String(status), details })
const wordAndMessage: Shape = (status, message) => ({ code: wordOf(status), message })
const numberAndMessage: Shape = (status, message) => ({ code: String(status), message })
const wordAndDetails: Shape = (status, details) => ({ code: wordOf(status), details })

// The first pattern that matches the path below the region counts. All other paths use the gateway's shape.
const shapes: readonly [RegExp, Shape][] = [
  [/^\/reporting\//, (status, detail) => ({ code: String(status), detail })],
  [/^\/(exports\/|\w+\/export$)|^\/sp\/campaigns\/initialBudgetRecommendation$/, (_status, message) => ({ message })],
  [/^\/(history|testAccounts|eligibility\/|product\/|\w+\/localize)/, numberAndDetails],
  [/^\/\w+\/(\w+\/)?budget\/usage$|^\/sp\/campaigns\/budgetRecommendations$/, numberAndDetails],
  [/^\/sp\/targets\/(\w+\/recommendations|categor|products\/count)|^\/sb\/targets\/categories$/, numberAndDetails],
  [/^\/recommendations\//, numberAndMessage],
  [/^\/(sp|portfolios|sb\/v4|streams)\b/, wordAndMessage],
]

/** The path of a request below its region's host, without the query. */
export const pathBelowHost = (url: string): string => (url.split('?')[0] ?? '').replace(/^\/ads\/\w+/, '')

/** The error body of the API family behind a path, for a whole request. */
export function failureBody(path: string, status: number, text: string): Record<string, unknown> {
  const [, shape] = shapes.find(([fits]) => fits.test(path)) ?? [null, wordAndDetails]
  return shape(status, text)
}

/** An error of a whole request in its family's wording. */
export const familyFailure = (request: { url: string }, status: number, text: string): AdsFailure =>
  new AdsFailure(status, failureBody(pathBelowHost(request.url), status, text))

/** True for Sponsored Display and the older calls of Sponsored Brands, whose framework has its own messages. */
export const isOlderFamily = (request: { url: string }): boolean =>
  /^\/(sd|sb)\/(?!v4\/)/.test(pathBelowHost(request.url))
