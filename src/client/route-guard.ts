/** The state of one question: its answer, a failure, or unknown (never asked, or no network). */
export type Answer<T> = { state: 'known'; value: T } | { state: 'failed' } | { state: 'unknown' }

export interface GuardAnswers {
  signedIn: boolean
  merchants: Answer<readonly unknown[]>
  subscription: Answer<{ requiresUpgrade: boolean; isTrialExpired: boolean } | null>
  currentMerchant: Answer<unknown>
  currentMarketplace: Answer<unknown>
}

type GuardTarget = '/login' | '/connections' | '/subscription'

// More lists all destinations: it bypasses no rule, and the log-out is there.
const more = '/more'
// The own account, what is connected and what is paid for: open in every state, because each of them is a way out of one.
// The code of a consent is valid for minutes and one use, so it is exchanged first.
// A campaign manager needs neither merchants nor a subscription; the admin pages ask for the role themselves.
const always = [
  '/connections',
  '/subscription',
  '/settings',
  '/callback',
  '/onboarding-survey',
  more,
  '/admin-user-management',
  '/admin-performance-reports',
]
const connecting = [...always, '/add-seller-account', '/add-ppc-account']

const under = (path: string, roots: readonly string[]): boolean =>
  roots.some(root => path === root || path.startsWith(`${root}/`))
const isAnswered = <T>(answer: Answer<T>, test: (value: T) => boolean): boolean =>
  answer.state === 'known' && test(answer.value)
const isMissing = (answer: Answer<unknown>): boolean =>
  answer.state === 'failed' || isAnswered(answer, value => value === null || value === undefined)

/**
 * Where a visitor of the authenticated area must go instead of `path`, or null to stay. The rules apply in this order:
 * signed in, a merchant connected, a subscription in force, a merchant and marketplace chosen. What is unknown, as
 * without network, sends nobody away. A user without merchants is not asked for a subscription: it belongs to a merchant,
 * and /add-seller-account could never be reached otherwise.
 */
export function routeGuard(answers: GuardAnswers, path: string): GuardTarget | null {
  if (!answers.signedIn) return '/login'
  const noMerchants = isAnswered(answers.merchants, list => list.length === 0)
  if (noMerchants) return under(path, connecting) ? null : '/connections'
  const notPaid = isAnswered(answers.subscription, s => s === null || s.requiresUpgrade || s.isTrialExpired)
  if (notPaid && !under(path, always)) return '/subscription'
  const notChosen = isMissing(answers.currentMerchant) || isMissing(answers.currentMarketplace)
  if (notChosen && !under(path, connecting)) return '/connections'
  return null
}
