import { useQuery } from '@tanstack/react-query'
import { useToday } from '#client/api/server-clock.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { Figure, Money } from '#client/ui/figures/figure.tsx'
import { formatFullDay } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { areRatesOld } from '#shared/exchange-rates.ts'
import { metrics } from '#shared/metrics.ts'
import { dayIn } from '#shared/time.ts'
import type { homeEndpoints } from '../contract.ts'
import { homeQueries } from './queries.ts'

const { acos } = metrics

export function MarketplaceBreakdown({ shop, range }: { shop: Shop; range: DateRange }) {
  const query = useQuery(homeQueries.breakdown(shop, range))
  return (
    <QueryView
      query={query}
      loading={{ rows: 2, label: 'Loading the marketplaces' }}
      failedTitle="The marketplaces could not be loaded"
    >
      {breakdown => <MarketplacesCard breakdown={breakdown} />}
    </QueryView>
  )
}

type Breakdown = EndpointOutput<typeof homeEndpoints.breakdown>

function MarketplacesCard({ breakdown }: { breakdown: Breakdown }) {
  const { userCurrency, rows } = breakdown
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
              {(['cost', 'sales'] as const).map(name => (
                <div key={name}>
                  <dt>{metrics[name].label}</dt>
                  <dd>
                    <Money amount={row[name]} currency={row.currency} />
                    {row.currency !== userCurrency && (
                      <Converted amount={row.converted?.[name] ?? null} currency={userCurrency} />
                    )}
                  </dd>
                </div>
              ))}
              <div>
                <dt>{acos.label}</dt>
                <dd>
                  <Figure
                    value={row.acos}
                    kind={acos.unit}
                    {...(acos.unknownBecause && { reason: acos.unknownBecause })}
                  />
                </dd>
              </div>
            </dl>
          </li>
        ))}
      </ul>
      <RatesNote {...breakdown} />
    </Card>
  )
}

// Nothing when no money was converted.
function RatesNote({ rows, userCurrency, ratesOf }: Breakdown) {
  const today = useToday(at => dayIn(at, 'UTC'))
  const rates = new Map<string, number>(
    rows.flatMap(({ currency, converted }) =>
      converted && currency !== userCurrency ? [[currency, converted.rate] as const] : [],
    ),
  )
  if (!rates.size) return null
  const conversions = [...rates].map(([currency, rate]) => `1 ${userCurrency} = ${formatRate(rate)} ${currency}`)
  return (
    <p className="card-note">
      Converted at the European Central Bank’s reference rates of {formatFullDay(ratesOf)}: {conversions.join(', ')}.
      {areRatesOld(ratesOf, today) && (
        <strong> These rates are more than a week old, so converted amounts are rough.</strong>
      )}
    </p>
  )
}

const formatRate = (rate: number): string =>
  new Intl.NumberFormat(undefined, { minimumSignificantDigits: 5, maximumSignificantDigits: 5 }).format(rate)

function Converted({ amount, currency }: { amount: number | null; currency: string }) {
  return (
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
}
