import type { Account } from './account.ts'
import { expireSession } from './checkout.ts'
import { type DueTask, nextOfInvoice, nextOfSubscription } from './subscription-cycle.ts'

/** More than any advance of the clock causes; a task that does not move its object on would otherwise run forever. */
const MAX_TASKS = 100_000

function nextTask(account: Account): DueTask | null {
  const tasks = [
    ...account.all('subscription').map(one => nextOfSubscription(account, one)),
    ...account.all('invoice').map(one => nextOfInvoice(account, one)),
    ...account
      .all('checkout.session')
      .map(one => (one.status === 'open' ? { at: one.expires_at, run: () => expireSession(account, one) } : null)),
  ]
  let next: DueTask | null = null
  for (const task of tasks) if (task && (!next || task.at < next.at)) next = task
  return next
}

/** Lets happen, in its order, whatever became due until now: trials that end, renewals, retries, sessions that expire. */
export function catchUp(account: Account): void {
  const now = account.now()
  account.transaction(() => {
    account.forgetOldEvents()
    for (let i = 0; i < MAX_TASKS; i++) {
      const task = nextTask(account)
      if (!task || task.at > now) break
      account.at(task.at, task.run)
    }
  })
}
