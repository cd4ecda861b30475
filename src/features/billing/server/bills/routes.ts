import { type Route, route } from '#server/http/route.ts'
import { billingEndpoints as endpoints } from '../../contract.ts'
import { addCard, listCards, removeCard, setDefaultCard, settleCard } from './cards.ts'
import { getDashboard } from './dashboard.ts'
import { getInvoice, listInvoices, payInvoice, paymentUrl, pdfUrl } from './invoices.ts'

export const billsRoutes: Route[] = [
  route(endpoints.dashboard, ctx => getDashboard(ctx)),
  route(endpoints.invoices, (ctx, { query }) => listInvoices(ctx, query)),
  route(endpoints.invoice, (ctx, { params }) => getInvoice(ctx, params.id)),
  route(endpoints.paymentUrl, (ctx, { params }) => paymentUrl(ctx, params.id)),
  route(endpoints.pdfUrl, (ctx, { params }) => pdfUrl(ctx, params.id)),
  route(endpoints.pay, (ctx, { params, body }) => payInvoice(ctx, params.id, body.cardId)),
  route(endpoints.paymentMethods, ctx => listCards(ctx)),
  route(endpoints.addCard, ctx => addCard(ctx)),
  route(endpoints.settleCard, (ctx, { params }) => settleCard(ctx, params.sessionId)),
  route(endpoints.setDefault, (ctx, { params }) => setDefaultCard(ctx, params.id)),
  route(endpoints.removeCard, (ctx, { params }) => removeCard(ctx, params.id)),
]
