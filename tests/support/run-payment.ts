import type { PlanChange } from '#features/subscription/contract.ts'
import { changePlan } from '#features/subscription/server/change-plan.ts'
import { startCheckout } from '#features/subscription/server/checkout.ts'
import { openServer } from '#server/db/open-database.ts'
import { openIntegrations } from '../../src/main/integrations.ts'
import { callerOf } from './people.ts'
import { outsideWorld } from './processes.ts'
import { testServices } from './services.ts'

/** What a process of its own does for an account, so that a test can kill it in the middle. */
export interface PaymentTask {
  databaseUrl: string
  /** Where it finds the payment provider. */
  providerUrl: string
  now: string
  accountId: number
  buy?: number
  change?: PlanChange
}

const [json] = process.argv.slice(2)
if (json && process.send) {
  const { databaseUrl, providerUrl, now, accountId, buy, change } = JSON.parse(json) as PaymentTask
  const base = await testServices({
    db: await openServer(databaseUrl),
    env: outsideWorld(providerUrl, 25),
    clock: { now: () => new Date(now) },
  })
  const ctx = await callerOf({ ...base, integrations: openIntegrations(base) }, accountId)
  if (buy !== undefined) await startCheckout(ctx, buy)
  if (change) await changePlan(ctx, change)
  process.send('done')
}
