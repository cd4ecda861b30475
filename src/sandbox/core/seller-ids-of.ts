import type { Books, TestAccount } from './model.ts'

/** How far the making of an account for testing has come. */
export const testAccountStatus = (
  { fate, opensAt }: TestAccount,
  now: Date,
): 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' => {
  if (fate === 'stuck' || now.getTime() < opensAt) return 'IN_PROGRESS'
  return fate === 'failed' ? 'FAILED' : 'COMPLETED'
}

/** The sellers a person acts for: those of the login, and the accounts for testing that were made for it. */
export const sellerIdsOf = (books: Books, email: string, now: Date): string[] => {
  const own = books.logins.find(login => login.email === email)?.sellerIds ?? []
  const tests = [...books.sellers.values()].filter(
    ({ test }) => test?.email === email && testAccountStatus(test, now) === 'COMPLETED',
  )
  return tests.length === 0 ? own : [...own, ...tests.map(({ sellerId }) => sellerId)]
}
