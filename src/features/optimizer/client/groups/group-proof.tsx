import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { formatMonth, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { GroupProof, OptimizerGroup } from '../../contract.ts'
import { proofText } from '../../optimizer-words.ts'
import { optimizerQueries } from '../queries.ts'

const Chart = lazy(() => import('#client/ui/charts/chart.tsx').then(m => ({ default: m.Chart })))

/** ACOS over time against the target, what the group did to profit as far as that is known, and how good its forecasts were. */
export function GroupProofCards({ group, shop }: { group: OptimizerGroup; shop: Shop }) {
  const query = useQuery({ ...optimizerQueries.proof(shop, group.id) })
  return (
    <QueryView
      query={query}
      loading={{ rows: 1, kind: 'chart', label: 'Loading the results' }}
      failedTitle="The results could not be loaded"
      staleTitle="The results could not be refreshed"
    >
      {proof => (
        <>
          <AcosChart proof={proof} targetAcos={group.targetAcos} />
          {group.startedAt !== null && <Effect proof={proof} />}
        </>
      )}
    </QueryView>
  )
}

const windowDays = 7

/** The ACOS of each day with the six before it: single days have too few orders. */
function rollingAcos(days: GroupProof['days']): (number | null)[] {
  return days.map((_, index) => {
    const last = days.slice(Math.max(0, index + 1 - windowDays), index + 1)
    const sales = last.reduce((sum, one) => sum + one.sales, 0)
    return last.length < windowDays || sales === 0 ? null : (last.reduce((sum, one) => sum + one.cost, 0) / sales) * 100
  })
}

/** What came of the weeks that were forecast. */
function weeksText({ judged, held }: GroupProof['weeks']): string {
  const band = 'The band is where the ACOS was forecast to settle, in 8 of 10 cases.'
  if (judged === 0) return `${band} No forecast week has settled yet.`
  return judged === 1
    ? `${band} The one settled week ended ${held ? 'within' : 'outside'} it.`
    : `${band} ${formatNumber(held)} of ${formatNumber(judged)} settled weeks ended within it.`
}

function AcosChart({ proof: { days, weeks, settledTo }, targetAcos }: { proof: GroupProof; targetAcos: number }) {
  if (days.length < windowDays) return null
  const format = (value: number): string => formatPercent(value, 1)
  const began = days.find(({ isSince }) => isSince)
  return (
    <div className="group-chart">
      <Suspense fallback={<Skeleton rows={1} kind="chart" />}>
        <Chart
          heading="ACOS of 7 days against target and forecast"
          height={200}
          labels={days.map(({ date }) => date)}
          hasOneAxis
          mayMove={days.filter(({ date }) => date > settledTo).length}
          series={[
            {
              name: 'ACOS',
              values: rollingAcos(days),
              bands: days.map(({ forecast }) => forecast?.band ?? null),
              bandWords: { between: 'forecast between', note: weeksText(weeks) },
              format,
            },
            { name: 'Target', values: days.map(() => targetAcos), format },
          ]}
          {...(began && { marks: [{ day: began.date, label: '', detail: 'The group began to send changes' }] })}
        />
      </Suspense>
    </div>
  )
}

function Effect({ proof }: { proof: GroupProof }) {
  const { title, detail } = proofText(proof)
  const { receipts, calibrations } = proof
  return (
    <Card title="What it changed">
      <p className="proof-title">{title}</p>
      <p className="decision-meaning">{detail}</p>
      <KeyValue
        items={[
          {
            label: 'Changes as expected',
            value:
              receipts.judged === 0
                ? 'Too early to say'
                : `${formatNumber(receipts.held)} of ${formatNumber(receipts.judged)}`,
          },
          ...calibrations.map(({ month, heldShare, bias, bands }) => ({
            label: `Forecasts of ${formatMonth(month.slice(0, 7))}`,
            value: heldShare === null ? 'Too few to say' : heldText(heldShare, bands, bias),
          })),
        ]}
      />
      <p className="decision-meaning">A good forecast band holds in about 80 of 100 cases.</p>
    </Card>
  )
}

function heldText(heldShare: number, bands: number, bias: number | null): string {
  const held = `${formatPercent(heldShare, 0)} of ${formatNumber(bands)} bands held`
  if (bias === null || Math.abs(bias) < 1) return held
  return `${held}, ACOS ${formatPercent(Math.abs(bias), 0)} too ${bias > 0 ? 'high' : 'low'}`
}
