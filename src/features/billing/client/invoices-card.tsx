import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { Money } from '#client/ui/figures/figure.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { DataTable, type TableColumn } from '#client/ui/lists/data-table.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { useWide } from '#client/ui/shell/use-wide.ts'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { billingEndpoints, Invoice } from '../contract.ts'
import { dayText, invoiceName, invoiceState, kindLabels, periodText } from './billing-words.ts'

interface InvoicesCardProps {
  query: UseQueryResult<EndpointOutput<typeof billingEndpoints.invoices>>
  onPage: (page: number) => void
}

export function InvoicesCard({ query, onPage }: InvoicesCardProps) {
  const wide = useWide()
  const heading = useId()
  const list = (
    <QueryView
      query={query}
      loading={{ rows: 3, label: 'Loading your invoices' }}
      failedTitle="Your invoices could not be loaded"
      empty={({ page }) =>
        page.totalElements === 0 && (
          <p className="muted">No invoices yet. The first one arrives with your first payment.</p>
        )
      }
    >
      {({ content, page }) => (
        <>
          {wide ? <InvoiceTable invoices={content} /> : <InvoiceRows invoices={content} />}
          {page.totalPages > 1 && <Pager label="Pages of invoices" page={page} onPage={onPage} />}
        </>
      )}
    </QueryView>
  )
  // A table has a frame of its own.
  if (wide && query.data && query.data.page.totalElements > 0)
    return (
      <section aria-labelledby={heading} className="invoice-section">
        <h2 id={heading}>Invoices</h2>
        {list}
      </section>
    )
  return <Card title="Invoices">{list}</Card>
}

const InvoiceLink = ({ invoice }: { invoice: Invoice }) => (
  <Link to="/subscription/invoices/$invoiceId" params={{ invoiceId: invoice.id }} className="invoice-link">
    {invoice.number ?? invoiceName(invoice)}
  </Link>
)

export function InvoiceTag({ invoice }: { invoice: Invoice }) {
  const { label, tone } = invoiceState(invoice)
  return <span className={`tag ${tone}`}>{label}</span>
}

function InvoiceRows({ invoices }: { invoices: readonly Invoice[] }) {
  return (
    <ul className="billing-list invoice-rows">
      {invoices.map(invoice => (
        <li key={invoice.id}>
          <div>
            <InvoiceLink invoice={invoice} />
            <div className="list-row-detail">
              {kindLabels[invoice.kind]} · {periodText(invoice) ?? dayText(invoice.issuedAt)}
            </div>
          </div>
          <div className="invoice-amount">
            <Money amount={invoice.total} currency={invoice.currency} />
            <InvoiceTag invoice={invoice} />
          </div>
        </li>
      ))}
    </ul>
  )
}

const columns: TableColumn<Invoice>[] = [
  { name: 'number', label: 'Invoice', width: 170, text: true, cell: invoice => <InvoiceLink invoice={invoice} /> },
  { name: 'kind', label: 'For', width: 120, text: true, cell: ({ kind }) => kindLabels[kind] },
  { name: 'period', label: 'Period', width: 200, text: true, cell: invoice => periodText(invoice) ?? '–' },
  { name: 'issued', label: 'Date', width: 120, text: true, cell: ({ issuedAt }) => dayText(issuedAt) },
  { name: 'status', label: 'Status', width: 130, text: true, cell: invoice => <InvoiceTag invoice={invoice} /> },
  {
    name: 'total',
    label: 'Amount',
    width: 110,
    cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
  },
]

const InvoiceTable = ({ invoices }: { invoices: readonly Invoice[] }) => (
  <DataTable label="Invoices" columns={columns} items={invoices} itemKey={one => one.id} nameOf={invoiceName} />
)
