import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatDayRange } from '#client/ui/figures/format.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import { metrics } from '#shared/metrics.ts'
import type { homeEndpoints } from '../contract.ts'
import { type Explained, type ExplainedName, explainedNames, type Factor } from '../why.ts'
import { homeQueries } from './queries.ts'
import { doubtText, factorLabels, formatEffect, formatRate, type Piece, sentencesOf } from '../why-sentences.ts'

interface WhyCardProps {
  shop: Shop
  range: DateRange
  chosen: ExplainedName
  onChoose: (name: ExplainedName) => void
}

const choices = explainedNames.map(value => ({ value, label: metrics[value].label }))

/** Why a figure changed against the days before: three sentences, and how they were worked out. */
export function WhyCard({ shop, range, chosen, onChoose }: WhyCardProps) {
  const query = useQuery(homeQueries.why(shop, range))
  return (
    <QueryView
      query={query}
      loading={{ rows: 4, kind: 'card', label: 'Loading why it changed' }}
      failedTitle="Why it changed could not be loaded"
      staleTitle="Why it changed could not be refreshed"
    >
      {why => (
        <div className="why">
          <Card title="Why it changed">
            <Segment label="Figure that is explained" value={chosen} onChange={onChoose} options={choices} />
            <Explanation why={why} name={chosen} />
          </Card>
        </div>
      )}
    </QueryView>
  )
}

type Why = EndpointOutput<typeof homeEndpoints.why>

function Explanation({ why, name }: { why: Why; name: ExplainedName }) {
  const { compared, currency } = why
  const explained = why[name]
  if (!compared) return <p className="card-note">No day of this range is over, so there is nothing to compare yet.</p>
  const days = { from: compared.from, to: compared.to }
  if (!explained)
    return (
      <p className="card-note">
        Nothing to compare: a change of {metrics[name].label} is explained by clicks and orders, which both periods
        need.
      </p>
    )
  return (
    <>
      <div className="why-sentences">
        {sentencesOf(explained, currency).map((sentence, index) => (
          <p key={index}>
            <Sentence pieces={sentence} days={days} />
          </p>
        ))}
      </div>
      <p className="card-note">
        {formatDayRange(compared.from, compared.to)} against{' '}
        {formatDayRange(compared.previousFrom, compared.previousTo)}. Days that are not over are left out.
      </p>
      <details className="why-details">
        <summary>How it is calculated</summary>
        <Formula name={name} />
        {explained.factors.map(factor => (
          <FactorTable key={factor.name} explained={explained} factor={factor} currency={currency} days={days} />
        ))}
      </details>
    </>
  )
}

function Sentence({ pieces, days }: { pieces: readonly Piece[]; days: DateRange }) {
  return pieces.map((piece, index) =>
    typeof piece === 'string' ? (
      <span key={index}>{piece}</span>
    ) : (
      <CampaignLink key={index} campaignId={piece.campaignId} name={piece.name} days={days} />
    ),
  )
}

function CampaignLink({ campaignId, name, days }: { campaignId: number; name: string; days: DateRange }) {
  return (
    <Link to={'/campaigns' as string} search={{ campaign: campaignId, ...days }} aria-label={`${name} in these days`}>
      {name}
    </Link>
  )
}

const formulas: Record<ExplainedName, string> = {
  acos: 'ACOS = price of a click ÷ (conversion × value of an order)',
  cost: 'Ad spend = clicks × price of a click',
  sales: 'Ad sales = clicks × conversion × value of an order',
}

function Formula({ name }: { name: ExplainedName }) {
  return (
    <p className="card-note">
      {formulas[name]}. The change is split between these factors by their logarithms, so that the parts add up to the
      whole change. “Own” is the effect of a campaign’s own figures, “Share” that of its larger or smaller share of the
      account.
    </p>
  )
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

interface FactorTableProps {
  explained: Explained
  factor: Factor
  currency: string
  days: DateRange
}

function FactorTable({ explained, factor, currency, days }: FactorTableProps) {
  const { name, before, after, effect, doubt, parts } = factor
  const rate = (value: number | null): string => (value === null ? '–' : formatRate(name, value, currency))
  const signed = (value: number): string => formatEffect(explained, value, currency)
  return (
    <div className="why-table">
      <table>
        <caption>
          {factorLabels[name]}: {signed(effect)}
        </caption>
        <thead>
          <tr>
            {['Campaign', 'Effect', 'Before', 'After', 'Own', 'Share'].map(label => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map(part => (
            <tr key={part.campaignId ?? 'others'}>
              <th scope="row">
                {part.campaignId === null ? (
                  'All others'
                ) : (
                  <CampaignLink
                    campaignId={part.campaignId}
                    name={part.name ?? `Campaign ${part.campaignId}`}
                    days={days}
                  />
                )}
                {part.doubt && <small>{doubtText(part.doubt)}</small>}
              </th>
              <td>{signed(part.effect)}</td>
              <td>{rate(part.before)}</td>
              <td>{rate(part.after)}</td>
              <td>{signed(part.within)}</td>
              <td>{signed(part.mix)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">All campaigns{doubt && <small>{doubtText(doubt)}</small>}</th>
            <td>{signed(effect)}</td>
            <td>{rate(before)}</td>
            <td>{rate(after)}</td>
            <td>{signed(sumOf(parts.map(part => part.within)))}</td>
            <td>{signed(sumOf(parts.map(part => part.mix)))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
