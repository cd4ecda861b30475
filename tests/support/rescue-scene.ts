import { importStructure } from '#features/structure/server/public.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { listChanges } from '#features/structure/server/changes/list-changes.ts'
import { pushJobs, structureJobs } from '#features/structure/server/push/send-changes.ts'
import { getCampaign, pickCampaigns } from '#features/structure/server/read-campaigns.ts'
import { budgetRescueJobs, returnBudgets } from '#features/budget-rescue/server/return-budgets.job.ts'
import { dueAccounts } from '#features/budget-rescue/server/sql.ts'
import { midnightAfter } from '#features/budget-rescue/server/state.ts'
import type { Services } from '#server/context.ts'
import { addSession, openProcess } from './answers-scene.ts'
import { connectSeller } from './connected-seller.ts'
import { servicesWithOutside } from './outside.ts'

/**
 * A seller of the emulator with its imported campaigns, and what a test does with their budgets; `close` ends it. Each campaign
 * is handed out once.
 */
export async function openRescueScene() {
  const opened = await servicesWithOutside({ jobs: [...structureJobs, ...budgetRescueJobs] })
  const { services, sandbox } = opened
  const http = await openProcess(services)
  const seller = await connectSeller(services, { login: 'agency@sandbox.test', sellerId: 'A1HARBORLANEUS' })
  const { ctx } = seller
  const profile = seller.profiles.find(own => own.countryCode === 'US') as Profile
  const { token } = await addSession(services, seller.accountId)
  await importStructure(services, profile, { signal: AbortSignal.timeout(60_000), onProgress: async () => undefined })
  const untouched = (await pickCampaigns(ctx))
    .filter(one => one.state === 'ENABLED' && one.adType === 'SPONSORED_PRODUCTS')
    .map(one => one.id)

  const job = { id: 'job', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
  const own = (id: number) => getCampaign(ctx, String(id))

  /** A running campaign that no other test has touched. */
  async function campaign() {
    const id = untouched.pop()
    if (id === undefined) throw new Error('the scenario has too few campaigns')
    const row = await own(id)
    return { ...row, budget: row.budget ?? 0 }
  }
  const push = () =>
    pushJobs.campaign.run(
      services,
      { merchantId: profile.merchantId, profileId: profile.profileId, adType: 'SPONSORED_PRODUCTS' },
      job,
    )
  const midnight = () => midnightAfter(services.clock.now(), profile.timezone)
  const at = (moment: Date): Services => ({ ...services, clock: { now: () => moment } })
  const afterMidnight = (seconds = 1) => new Date(midnight().getTime() + seconds * 1000)
  const giveBackAll = (moment = afterMidnight(), signal = job.signal) =>
    returnBudgets.run(at(moment), { merchantId: profile.merchantId, profileId: profile.profileId }, { ...job, signal })
  const openAccounts = () => dueAccounts(services.db.system, afterMidnight(), afterMidnight(-600), 100)
  function budgetThere(amazonId: string): number {
    return (sandbox.world.store.campaigns.get(amazonId)?.budgetMicros ?? 0) / 1e6
  }
  /** Somebody changes the budget in the marketplace's own console. */
  function changeThere(amazonId: string, budget: number): void {
    sandbox.world.change(store => {
      const found = store.campaigns.get(amazonId)
      if (found) store.campaigns.set(amazonId, { ...found, budgetMicros: budget * 1e6 })
    })
  }
  const fail = (kind: 'drop-after' | 'drop-before') =>
    sandbox.world.faults.add({ match: { vendor: 'ads', method: 'PUT', path: '/sp/campaigns' }, kind, times: 100 })
  const lines = async (campaignId: number) =>
    (await listChanges(ctx, { page: 0, size: 20, campaignId })).content.map(({ origin, before, after, undoneBy }) => ({
      origin,
      before,
      after,
      isUndone: undoneBy !== null,
    }))
  const close = async () => {
    await http.close()
    await services.close()
  }
  return {
    services,
    sandbox,
    http,
    ctx,
    profile,
    token,
    untouched,
    job,
    own,
    campaign,
    push,
    midnight,
    at,
    afterMidnight,
    giveBackAll,
    openAccounts,
    budgetThere,
    changeThere,
    fail,
    lines,
    close,
  }
}
