import '../optimizer.css'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { repeatOutline } from 'ionicons/icons'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Figure, Metric } from '#client/ui/figures/figure.tsx'
import { formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, useMayChange, useShop } from '#features/accounts/client/public.ts'
import type { OptimizerGroup } from '../../contract.ts'
import { groupStateWords } from '../../optimizer-words.ts'
import { AutomationTabs } from '../automation-tabs.tsx'
import { optimizerQueries, useOptimizerRefresh } from '../queries.ts'
import { TakeOverLink } from '../take-over-link.tsx'

const takeOver: string = '/take-over'
const groupAddress: string = '/automation-groups/$groupId'
const log: string = '/automation-logs'

/** Every group of campaigns that was taken over together, with where it is against its target. */
export function GroupsPage() {
  const shop = useShop()
  const mayChange = useMayChange()
  const refresh = useOptimizerRefresh()
  const query = useQuery(optimizerQueries.groups(shop))
  return (
    <Page
      title="Automation"
      wide
      onRefresh={refresh}
      status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />}
      actions={<TakeOverLink />}
      toolbar={<ContextBar account={<MerchantSwitcher />} />}
    >
      <AutomationTabs />
      <QueryView
        query={query}
        loading={{ rows: 3, kind: 'card', label: 'Loading the groups' }}
        failedTitle="The groups could not be loaded"
        empty={({ content }) =>
          content.length === 0 && (
            <EmptyState
              icon={repeatOutline}
              title="No campaigns are taken over yet"
              hint="Campaigns that sell the same kind of product are taken over together, as a group with one target ACOS. Nothing is sent for the first 48 hours."
              action={
                mayChange && (
                  <Link to={takeOver} className="button button-primary">
                    Take campaigns over
                  </Link>
                )
              }
            />
          )
        }
      >
        {({ content }) => (
          <ul className="group-cards" aria-label="Groups">
            {content.map(group => (
              <li key={group.id}>
                <GroupCard group={group} />
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Page>
  )
}

function GroupCard({ group }: { group: OptimizerGroup }) {
  const mayChange = useMayChange()
  const { id, name, state, campaigns, currency, targetAcos, forecastAcos, dailyBudget, changes, proposals } = group
  const { label, tone } = groupStateWords[state]
  const count = campaigns.length
  return (
    <article className="card group-card" aria-label={name}>
      <div className="card-head">
        <h2>
          <Link to={groupAddress} params={{ groupId: String(id) } as never} className="list-row-link">
            {name}
          </Link>
        </h2>
        <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span>
      </div>
      <p className="decision-place">
        {count === 1 ? '1 campaign' : `${formatNumber(count)} campaigns`} · {formatNumber(changes)} changes in 7 days
      </p>
      <div className="group-figures">
        <Metric
          label={`Forecast ACOS, target ${formatPercent(targetAcos, 1)}`}
          value={forecastAcos}
          kind="percent"
          reason="Not known before the first run."
          still
        />
        <div className="metric">
          <p className="metric-label">Total daily budget</p>
          <p className="metric-value">
            <Figure value={dailyBudget} kind="money" currency={currency} still />
          </p>
        </div>
      </div>
      {proposals > 0 && (
        <Link to={log} search={{ group: id, state: 'PROPOSED' } as never} className="button button-accent button-block">
          {proposals === 1 ? '1 proposal needs' : `${formatNumber(proposals)} proposals need`}{' '}
          {mayChange ? 'your answer' : 'an answer'}
        </Link>
      )}
    </article>
  )
}
