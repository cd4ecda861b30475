import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { CallRefused, demoAccount, productCalls } from './product-calls.ts'
import { takeCampaignsOver } from './take-over.ts'

/**
 * Enters what the goods of the demonstration's sellers cost, as the seller would on Inventory, so that profit is known, and then
 * takes campaigns over. Products come in by and by and belong to one marketplace at a time, so this watches the one that the
 * account works in, and enters costs there once. A product whose cost is known is left alone. Runs until its parent ends.
 * Usage: node src/main/demonstration/enter-costs.ts PRODUCT_URL
 */
const { must } = productCalls(process.argv[2] ?? '')
const lookAgainMs = 3000
const lookAgainWhenDoneMs = 20_000

const session = z.object({ accessToken: z.string() })
const withId = z.object({ id: z.number() })
const inventory = z.object({
  content: z.array(
    z.object({
      productId: z.number(),
      customerPrice: z.number().nullable(),
      customerCurrency: z.string(),
      cogs: z.number().nullable(),
    }),
  ),
  page: z.object({ totalPages: z.number() }),
})
type Product = z.infer<typeof inventory>['content'][number]

interface Cost {
  cogs: number
  /** Holds from here on; from the beginning when absent. */
  validFrom?: string
}

/**
 * Between 22 and 34 percent of the price, the same for a product each time. Every third product cost less until its supplier
 * raised the price five weeks ago. The first cost comes first.
 */
function costsOf({ customerPrice, customerCurrency, productId }: Product): Cost[] {
  const digits = customerCurrency === 'JPY' ? 0 : 2
  const ofPrice = (share: number) => Number(((customerPrice ?? 0) * share).toFixed(digits))
  const share = 0.22 + (productId % 13) / 100
  if (productId % 3) return [{ cogs: ofPrice(share) }]
  const raisedOn = new Date(Date.now() - 35 * 86_400_000).toISOString().slice(0, 10)
  return [{ cogs: ofPrice(share * 0.85) }, { cogs: ofPrice(share), validFrom: raisedOn }]
}

async function productsOf(token: string, shop: string): Promise<Product[]> {
  const all: Product[] = []
  for (let page = 0, pages = 1; page < pages; page++) {
    const answer = inventory.parse(await must('GET', `/inventory?page=${page}&size=100`, { token, shop }))
    all.push(...answer.content)
    pages = answer.page.totalPages
  }
  return all
}

/** Merchant and marketplace that the account works in. */
async function currentShop(token: string): Promise<{ shop: string; country: string }> {
  const merchant = withId.parse(await must('GET', '/profile/current', { token }))
  const current = await must('GET', '/profile/marketplaces/current', { token })
  const { id, key } = withId.extend({ key: z.string() }).parse(current)
  return { shop: `${merchant.id}/${id}`, country: key }
}

const done = new Set<string>()
/** Enters the costs of a shop; true when all are there. */
async function enterCosts(token: string, shop: string): Promise<boolean> {
  if (done.has(shop)) return true
  const products = await productsOf(token, shop)
  const open = products.filter(product => product.cogs === null && product.customerPrice !== null)
  for (const product of open)
    for (const { cogs, validFrom } of costsOf(product)) {
      const from = validFrom ? `&validFrom=${validFrom}` : ''
      await must('PUT', `/inventory/${product.productId}/cogs?cogs=${cogs}${from}`, { token, shop })
    }
  // Products come in page by page: done is what had some, and all of them with a cost, when it was looked at.
  if (products.length && !open.length) done.add(shop)
  return done.has(shop)
}

const logIn = async (): Promise<string> =>
  session.parse(await must('POST', '/auth/login', { body: demoAccount })).accessToken

process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
let token: string | undefined
let isTakenOver = false
for (;;) {
  let waitMs = lookAgainMs
  try {
    token ??= await logIn()
    const { shop, country } = await currentShop(token)
    const hasCosts = await enterCosts(token, shop)
    // Only where the account works at first.
    const takesOver = country === 'US' && !isTakenOver
    if (hasCosts && takesOver) isTakenOver = await takeCampaignsOver(must, token, shop)
    if (hasCosts && (isTakenOver || !takesOver)) waitMs = lookAgainWhenDoneMs
  } catch (error) {
    // Nothing is imported yet, or the account chose another marketplace meanwhile.
    waitMs = lookAgainWhenDoneMs
    if (error instanceof CallRefused && error.status === 401) token = undefined
  }
  await sleep(waitMs)
}
