import { addDays, dayIn, startOfDayIn } from '#shared/time.ts'
import type { Processes } from '../../support/processes.ts'
import { spentToday, usProfileId } from './marketplace-figures.ts'
import { control } from './sandbox-control.ts'

type Sandbox = Processes['sandbox']
const timezone = 'America/Los_Angeles'
const hourMs = 3_600_000

/** Makes the account's shoppers so busy for two days that an hour takes more of a budget than `runOut` leaves of it. */
export const makeBusy = (sandbox: Sandbox): Promise<void> =>
  control(sandbox, 'events', { profileId: usProfileId, categoryId: null, demand: 4, conversion: 1.3, lasts: 'PT48H' })

/** Moves the clock to the next moment at which it is this hour for the account. */
export async function moveToHour(sandbox: Sandbox, hour: number): Promise<void> {
  const now = new Date(((await (await sandbox.control('GET', 'clock')).json()) as { now: string }).now)
  const today = dayIn(now, timezone)
  const at = (day: string) => new Date(startOfDayIn(day, timezone).getTime() + hour * hourMs)
  const next = at(today) > now ? at(today) : at(addDays(today, 1))
  await control(sandbox, 'clock', { now: next.toISOString() })
}

/** Leaves campaigns little more than they have spent, in the marketplace's console, and lets an hour of shoppers pass. */
export async function runOut(
  sandbox: Sandbox,
  campaigns: readonly { amazonId: string; budget: number }[],
): Promise<void> {
  for (const campaign of campaigns) {
    const spent = await spentToday(sandbox, campaign.amazonId)
    campaign.budget = Math.max(1, Math.ceil(spent * 102) / 100)
    const { amazonId: id, budget: value } = campaign
    await control(sandbox, 'console', { entity: 'campaign', id, action: 'budget', value })
  }
  await control(sandbox, 'clock', { advance: 'PT1H' })
}
