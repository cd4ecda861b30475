import './reports.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { downloadOutline } from 'ionicons/icons'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { download } from '#client/api/download.ts'
import { useEvents } from '#client/api/events.ts'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatDayRange, formatMoment } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type AdminReport, adminReportEndpoints as endpoints } from '../admin-contract.ts'
import { AdminRequestForm } from './admin-request-form.tsx'
import { adminReportQueries, requestAsinReport } from './queries.ts'
import { Asins, ReportProgress } from './report-rows.tsx'

/** For campaign managers: request reports about products of users, and read them. */
export function AdminReportsPage() {
  const { page = 0 }: { page?: number | undefined } = useSearch({ strict: false })
  const navigate = useNavigate()
  const client = useQueryClient()
  const refresh = () => void client.invalidateQueries({ queryKey: adminReportQueries.all })
  useEvents('/events', ({ event }) => event === 'reports' && refresh(), { poll: refresh, onReconnect: refresh })
  const list = useQuery(adminReportQueries.list(page))
  const go = (number: number) =>
    void navigate({ to: '/admin-performance-reports', search: { page: number || undefined } as never, replace: true })
  return (
    <Page
      title="Performance reports"
      status={<OfflineAge updatedAt={[list.dataUpdatedAt]} />}
      onRefresh={() => list.refetch()}
    >
      <div className="reports-columns">
        <AdminRequestForm />
        <Card title="Requested reports">
          <QueryView
            query={list}
            loading={{ rows: 3, kind: 'row', label: 'Loading the requested reports' }}
            failedTitle="The requested reports could not be loaded"
            empty={({ page: { totalElements } }) =>
              totalElements === 0 && (
                <EmptyState
                  title="No reports requested yet"
                  hint="What you request for a user is listed here, for you alone."
                />
              )
            }
          >
            {({ content, page: pages }) => (
              <>
                <ul className="reports-list">
                  {content.map(report => (
                    <AdminReportRow key={report.id} report={report} />
                  ))}
                </ul>
                {pages.totalPages > 1 && <Pager page={pages} onPage={go} />}
              </>
            )}
          </QueryView>
        </Card>
      </div>
    </Page>
  )
}

function AdminReportRow({ report }: { report: AdminReport }) {
  const online = useOnline()
  const client = useQueryClient()
  const { id, user, accountName, marketplaceId, asins, format, dateFrom, dateTo, status, createdAt } = report
  const name = `${user.firstName} ${user.lastName}`.trim()
  const account = [accountName ?? 'Account that is gone', marketplaceById(marketplaceId)?.key]
    .filter(Boolean)
    .join(' · ')
  const save = useMutation({
    mutationFn: () => download(endpoints.download, { params: { id } }),
    meta: { errorTitle: 'The report was not downloaded' },
  })
  const again = useMutation(requestAsinReport(client))
  const requestAgain = () => {
    const body = { userId: user.id, profileId: report.profileId, asins: asins ?? [], dateFrom, dateTo, format }
    again.mutate({ body, key: newIdempotencyKey() })
  }
  return (
    <li aria-label={`${name}, ${formatDayRange(dateFrom, dateTo)}, ${format}`}>
      <strong>{name}</strong>
      <p className="reports-email">{user.email}</p>
      <p>{account}</p>
      <p>
        {asins && <Asins asins={asins} />}
        {formatDayRange(dateFrom, dateTo)} · {format}
      </p>
      <p className="reports-small">Requested {formatMoment(createdAt)}</p>
      <ReportProgress report={report} name={`the report of ${name}`} />
      {status === 'FAILED' && (
        <div className="reports-failed">
          <p>{report.problem}</p>
          <Button disabled={!online} busy={again.isPending} onClick={requestAgain}>
            Request again
          </Button>
        </div>
      )}
      {status === 'READY' && (
        <div className="button-row">
          <Button disabled={!online} busy={save.isPending} onClick={() => save.mutate()}>
            <Icon icon={downloadOutline} /> Download
          </Button>
        </div>
      )}
    </li>
  )
}
