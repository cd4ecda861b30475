import { marketplaceByKey } from '#shared/marketplaces.ts'
import { smallScenario } from './ads-test-world.ts'

/** The small world, and profile 444 of the same seller in the United Kingdom. */
export const kingdomScenario = (options: { now: Date }): ReturnType<typeof smallScenario> => {
  const scenario = smallScenario(options)
  const kingdom = marketplaceByKey('UK')
  const home = scenario.store.profiles.get(111)
  if (!kingdom || !home) throw new Error('the small world has no profile 111, or there is no such kingdom')
  scenario.store.profiles.set(444, {
    ...home,
    profileId: 444,
    region: 'EU',
    marketplaceId: kingdom.amazonId,
    countryCode: kingdom.key,
    currency: kingdom.currency,
    timezone: kingdom.timezone,
  })
  return scenario
}
