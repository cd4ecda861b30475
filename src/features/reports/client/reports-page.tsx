import './reports.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useEvents } from '#client/api/events.ts'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { MerchantSwitcher, useMayChange, useShop } from '#features/accounts/client/public.ts'
import { reportQueries } from './queries.ts'
import { ReportRow, ScheduleRow } from './report-rows.tsx'
import { RequestSheet } from './request-sheet.tsx'

interface Search {
  page?: number | undefined
  query?: string | undefined
  report?: number | undefined
}

/** The reports of the merchant: request, progress, files and schedules. */
export function ReportsPage() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  const shop = useShop()
  const online = useOnline()
  const mayChange = useMayChange()
  const [isRequesting, setRequesting] = useState(false)
  const { page = 0, query: text = '', report: linkedId } = search
  const refresh = () => void client.invalidateQueries({ queryKey: reportQueries.all })
  useEvents('/events', ({ event }) => event === 'reports' && refresh(), { poll: refresh, onReconnect: refresh })
  const list = useQuery(reportQueries.list(shop, page, text))
  const schedules = useQuery(reportQueries.schedules(shop))
  const linked = useQuery({ ...reportQueries.one(shop, linkedId ?? 0), enabled: linkedId !== undefined })
  const go = (changes: Search) =>
    void navigate({ to: '/performance-reports', search: { ...search, ...changes } as never, replace: true })
  const add = mayChange && (
    <Button tone="primary" disabled={!online} onClick={() => setRequesting(true)}>
      New report
    </Button>
  )
  const isEmpty = list.data?.page.totalElements === 0 && !text
  return (
    <Page
      title="Reports"
      status={<OfflineAge updatedAt={[list.dataUpdatedAt]} />}
      onRefresh={() => Promise.all([list.refetch(), schedules.refetch()])}
    >
      <div className="reports-bar">
        <MerchantSwitcher />
        {!isEmpty && add}
      </div>
      {linkedId !== undefined && (
        <Card
          title="The report that you opened"
          aside={<Button onClick={() => go({ report: undefined })}>Close</Button>}
        >
          <QueryView
            query={linked}
            loading={{ rows: 1, kind: 'row', label: 'Loading the report' }}
            failedTitle="This report could not be loaded"
            notFound={<p>This report was deleted, or it belongs to another merchant than the current one.</p>}
          >
            {report => (
              <ul className="reports-list">
                <ReportRow report={report} />
              </ul>
            )}
          </QueryView>
        </Card>
      )}
      <QueryView
        query={list}
        loading={{ rows: 4, kind: 'row', label: 'Loading your reports' }}
        failedTitle="Your reports could not be loaded"
        empty={() =>
          isEmpty && (
            <EmptyState
              title="No reports yet"
              hint="A report gathers the figures of some days in a file that you can keep or send to a client."
              action={add}
            />
          )
        }
      >
        {({ content, page: pages }) => (
          <Card title="All reports">
            <SearchField
              label="Search reports"
              value={text}
              onSearch={value => go({ query: value || undefined, page: undefined })}
            />
            {content.length === 0 && <p>No report matches “{text}”.</p>}
            <ul className="reports-list">
              {content.map(report => (
                <ReportRow key={report.id} report={report} />
              ))}
            </ul>
            {pages.totalPages > 1 && <Pager page={pages} onPage={number => go({ page: number || undefined })} />}
          </Card>
        )}
      </QueryView>
      {schedules.data && schedules.data.content.length > 0 && (
        <Card title="Schedules">
          <ul className="reports-list">
            {schedules.data.content.map(schedule => (
              <ScheduleRow key={schedule.id} schedule={schedule} />
            ))}
          </ul>
        </Card>
      )}
      {isRequesting && <RequestSheet onClose={() => setRequesting(false)} />}
    </Page>
  )
}
