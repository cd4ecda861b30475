import type { QueryClient } from '@tanstack/react-query'
import { keepScreens, keptAnswer, type KeptAnswer, keptPages } from '#client/api/memory/kept-screens.ts'
import { type DateRange, usualRange } from '#client/ui/forms/date-range.ts'
import { affiliateQueries } from '#features/affiliate/client/queries.ts'
import { accountQueries } from '#features/accounts/client/queries.ts'
import { knownShop, type Shop } from '#features/accounts/client/shop/shop.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'
import { brandingQueries } from '#features/branding/client/queries.ts'
import { billingQueries } from '#features/billing/client/queries.ts'
import { campaignAnswers, detailAnswers } from '#features/campaigns/client/kept-answers.ts'
import { usualSize } from '#features/catalogue/client/inventory-search.ts'
import { catalogueQueries } from '#features/catalogue/client/queries.ts'
import { homeQueries } from '#features/home/client/queries.ts'
import { insightAnswers } from '#features/insights/client/kept-answers.ts'
import { launchQueries } from '#features/launches/client/queries.ts'
import { notificationQueries } from '#features/notifications/client/queries.ts'
import { optimizerQueries } from '#features/optimizer/client/queries.ts'
import { reportQueries } from '#features/reports/client/queries.ts'
import { subscriptionQueries } from '#features/subscription/client/queries.ts'

/** What the screens of the account show, whichever shop is worked in. */
function accountAnswers(client: QueryClient): KeptAnswer[] {
  const merchants = client.getQueryData(accountQueries.merchants().queryKey) ?? []
  return [
    keptAnswer(userQueries.user()),
    keptAnswer(notificationQueries.open()),
    keptAnswer(notificationQueries.counts()),
    keptPages(notificationQueries.list({ unread: false })),
    keptAnswer(subscriptionQueries.plans()),
    keptAnswer(subscriptionQueries.current()),
    keptAnswer(affiliateQueries.own()),
    keptAnswer(accountQueries.regions()),
    ...merchants.flatMap(({ id }) => [
      keptAnswer(accountQueries.merchant(id)),
      keptAnswer(accountQueries.marketplacesOf(id)),
    ]),
  ]
}

/** What the owner of an account pays, and the newest invoices. */
const billingAnswers = (): KeptAnswer[] => [
  keptAnswer(billingQueries.dashboard()),
  keptAnswer(billingQueries.cards()),
  keptAnswer(billingQueries.invoices(0)),
]
const keptInvoices = 3
function invoiceAnswers(client: QueryClient): KeptAnswer[] {
  const { content = [] } = client.getQueryData(billingQueries.invoices(0).queryKey) ?? {}
  const fee = client.getQueryData(billingQueries.dashboard().queryKey)?.fee
  const fees = fee ? [keptAnswer(billingQueries.feeByMonth(fee.to))] : []
  const invoices = content.slice(0, keptInvoices).map(({ id }) => keptAnswer(billingQueries.invoice(id)))
  return [...fees, ...invoices]
}

const optimizerAnswers = (shop: Shop, { from, to }: DateRange): KeptAnswer[] => [
  keptAnswer(optimizerQueries.groups(shop)),
  keptPages(optimizerQueries.log(shop, { dateFrom: from, dateTo: to })),
  keptAnswer(optimizerQueries.campaigns(shop)),
]

/** Loads what every screen of the dashboard opens with. True when all of it is on the device. */
export async function keepAllScreens(client: QueryClient): Promise<boolean> {
  const shop = knownShop(client)
  if (!(await keepScreens(client, accountAnswers(client)))) return false
  if (!shop) return true
  const range = usualRange(shop.marketplaceId)
  const answers = [
    keptAnswer(homeQueries.cards(shop, range)),
    keptAnswer(homeQueries.why(shop, range)),
    keptAnswer(homeQueries.performance(shop, range, 'DAY')),
    keptAnswer(homeQueries.breakdown(shop, range)),
    keptAnswer(homeQueries.budgets(shop)),
    ...insightAnswers(shop, range),
    keptAnswer(catalogueQueries.inventory(shop, { page: 0, size: usualSize, search: '' })),
    keptAnswer(launchQueries.log(shop, 0, 20)),
    keptAnswer(reportQueries.list(shop, 0, '')),
    keptAnswer(reportQueries.schedules(shop)),
  ]
  const user = client.getQueryData(userQueries.user().queryKey)
  const authorities = user ? authoritiesOfUser(user) : []
  const [changes, pays] = [authorities.includes('MERCHANT_MANAGER'), authorities.includes('ACCOUNT_MANAGER')]
  const all = [
    ...(changes ? [...campaignAnswers(shop, range), ...optimizerAnswers(shop, range)] : []),
    ...answers,
    ...(pays ? billingAnswers() : []),
    ...(authorities.includes('AGENCY') ? [keptAnswer(brandingQueries.list())] : []),
  ]
  if (!(await keepScreens(client, all))) return false
  const details = [...(changes ? detailAnswers(client, shop, range) : []), ...(pays ? invoiceAnswers(client) : [])]
  return keepScreens(client, details)
}
