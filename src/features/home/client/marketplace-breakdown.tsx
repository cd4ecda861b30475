import { useQuery } from '@tanstack/react-query'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { Figure, Money } from '#client/ui/figures/figure.tsx'
import { formatFullDay } from '#client/ui/figures/format-time.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { Skeleton } from '#client/ui/states/skeleton.tsx'
import { FailedState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { homeQueries } from './queries.ts'

/** Every marketplace of the merchant in its own currency, and converted where that differs. */
export const MarketplaceBreakdown = ({ shop, range }: { shop: Shop; range: DateRange }) => {
  const { data, error, refetch } = useQuery(homeQueries.breakdown(shop, range))
  if (!data && error)
    return <FailedState error={error} title="The marketplaces could not be loaded" onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={2} label="Loading the marketplaces" />
  const { userCurrency, ratesOf, rows } = data
  const converted = rows.some(row => row.currency !== userCurrency)
  return (
    <Card title="Marketplaces">
      <ul className="breakdown">
        {rows.map(row => (
          <li key={row.marketplaceId}>
            <div className="breakdown-name">
              <strong>{row.name}</strong>
              <DataAge at={row.freshness.asOf} prefix="from" />
            </div>
            <dl className="breakdown-figures">
              <div>
                <dt>Ad spend</dt>
                <dd>
                  <Money amount={row.cost} currency={row.currency} />
                  {row.currency !== userCurrency && (
                    <Converted amount={row.converted?.cost ?? null} currency={userCurrency} />
                  )}
                </dd>
              </div>
              <div>
                <dt>Ad sales</dt>
                <dd>
                  <Money amount={row.sales} currency={row.currency} />
                  {row.currency !== userCurrency && (
                    <Converted amount={row.converted?.sales ?? null} currency={userCurrency} />
                  )}
                </dd>
              </div>
              <div>
                <dt>ACOS</dt>
                <dd>
                  <Figure
                    value={row.acos}
                    kind="percent"
                    reason="Not known: there were no attributed sales in these days."
                  />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
      {converted && (
        <p className="card-note">Converted at the European Central Bank’s rates of {formatFullDay(ratesOf)}.</p>
      )}
    </Card>
  )
}

const Converted = ({ amount, currency }: { amount: number | null; currency: string }) => (
  <small className="breakdown-converted">
    {amount === null ? (
      'no rate'
    ) : (
      <>
        ≈ <Money amount={amount} currency={currency} />
      </>
    )}
  </small>
)
