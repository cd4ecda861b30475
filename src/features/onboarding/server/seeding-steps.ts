import { addDays, dayIn } from '#shared/time.ts'
import type { Profile } from '#features/accounts/server/public.ts'
import { importCatalogue } from '#features/catalogue/server/public.ts'
import { importDays, importTrade, placeHours, subscribeHours } from '#features/metrics/server/public.ts'
import { type ImportProgress, importStructure } from '#features/structure/server/public.ts'
import type { Services } from '#server/context.ts'
import type { SeedingItem } from '../contract.ts'
import { isNotTold } from './refusals.ts'

/** How far back the marketplace keeps daily figures, besides today. */
export const DAYS_BACK = 94

export interface Step extends ImportProgress {
  services: Services
  profile: Profile
}

/** Imports the account's structure, then counts the hourly figures that arrived before their campaigns. */
export async function importCampaigns(step: Step): Promise<void> {
  await importStructure(step.services, step.profile, step)
  await placeHours(step.services, step.signal)
}

/**
 * Imports the figures from `daysBack` days ago until today, then the seller's total sales of the same days. Those stay
 * unknown if the marketplace rejects the request.
 */
export async function importFigures({ services, profile, signal, onProgress }: Step, daysBack: number): Promise<void> {
  const to = dayIn(services.clock.now(), profile.timezone)
  const from = addDays(to, -daysBack)
  const ofAds: Step['onProgress'] = (share, ...what) => onProgress(share * 0.9, ...what)
  await importDays(services, profile, { from, to, signal, onProgress: ofAds })
  await onProgress(0.9, 'all sales, advertised or not')
  try {
    await importTrade(services, profile, from, to, signal)
  } catch (error) {
    if (!isNotTold(error)) throw error
    services.log.warn({ err: error, profileId: profile.profileId }, 'the marketplace does not provide total sales')
  }
}

/** How each kind is imported. Each can be interrupted and run again; returns a summary for the user. */
export const seedingSteps: Record<SeedingItem['kind'], (step: Step) => Promise<string>> = {
  STRUCTURE: async step => {
    await importCampaigns(step)
    return 'All campaigns, ad groups, ads, keywords and targets'
  },
  INVENTORY: async step => {
    const count = await importCatalogue(step.services, step.profile, step)
    const connected = step.profile.sellingPartnerConnectionId !== null
    return connected ? `${count} products` : 'Connect the seller account to see its products'
  },
  DAILY_FIGURES: async step => {
    await importFigures(step, DAYS_BACK)
    return `${DAYS_BACK + 1} days`
  },
  HOURLY_FIGURES: async step => {
    await subscribeHours(step.services, step.profile)
    const { config } = step.services
    const streamed = config.ADS_STREAM_DESTINATION_ARN !== undefined && config.ADS_STREAM_QUEUE_URL !== undefined
    return streamed
      ? 'They are collected from now on; the marketplace has no earlier hours'
      : 'Not set up on this server'
  },
}
