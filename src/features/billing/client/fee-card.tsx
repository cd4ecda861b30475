import { Money } from '#client/ui/figures/figure.tsx'
import { formatDay, formatDayRange, formatFullDay, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import type { BillingDashboard } from '../contract.ts'

type Fee = NonNullable<BillingDashboard['fee']>

/** Before the first figures nothing was counted, which is not the same as nothing spent. */
export const isFeeKnown = ({ profiles, figuresTo, spend }: Fee): boolean =>
  profiles.length > 0 && (figuresTo !== null || spend > 0)

/** The fee on ad spend of the running month, how it is worked out, and which advertising accounts it comes from. */
export function FeeCard({ fee: month }: { fee: Fee }) {
  const { from, to, closesOn, currency, spend, taxableSpend, fee, projectedFee, formulas, profiles } = month
  const isKnown = isFeeKnown(month)
  return (
    <Card title="Ad spend fee so far" aside={<span className="metric-label">{formatDayRange(from, to)}</span>}>
      <p className="metric-value">{isKnown ? <Money amount={fee} currency={currency} /> : 'Not known yet'}</p>
      {formulas.map(formula => (
        <p key={formula} className="muted small">
          {formula}
        </p>
      ))}
      {isKnown && (
        <>
          <KeyValue
            items={[
              { label: 'Ad spend', value: <Money amount={spend} currency={currency} /> },
              { label: 'Above what the plan includes', value: <Money amount={taxableSpend} currency={currency} /> },
              {
                label: 'Expected for the whole month',
                value: projectedFee === null ? 'Not known yet' : <Money amount={projectedFee} currency={currency} />,
              },
            ]}
          />
          <SpendBars profiles={profiles} currency={currency} />
        </>
      )}
      <p className="billing-note">
        {isKnown ? countedText(month) : 'Your advertising accounts are counted as soon as their figures have arrived.'}{' '}
        The fee is invoiced from {formatFullDay(closesOn)}, once the marketplace has settled the month’s figures.
      </p>
    </Card>
  )
}

function countedText({ figuresTo, unsettledFrom }: Fee): string {
  if (figuresTo === null) return 'Some advertising accounts have no figures yet, so the fee may be higher.'
  const counted = `Counted to ${formatDay(figuresTo)}.`
  return unsettledFrom === null ? counted : `${counted} Ad spend since ${formatDay(unsettledFrom)} may still change.`
}

function SpendBars({ profiles, currency }: { profiles: Fee['profiles']; currency: string }) {
  const most = Math.max(...profiles.map(one => one.converted ?? 0))
  const shown = profiles.toSorted((a, b) => (b.converted ?? 0) - (a.converted ?? 0))
  return (
    <section aria-label="Ad spend by advertising account">
      <h3>By advertising account</h3>
      <ul className="spend-bars">
        {shown.map((one, index) => (
          <li key={index}>
            <div>
              <span className="spend-name">
                {one.name} · {one.countryCode}
              </span>
              <Money amount={one.spend} currency={one.currency} />
            </div>
            <div className="spend-bar" aria-hidden="true">
              <span style={{ inlineSize: `${most > 0 ? ((one.converted ?? 0) / most) * 100 : 0}%` }} />
            </div>
            <small className="muted">
              {one.converted === null
                ? `No exchange rate for ${one.currency}, so it is not counted`
                : feeText(one, currency)}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

function feeText({ converted, currency: own, percentage, fee }: Fee['profiles'][number], currency: string) {
  return (
    <>
      {own !== currency && (
        <>
          ≈ <Money amount={converted} currency={currency} /> ·{' '}
        </>
      )}
      {formatPercent(percentage)} · fee <Money amount={fee} currency={currency} />
    </>
  )
}
