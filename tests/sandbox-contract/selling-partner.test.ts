import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { describedBy, emulated, modelsFolder, unlessAbsent } from './models.ts'
import { catalogueCases } from './selling-partner/catalogue-cases.ts'
import { feedCases } from './selling-partner/feed-cases.ts'
import { HOUR, judgeFor } from './selling-partner/judge.ts'
import { listingsCases } from './selling-partner/listings-cases.ts'
import { orderCases } from './selling-partner/orders-cases.ts'
import { reportCases } from './selling-partner/report-cases.ts'
import { openSellingPartner, type SellingPartnerWorld } from './selling-partner-world.ts'

const sellers = [
  { host: '/sp/na', sellerId: 'A1HARBORLANEUS', marketplaceId: 'ATVPDKIKX0DER', timezone: 'America/Los_Angeles' },
  { host: '/sp/eu', sellerId: 'A2NORDHAFENDE1', marketplaceId: 'A1PA6795UKMFR9', timezone: 'Europe/Paris' },
  { host: '/sp/fe', sellerId: 'A3MINATOSHOJI1', marketplaceId: 'A1VC38T7YXB528', timezone: 'Asia/Tokyo' },
]

let sp: SellingPartnerWorld
beforeAll(async () => {
  sp = await openSellingPartner()
})
// An hour fills every bucket of the usage plans again.
beforeEach(() => sp.world.clock.advance(HOUR))
afterAll(() => sp.close())

describe.skipIf(!modelsFolder).each(sellers)(
  `every answer to $sellerId is what the models describe${unlessAbsent}`,
  seller => {
    const judged = new Set<string>()
    const judge = judgeFor(() => sp, seller, judged)
    listingsCases(judge)
    catalogueCases(judge)
    orderCases(judge)
    reportCases(judge)
    feedCases(judge)

    test('refused without a token, whatever is asked', async () => {
      for (const operationId of emulated) {
        const path = Object.fromEntries(
          [...describedBy(operationId).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'any']),
        )
        const answer = await judge.ask(operationId, { path }, 'nonsense')
        expect({ operationId, status: answer.status }).toEqual({ operationId, status: 403 })
      }
    })

    test('and every operation was answered, not only refused', () => {
      expect([...judged].sort()).toEqual([...emulated].sort())
    })
  },
)
