import type { Processes } from '../../support/processes.ts'
import { addThousandKeywords, agency, type Marketplace, openMarketplace } from './agency-at-marketplace.ts'
import { connectAds, connectSeller, type Seeded, startTrial, verifiedPerson, waitForImport } from './seeded-person.ts'
import { patient, test as base } from './watched-test.ts'

interface Agency {
  person: Seeded
  marketplace: Marketplace
}

async function importedAgency(world: Processes): Promise<Seeded> {
  const person = await verifiedPerson(world)
  await connectSeller(person, agency)
  await startTrial(person)
  await connectAds(person, agency.login)
  await waitForImport(person)
  return person
}

/** An agency with running campaigns of every ad type, a month of figures, and an ad group of a thousand keywords. */
export const test = base.extend<object, { manager: Agency }>({
  manager: [
    async ({ world }, use) => {
      const marketplace = await openMarketplace(world.sandbox)
      await addThousandKeywords(marketplace)
      await use({ person: await importedAgency(world), marketplace })
    },
    { scope: 'worker', ...patient },
  ],
})
