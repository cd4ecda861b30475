import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import type { BillingDashboard } from '../contract.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { AdSpendSummary } from '../fee-contract.ts'
import { isFeeKnown } from './fee-card.tsx'
import { billingQueries, triggerBilling } from './queries.ts'
import { formatMonth } from '#client/ui/figures/format.ts'

type Fee = NonNullable<BillingDashboard['fee']>
type Month = AdSpendSummary['months'][number]

/** The fee of each month up to the running one, which invoice it is on, and the way to charge what has closed now. */
export function FeeMonthsCard({ running: fee }: { running: Fee }) {
  const query = useQuery(billingQueries.feeByMonth(fee.to))
  const trigger = useMutation(triggerBilling(useQueryClient()))
  const online = useOnline()
  const running = fee.from.slice(0, 7)
  const isCounted = (month: string) => month !== running || isFeeKnown(fee)
  return (
    <Card title="Ad spend fee by month">
      <QueryView
        query={query}
        loading={{ rows: 3, label: 'Loading the fees of earlier months' }}
        failedTitle="The fees of earlier months could not be loaded"
      >
        {({ months, currency }) => {
          const shown = months.filter(({ month, spend, state }) => month === running || spend > 0 || state !== 'OPEN')
          const isDue = shown.some(({ month, state }) => state === 'ISSUING' || (state === 'OPEN' && month < running))
          return (
            <>
              <ul className="billing-list invoice-rows">
                {shown.toReversed().map(month => (
                  <li key={month.month}>
                    <div>
                      {formatMonth(month.month)}
                      <div className="list-row-detail">
                        Ad spend{' '}
                        {isCounted(month.month) ? <Money amount={month.spend} currency={currency} /> : 'not known yet'}
                        {month.corrections !== 0 && (
                          <>
                            {' '}
                            · corrected later by <Money amount={month.corrections} currency={currency} />
                          </>
                        )}
                      </div>
                    </div>
                    <div className="invoice-amount">
                      {isCounted(month.month) ? <Money amount={month.fee} currency={currency} /> : '–'}
                      <FeeState month={month} isRunning={month.month === running} />
                    </div>
                  </li>
                ))}
              </ul>
              {isDue && (
                <Button
                  tone="quiet"
                  busy={trigger.isPending}
                  busyLabel="Charging…"
                  disabled={!online}
                  onClick={() => trigger.mutate()}
                >
                  Charge what is due now
                </Button>
              )}
            </>
          )
        }}
      </QueryView>
    </Card>
  )
}

function FeeState({ month: { state, invoiceId, fee }, isRunning }: { month: Month; isRunning: boolean }) {
  if (state === 'INVOICED' && invoiceId !== null)
    return (
      <Link to="/subscription/invoices/$invoiceId" params={{ invoiceId }} className="invoice-link">
        Invoice
      </Link>
    )
  return <small className="muted">{stateText(state, fee, isRunning)}</small>
}

function stateText(state: Month['state'], fee: number, isRunning: boolean): string {
  if (state === 'ISSUING') return 'Invoice being made'
  if (state === 'CARRIED') return fee === 0 ? 'Nothing to pay' : 'On the next invoice'
  return isRunning ? 'So far' : 'Not closed yet'
}
