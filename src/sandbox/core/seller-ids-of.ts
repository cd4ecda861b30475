import type { Store, TestAccount } from './model/store.ts'

/** How far the making of an account for testing has come. */
export function testAccountStatus({ fate, opensAt }: TestAccount, now: Date): 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' {
  if (fate === 'stuck' || now.getTime() < opensAt) return 'IN_PROGRESS'
  return fate === 'failed' ? 'FAILED' : 'COMPLETED'
}

/** The sellers a person acts for: those of the login, and the accounts for testing that were made for it. */
export function sellerIdsOf(store: Store, email: string, now: Date): string[] {
  const own = store.logins.find(login => login.email === email)?.sellerIds ?? []
  const tests = [...store.sellers.values()].filter(
    ({ test }) => test?.email === email && testAccountStatus(test, now) === 'COMPLETED',
  )
  return tests.length === 0 ? own : [...own, ...tests.map(({ sellerId }) => sellerId)]
}
