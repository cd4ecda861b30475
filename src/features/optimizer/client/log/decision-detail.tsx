import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { lockClosedOutline } from 'ionicons/icons'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatDay, formatDayRange, formatMoment } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import type { LogRow } from '../../contract.ts'
import { decisionText } from '../../decision-text.ts'
import { figureWords, receiptText, stateWords, undoWords, verdictWords } from '../../optimizer-words.ts'
import { optimizerQueries } from '../queries.ts'
import { BandPlot } from './band-plot.tsx'
import { redoLabel } from './decision-card.tsx'
import { isNote, placeOf, StateTag } from './decision-parts.tsx'
import { evidenceItems, forecastItems, per100 } from './evidence-items.ts'
import { Answer } from './proposal.tsx'
import type { LogActs } from './use-log-acts.ts'

interface DecisionDetailProps {
  id: number
  /** As the list has it already. */
  listed: LogRow | undefined
  shop: Shop
  acts: LogActs
}

/** A decision with its evidence: the figures, what is expected, what came, and what can be done about it. */
export function DecisionDetail({ id, listed, shop, acts }: DecisionDetailProps) {
  const query = useQuery({ ...optimizerQueries.row(shop, id), ...(listed && { placeholderData: listed }) })
  return (
    <QueryView
      query={{ ...query, isPlaceholderData: false }}
      loading={{ rows: 3, kind: 'card', label: 'Loading the decision' }}
      failedTitle="The decision could not be loaded"
      notFound={<EmptyState title="There is no such decision" hint="It may belong to another marketplace." />}
    >
      {row => (
        <>
          <OfflineAge updatedAt={[query.dataUpdatedAt]} />
          <Head row={row} acts={acts} />
          <Expected row={row} />
          <Result row={row} />
          <Figures row={row} />
          <History row={row} timezone={timezoneOfMarketplace(shop.marketplaceId)} />
        </>
      )}
    </QueryView>
  )
}

const campaigns: string = '/campaigns'
const groups: string = '/automation-groups/$groupId'

function Head({ row, acts }: { row: LogRow; acts: LogActs }) {
  const online = useOnline()
  const mayChange = useMayChange()
  const { title, reason } = decisionText(row)
  const { undo, pin, entity, decisionGroupSize } = row
  return (
    <Card title={title}>
      <p className="decision-place">{placeOf(row)}</p>
      <p className="decision-why">{reason}</p>
      {!isNote(row) && (
        <p className="decision-meaning">
          <StateTag row={row} /> {stateWords[row.state].meaning}
        </p>
      )}
      {row.answer && <p className="decision-answer">The marketplace answered: {row.answer}</p>}
      {row.state === 'PROPOSED' && <Answer row={row} count={decisionGroupSize} acts={acts} />}
      {pin && (
        <div className="decision-pin">
          <span>
            <Icon icon={lockClosedOutline} /> Yours until {formatDay(pin.until)}: it is not changed before.
          </span>
          {mayChange && (
            <Button disabled={!online} busy={acts.busy === pin.id} onClick={() => void acts.unpin(pin.id)}>
              Unpin
            </Button>
          )}
        </div>
      )}
      {undo.isPossible && mayChange && (
        <div className="button-row">
          <Button
            disabled={!online || acts.busy !== null}
            busy={acts.busy === row.id}
            busyLabel="Undoing…"
            onClick={() => void acts.undo(row)}
          >
            Undo
          </Button>
          {decisionGroupSize > 1 && row.kind !== 'harvest' && (
            <Button disabled={!online || acts.busy !== null} onClick={() => void acts.undo(row, true)}>
              Undo all {decisionGroupSize} decided together
            </Button>
          )}
        </div>
      )}
      {row.canRedo && mayChange && (
        <div className="button-row">
          <Button
            disabled={!online || acts.busy !== null}
            busy={acts.busy === row.id}
            busyLabel="Sending…"
            onClick={() => void acts.redo(row)}
          >
            {redoLabel(row)}
          </Button>
        </div>
      )}
      {!undo.isPossible && undo.reason && row.state === 'CONFIRMED' && (
        <p className="decision-meaning">{undoWords[undo.reason]}</p>
      )}
      <p className="decision-links">
        {entity.campaignId !== null && (
          <Link to={campaigns} search={{ campaign: entity.campaignId } as never}>
            Open campaign
          </Link>
        )}
        <Link to={groups} params={{ groupId: String(row.groupId) } as never}>
          Open group {row.groupName}
        </Link>
      </p>
    </Card>
  )
}

/** What is expected after the change, with the band as a plot. */
function Expected({ row }: { row: LogRow }) {
  const { rate, band, parentRate } = row.evidence
  const items = forecastItems(row)
  if (!band && items.length === 0) return null
  return (
    <Card title="What is expected">
      {band && rate !== undefined && (
        <>
          <p className="band-title">Orders from 100 clicks</p>
          <BandPlot
            label={`${per100(rate)} orders from 100 clicks, in 8 of 10 cases between ${per100(band.low)} and ${per100(band.high)}`}
            low={band.low}
            high={band.high}
            point={rate}
            reference={parentRate}
          />
          <p className="band-key">
            {per100(rate)}, in 8 of 10 cases {per100(band.low)} to {per100(band.high)}.
            {parentRate !== undefined && ` The line is what similar targets bring: ${per100(parentRate)}.`}
          </p>
        </>
      )}
      {items.length > 0 && <KeyValue items={items} />}
    </Card>
  )
}

/** What came of it, against what was expected: judged by clicks and their price, which are plenty. */
function Result({ row: { receipt, currency } }: { row: LogRow }) {
  if (!receipt) return null
  const { label, tone } = verdictWords[receipt.verdict]
  return (
    <Card title="What came of it" aside={<span className={`tag tag-${tone}`}>{label}</span>}>
      <p className="decision-meaning">
        {formatDayRange(receipt.dateFrom, receipt.dateTo)}. The bar is what was expected in 8 of 10 cases, the dot is
        what came.
      </p>
      {receipt.figures.map(({ figure, low, high, actual }) => {
        const text = (value: number): string => receiptText(figure, value, currency)
        const came = actual === null ? 'nothing known' : text(actual)
        return (
          <div key={figure} className="band-row">
            <p className="band-title">
              {figureWords[figure]} <strong>{came}</strong>
            </p>
            <BandPlot
              label={`${figureWords[figure]}: ${came}, expected ${text(low)} to ${text(high)}`}
              low={low}
              high={high}
              point={actual}
            />
            <p className="band-key">
              Expected {text(low)} to {text(high)}
            </p>
          </div>
        )
      })}
    </Card>
  )
}

function Figures({ row }: { row: LogRow }) {
  const items = evidenceItems(row)
  if (items.length === 0) return null
  return (
    <Card title="Figures behind it">
      <KeyValue items={items} />
    </Card>
  )
}

function History({ row, timezone }: { row: LogRow; timezone: string }) {
  const at = (moment: string): string => formatMoment(moment, timezone)
  const { settled, state } = row
  const settledLabel = state === 'UNDONE' ? 'Undone' : state === 'REJECTED' ? 'Rejected' : 'Approved'
  const items = [
    { label: 'Decided', value: at(row.at) },
    ...(settled
      ? [{ label: settled.by ? `${settledLabel} by ${settled.by}` : settledLabel, value: at(settled.at) }]
      : []),
    ...(settled?.reason ? [{ label: 'Reason', value: settled.reason }] : []),
    ...(row.sentAt ? [{ label: 'Sent', value: at(row.sentAt) }] : []),
    ...(row.confirmedAt ? [{ label: 'Confirmed by the marketplace', value: at(row.confirmedAt) }] : []),
  ]
  return (
    <Card title="History">
      <KeyValue items={items} />
    </Card>
  )
}
