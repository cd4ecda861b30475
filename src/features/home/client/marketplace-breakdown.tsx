import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useToday } from '#client/api/server-clock.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { Figure, Money } from '#client/ui/figures/figure.tsx'
import { formatFullDay, formatPercent, formatRate } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { chooseShop, type Shop } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { areRatesOld } from '#shared/exchange-rates.ts'
import { metrics } from '#shared/metrics.ts'
import { dayIn } from '#shared/time.ts'
import type { homeEndpoints } from '../contract.ts'
import { ExportFile } from './export-file.tsx'
import { homeQueries } from './queries.ts'

const { acos } = metrics

/** Every marketplace of every merchant next to each other; a tap works in another one from then on. */
export function MarketplaceBreakdown({ shop, range }: { shop: Shop; range: DateRange }) {
  const query = useQuery(homeQueries.breakdown(shop, range))
  return (
    <QueryView
      query={query}
      loading={{ rows: 2, label: 'Loading the marketplaces' }}
      failedTitle="The marketplaces could not be loaded"
      staleTitle="The marketplaces could not be refreshed"
    >
      {breakdown => <MarketplacesCard breakdown={breakdown} shop={shop} range={range} />}
    </QueryView>
  )
}

type Breakdown = EndpointOutput<typeof homeEndpoints.breakdown>
type Row = Breakdown['rows'][number]

interface MarketplacesCardProps {
  breakdown: Breakdown
  shop: Shop
  range: DateRange
}

function MarketplacesCard({ breakdown, shop, range }: MarketplacesCardProps) {
  const { userCurrency, rows, total, withoutAccess = 0 } = breakdown
  const choose = useMutation(chooseShop(useQueryClient()))
  const hasMerchants = new Set(rows.map(row => row.merchantId)).size > 1
  return (
    <Card
      title={hasMerchants ? 'Merchants and marketplaces' : 'Marketplaces'}
      aside={<ExportFile file="breakdown" what="marketplaces" count={rows.length} shop={shop} range={range} />}
    >
      <ul className="breakdown" aria-busy={choose.isPending}>
        {rows.map(row => (
          <MarketplaceRow
            key={`${row.merchantId}/${row.marketplaceId}`}
            row={row}
            userCurrency={userCurrency}
            hasMerchants={hasMerchants}
            isCurrent={row.merchantId === shop.merchantId && row.marketplaceId === shop.marketplaceId}
            isBusy={choose.isPending}
            onChoose={() => choose.mutate(row)}
          />
        ))}
        {total && (
          <li className="breakdown-total">
            <div className="breakdown-name">
              <strong>Total in {userCurrency}</strong>
            </div>
            <dl className="breakdown-figures">
              {(['cost', 'sales'] as const).map(name => (
                <div key={name}>
                  <dt>{metrics[name].label}</dt>
                  <dd>
                    <Money amount={total[name]} currency={userCurrency} />
                  </dd>
                </div>
              ))}
              <div>
                <dt>{acos.label}</dt>
                <dd>{total.acos === null ? '–' : formatPercent(total.acos)}</dd>
              </div>
            </dl>
          </li>
        )}
      </ul>
      <RatesNote {...breakdown} />
      {withoutAccess > 0 && (
        <p className="card-note">
          {withoutAccess === 1 ? 'One merchant is' : `${withoutAccess} merchants are`} left out: no subscription covers{' '}
          {withoutAccess === 1 ? 'it' : 'them'}.
        </p>
      )}
    </Card>
  )
}

interface MarketplaceRowProps {
  row: Row
  userCurrency: string
  hasMerchants: boolean
  isCurrent: boolean
  isBusy: boolean
  onChoose: () => void
}

function MarketplaceRow({ row, userCurrency, hasMerchants, isCurrent, isBusy, onChoose }: MarketplaceRowProps) {
  const name = hasMerchants ? `${row.merchantName} · ${row.name}` : row.name
  return (
    <li className={isCurrent ? 'breakdown-current' : ''} aria-current={isCurrent || undefined}>
      <div className="breakdown-name">
        {isCurrent ? (
          <strong>{name}</strong>
        ) : (
          <button type="button" className="breakdown-button" disabled={isBusy} onClick={onChoose}>
            <span className="visually-hidden">Switch to </span>
            {name}
          </button>
        )}
        <span>
          {isCurrent && <span className="breakdown-badge">Current</span>}
          <DataAge at={row.freshness.asOf} />
        </span>
      </div>
      <dl className="breakdown-figures">
        {(['cost', 'sales'] as const).map(metric => (
          <div key={metric}>
            <dt>{metrics[metric].label}</dt>
            <dd>
              <Money amount={row[metric]} currency={row.currency} />
              {row.currency !== userCurrency && (
                <Converted amount={row.converted?.[metric] ?? null} currency={userCurrency} />
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>{acos.label}</dt>
          <dd>
            <Figure
              still
              value={row.acos}
              kind={acos.unit}
              {...(acos.unknownBecause && { reason: acos.unknownBecause })}
            />
          </dd>
        </div>
      </dl>
    </li>
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
  const missing = [...new Set(rows.flatMap(row => (row.converted ? [] : [row.currency])))]
  const conversions = [...rates].map(([currency, rate]) => `1 ${userCurrency} = ${formatRate(rate)} ${currency}`)
  return (
    <>
      {rates.size > 0 && (
        <p className="card-note">
          Converted at the European Central Bank’s reference rates of {formatFullDay(ratesOf)}: {conversions.join(', ')}
          .
          {areRatesOld(ratesOf, today) && (
            <strong> These rates are more than a week old, so converted amounts are rough.</strong>
          )}
        </p>
      )}
      {missing.length > 0 && (
        <p className="card-note">
          No total: there is no reference rate for {missing.join(', ')}, and amounts are never added without one.
        </p>
      )}
    </>
  )
}

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
