import '../optimizer.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { alertCircleOutline, lockClosedOutline } from 'ionicons/icons'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Metric } from '#client/ui/figures/figure.tsx'
import { formatDay, formatMoment, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange, useShop } from '#features/accounts/client/public.ts'
import { targetText } from '#shared/target-text.ts'
import type { OptimizerGroup } from '../../contract.ts'
import { groupStateWords, haltText } from '../../optimizer-words.ts'
import { DecisionDetail } from '../log/decision-detail.tsx'
import { type LogActs, useLogActs } from '../log/use-log-acts.ts'
import { optimizerQueries, useOptimizerRefresh } from '../queries.ts'
import { GroupProofCards } from './group-proof.tsx'
import { Members, SettingsCard } from './group-settings.tsx'
import { Preview } from './preview.tsx'
import { SettingsSheet } from './settings-sheet.tsx'
import { StopSheet } from './stop-sheet.tsx'

const route = getRouteApi('/dashboard/automation-groups/$groupId')
const log: string = '/automation-logs'

/** One group: in its preview what it would do, later how it does against its target, what it did, and how to end it. */
export function GroupPage() {
  const id = Number(route.useParams().groupId)
  const shop = useShop()
  const mayChange = useMayChange()
  const refresh = useOptimizerRefresh()
  const query = useQuery(optimizerQueries.group(shop, id))
  const acts = useLogActs(shop)
  const { opened, open, close } = useSheetAddress('sheet', 'row')
  const group = query.data
  const isOpen = group !== undefined && group.state !== 'STOPPED'
  return (
    <Page
      title={group?.name ?? 'Group'}
      back="/automation-groups"
      wide
      onRefresh={refresh}
      status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />}
    >
      <QueryView
        query={query}
        loading={{ rows: 3, kind: 'card', label: 'Loading the group' }}
        failedTitle="The group could not be loaded"
        notFound={<EmptyState title="There is no such group" hint="It may belong to another marketplace." />}
      >
        {group => (
          <>
            <Status group={group} />
            {group.state === 'SHADOW' && (
              <Preview group={group} shop={shop} acts={acts} onSettings={() => open({ sheet: 'settings' })} />
            )}
            <Figures group={group} />
            <Links group={group} />
            <div className="group-columns">
              <GroupProofCards group={group} shop={shop} />
              <SettingsCard
                group={group}
                onChange={isOpen && mayChange ? () => open({ sheet: 'settings' }) : undefined}
              />
              <Members group={group} shop={shop} />
              <Pins group={group} acts={acts} />
            </div>
            {isOpen && mayChange && <StopButton onStop={() => open({ sheet: 'stop' })} />}
            {opened.sheet === 'settings' && isOpen && <SettingsSheet group={group} shop={shop} onClose={close} />}
            {opened.sheet === 'stop' && isOpen && <StopSheet group={group} shop={shop} onClose={close} />}
            <OpenedDecision id={opened.row} shop={shop} acts={acts} onClose={close} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function OpenedDecision({ id, shop, acts, onClose }: { id: unknown; shop: Shop; acts: LogActs; onClose: () => void }) {
  if (typeof id !== 'number') return null
  return (
    <Sheet open title="Decision" onClose={onClose}>
      <DecisionDetail id={id} listed={undefined} shop={shop} acts={acts} />
    </Sheet>
  )
}

function StopButton({ onStop }: { onStop: () => void }) {
  const online = useOnline()
  return (
    <Button tone="danger" disabled={!online} onClick={onStop}>
      Stop…
    </Button>
  )
}

/** What the group does now, and what holds it back. */
function Status({ group }: { group: OptimizerGroup }) {
  const { state, timezone, halt, lastRun, nextRunAt, stoppedAt } = group
  const { label, tone } = groupStateWords[state]
  const at = (moment: string): string => formatMoment(moment, timezone)
  return (
    <div className="group-status">
      <p>
        <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span>{' '}
        {state === 'STOPPED' && stoppedAt && `Since ${at(stoppedAt)}. Its campaigns run on with the values they have.`}
        {state !== 'STOPPED' && nextRunAt && `Decides next on ${at(nextRunAt)}.`}
      </p>
      {lastRun?.outcome === 'FAILED' && <p>The last run failed and is tried again by itself.</p>}
      {halt && state !== 'STOPPED' && (
        <p className="group-halt">
          <Icon icon={alertCircleOutline} />
          <span>{haltText(halt.cause, halt.until && formatDay(halt.until))}</span>
        </p>
      )}
    </div>
  )
}

/** The way to what was decided, and to what needs an answer. */
function Links({ group: { id, state, proposals, changes } }: { group: OptimizerGroup }) {
  const mayChange = useMayChange()
  return (
    <p className="group-links">
      {proposals > 0 && state !== 'STOPPED' && (
        <Link to={log} search={{ group: id, state: 'PROPOSED' } as never} className="button button-accent">
          {mayChange && 'Answer '}
          {proposals === 1 ? '1 proposal' : `${formatNumber(proposals)} proposals`}
        </Link>
      )}
      <Link to={log} search={{ group: id } as never} className="button button-quiet">
        {state === 'SHADOW' ? 'Open the log' : `Log: ${formatNumber(changes)} changes in 7 days`}
      </Link>
    </p>
  )
}

function Figures({ group }: { group: OptimizerGroup }) {
  const { currency, targetAcos, forecastAcos, acos, cost, sales, dailyBudget } = group
  const money = { kind: 'money', currency } as const
  return (
    <section className="card group-tiles" aria-label="Figures">
      <Metric
        label={`Forecast ACOS, target ${formatPercent(targetAcos, 1)}`}
        value={forecastAcos}
        kind="percent"
        reason="Not known before the first run."
      />
      <Metric label="ACOS of 30 settled days" value={acos} kind="percent" reason="There were no sales." />
      <Metric label="Ad spend of these days" value={cost} {...money} />
      <Metric label="Ad sales of these days" value={sales} {...money} />
      <Metric label="Total daily budget" value={dailyBudget} {...money} />
    </section>
  )
}

/** What is left alone because a person changed or undid it. */
function Pins({ group: { pins }, acts }: { group: OptimizerGroup; acts: LogActs }) {
  const online = useOnline()
  const mayChange = useMayChange()
  if (pins.length === 0) return null
  return (
    <Card title="Left alone">
      <p className="decision-meaning">You changed or undid these, so they are not changed before the day shown.</p>
      <ul className="group-pins">
        {pins.map(({ id, entity, name: text, until }) => {
          const name = entity === 'target' ? targetText({ kind: 'PRODUCT', text }) : text
          return (
            <li key={id}>
              <span>
                <Icon icon={lockClosedOutline} /> {name}
                <small>until {formatDay(until)}</small>
              </span>
              {mayChange && (
                <Button
                  disabled={!online}
                  busy={acts.busy === id}
                  aria-label={`Unpin ${name}`}
                  onClick={() => void acts.unpin(id)}
                >
                  Unpin
                </Button>
              )}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
