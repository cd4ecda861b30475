import { marketplaceByKey } from '#shared/marketplaces.ts'
import { smallScenario } from './ads-test-world.ts'

/** The small world, and profile 444 of the same seller in the United Kingdom. */
export function britishScenario(options: { now: Date }): ReturnType<typeof smallScenario> {
  const scenario = smallScenario(options)
  const britain = marketplaceByKey('UK')
  const home = scenario.store.profiles.get(111)
  if (!britain || !home) throw new Error('the small world has no profile 111, or there is no such britain')
  scenario.store.profiles.set(444, {
    ...home,
    profileId: 444,
    region: 'EU',
    marketplaceId: britain.amazonId,
    countryCode: britain.key,
    currency: britain.currency,
    timezone: britain.timezone,
  })
  return scenario
}
