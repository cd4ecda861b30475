import './billing.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Money } from '#client/ui/figures/figure.tsx'
import { formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { InvoiceDetail } from '../contract.ts'
import { cardName, dayText, invoiceName, kindLabels, periodText } from './billing-words.ts'
import { InvoiceTag } from './invoices-card.tsx'
import { billingQueries, openPaymentPage, openPdf, payInvoice, refreshBilling, useFreshBilling } from './queries.ts'

const route = getRouteApi('/dashboard/subscription/invoices/$invoiceId')

export function InvoicePage() {
  const client = useQueryClient()
  useFreshBilling(client)
  const { invoiceId } = route.useParams()
  const query = useQuery(billingQueries.invoice(invoiceId))
  return (
    <Page
      title={query.data ? invoiceName(query.data) : 'Invoice'}
      back="/subscription/billing"
      status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />}
      onRefresh={() => refreshBilling(client)}
    >
      <QueryView
        query={query}
        loading={{ rows: 2, kind: 'card', label: 'Loading the invoice' }}
        failedTitle="The invoice could not be loaded"
        notFound={<NoInvoice />}
      >
        {invoice => (
          <>
            <Summary invoice={invoice} />
            <Lines invoice={invoice} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

const NoInvoice = () => (
  <EmptyState
    title="There is no such invoice"
    hint="It may belong to another account."
    action={
      <Link to="/subscription/billing" className="button button-quiet">
        See all invoices
      </Link>
    }
  />
)

function Summary({ invoice }: { invoice: InvoiceDetail }) {
  const { kind, currency, total, amountRemaining, issuedAt, dueAt, paidAt, nextAttemptAt, attemptCount } = invoice
  const period = periodText(invoice)
  const isOwed = invoice.status === 'open' || invoice.status === 'uncollectible'
  return (
    <Card title={kindLabels[kind]} aside={<InvoiceTag invoice={invoice} />}>
      <p className="metric-value">
        <Money amount={isOwed ? amountRemaining : total} currency={currency} />{' '}
        {isOwed && <small className="metric-label">to pay</small>}
      </p>
      <KeyValue
        items={[
          ...(period ? [{ label: 'Period', value: period }] : []),
          { label: 'Date', value: dayText(issuedAt) },
          ...(dueAt && isOwed ? [{ label: 'Due', value: dayText(dueAt) }] : []),
          ...(paidAt ? [{ label: 'Paid', value: dayText(paidAt) }] : []),
          ...(isOwed && attemptCount > 0 ? [{ label: 'Failed payments', value: formatNumber(attemptCount) }] : []),
          ...(nextAttemptAt
            ? [{ label: attemptCount > 0 ? 'Charged again' : 'Charged on', value: dayText(nextAttemptAt) }]
            : []),
        ]}
      />
      <Actions invoice={invoice} isOwed={isOwed} />
    </Card>
  )
}

function Actions({ invoice, isOwed }: { invoice: InvoiceDetail; isOwed: boolean }) {
  const online = useOnline()
  const pdf = useMutation(openPdf())
  const page = useMutation(openPaymentPage())
  return (
    <div className="button-row">
      {isOwed && <PayButton invoice={invoice} />}
      {isOwed && (
        <Button busy={page.isPending} busyLabel="Opening…" disabled={!online} onClick={() => page.mutate(invoice.id)}>
          Pay another way
        </Button>
      )}
      {invoice.status !== 'draft' && (
        <Button busy={pdf.isPending} busyLabel="Opening…" disabled={!online} onClick={() => pdf.mutate(invoice.id)}>
          Open the PDF
        </Button>
      )}
    </div>
  )
}

/** Pays with the default card; nothing where none is known. */
function PayButton({ invoice }: { invoice: InvoiceDetail }) {
  const online = useOnline()
  const client = useQueryClient()
  const pay = useMutation(payInvoice(client))
  const { data } = useQuery(billingQueries.cards())
  const card = data?.cards?.find(one => one.isDefault)
  if (!card || card.expiry === 'EXPIRED') return null
  const amount = formatMoney(invoice.amountRemaining, invoice.currency)
  const ask = async () => {
    const sure = await confirm({
      title: `Pay ${amount}?`,
      message: `${cardName(card)} is charged now.`,
      confirmText: 'Pay',
    })
    if (sure) pay.mutate({ id: invoice.id, cardId: card.id })
  }
  return (
    <Button tone="primary" busy={pay.isPending} busyLabel="Paying…" disabled={!online} onClick={() => void ask()}>
      Pay with {cardName(card)}
    </Button>
  )
}

function Lines({ invoice: { lines, currency, total } }: { invoice: InvoiceDetail }) {
  return (
    <Card title="What it is for">
      <ul className="billing-list invoice-lines">
        {lines.map((line, index) => (
          <li key={index}>
            <div>
              <strong>{line.fee ? `${line.fee.name} · ${line.fee.countryCode}` : line.description}</strong>
              <LineDetail line={line} currency={currency} />
            </div>
            <Money amount={line.amount} currency={currency} />
          </li>
        ))}
        <li className="invoice-total">
          <strong>Total</strong>
          <strong>
            <Money amount={total} currency={currency} />
          </strong>
        </li>
      </ul>
    </Card>
  )
}

function LineDetail({ line, currency }: { line: InvoiceDetail['lines'][number]; currency: string }) {
  const { fee } = line
  const period = periodText(line)
  if (!fee) return period && <div className="list-row-detail">{period}</div>
  return (
    <>
      {period && <div className="list-row-detail">{period}</div>}
      <dl className="line-figures">
        <div>
          <dt>Ad spend</dt>
          <dd>
            <Money amount={fee.spend} currency={fee.currency} />
          </dd>
        </div>
        {fee.rate !== null && (
          <div>
            <dt>Exchange rate</dt>
            <dd>
              1 {fee.currency} = {formatNumber(fee.rate, 6)} {currency}
            </dd>
          </div>
        )}
        <div>
          <dt>Percentage</dt>
          <dd>{formatPercent(fee.percentage)}</dd>
        </div>
      </dl>
    </>
  )
}
