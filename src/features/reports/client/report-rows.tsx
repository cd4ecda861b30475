import { useMutation, useQueryClient } from '@tanstack/react-query'
import { downloadOutline, openOutline, shareOutline, trashOutline } from 'ionicons/icons'
import { download } from '#client/api/download.ts'
import { useOnline } from '#client/api/online.ts'
import { formatDayRange, formatMoment, formatNumber } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { marketplaceById } from '#shared/marketplaces.ts'
import { type Report, reportEndpoints, reportKinds, type Schedule } from '../contract.ts'
import { fetchFile, pauseSchedule, removeReport, removeSchedule, restoreReport, retryReport } from './queries.ts'

const nameOf = ({ kind, marketplaceId }: Pick<Report, 'kind' | 'marketplaceId'>): string =>
  [reportKinds[kind].label, marketplaceById(marketplaceId)?.key].filter(Boolean).join(' · ')
const sizeText = (bytes: number): string =>
  bytes < 1_000_000
    ? `${formatNumber(Math.max(1, Math.round(bytes / 1000)))}\u00a0kB`
    : `${formatNumber(bytes / 1e6, 1)}\u00a0MB`

/** A report in its state: how far it is, how to open it, or why it failed. */
export function ReportRow({ report }: { report: Report }) {
  const online = useOnline()
  const client = useQueryClient()
  const retry = useMutation(retryReport(client))
  const { id, format, dateFrom, dateTo, asins, status, problem, sizeBytes, createdAt, scheduleId } = report
  const name = nameOf(report)
  return (
    <li aria-label={`${name}, ${formatDayRange(dateFrom, dateTo)}, ${format}`}>
      <div className="reports-row">
        <div>
          <strong>{name}</strong>
          <p>
            {asins && <Asins asins={asins} />}
            {formatDayRange(dateFrom, dateTo)} · {format}
            {sizeBytes !== null && ` · ${sizeText(sizeBytes)}`}
          </p>
          <p className="reports-small">
            {scheduleId === null ? 'Requested' : 'By schedule'} {formatMoment(createdAt)}
          </p>
        </div>
        <DeleteButton report={report} name={name} />
      </div>
      <ReportProgress report={report} name={name} />
      {status === 'FAILED' && (
        <div className="reports-failed">
          <p>{problem}</p>
          <Button disabled={!online} busy={retry.isPending} onClick={() => retry.mutate(id)}>
            Try again
          </Button>
        </div>
      )}
      {status === 'READY' && <FileActions report={report} name={name} />}
    </li>
  )
}

/** To which products a report is limited. */
export const Asins = ({ asins }: { asins: readonly string[] }) => (
  <>
    <span title={asins.join(', ')}>{asins.length === 1 ? '1 ASIN' : `${asins.length} ASINs`}</span> ·{' '}
  </>
)

/** How far a report is that is being made; nothing for another. */
export function ReportProgress({ report, name }: { report: Report; name: string }) {
  const { status, progress, step } = report
  if (status !== 'QUEUED' && status !== 'RUNNING') return null
  return (
    <div aria-live="polite">
      <ProgressBar label={`Progress of ${name}`} value={progress / 100} />
      <p className="reports-small">{status === 'QUEUED' ? 'Waiting to start' : `${step}, ${progress}%`}</p>
    </div>
  )
}

function FileActions({ report, name }: { report: Report; name: string }) {
  const online = useOnline()
  const { id, fileName, format } = report
  const file = () => fetchFile(id, fileName ?? 'report')
  const save = useMutation({
    mutationFn: () => download(reportEndpoints.download, { params: { id } }),
    meta: { errorTitle: 'The report was not downloaded' },
  })
  const open = useMutation({
    mutationFn: async () => {
      const url = URL.createObjectURL(await file())
      // A browser that opens no windows now gets the file instead.
      if (!window.open(url, '_blank')) await download(reportEndpoints.download, { params: { id } })
      setTimeout(() => URL.revokeObjectURL(url), 60_000)
    },
    meta: { errorTitle: 'The report was not opened' },
  })
  const share = useMutation({
    mutationFn: async () => {
      const files = [await file()]
      try {
        await navigator.share({ title: name, files })
      } catch (error) {
        // Closing the system's sheet is no failure.
        if ((error as Error).name !== 'AbortError') throw error
      }
    },
    meta: { errorTitle: 'The report was not shared' },
  })
  const isBusy = save.isPending || open.isPending || share.isPending
  const disabled = !online || isBusy
  return (
    <div className="button-row">
      {format === 'PDF' && (
        <Button tone="primary" disabled={disabled} onClick={() => open.mutate()}>
          <Icon icon={openOutline} /> Open
        </Button>
      )}
      <Button disabled={disabled} onClick={() => save.mutate()}>
        <Icon icon={downloadOutline} /> Download
      </Button>
      {'share' in navigator && 'canShare' in navigator && (
        <Button disabled={disabled} onClick={() => share.mutate()}>
          <Icon icon={shareOutline} /> Share
        </Button>
      )}
    </div>
  )
}

function DeleteButton({ report: { id }, name }: { report: Report; name: string }) {
  const online = useOnline()
  const client = useQueryClient()
  const restore = useMutation(restoreReport(client))
  const remove = useMutation(removeReport(client))
  const removeWithUndo = async (): Promise<void> => {
    await remove.mutateAsync(id)
    toast({ title: 'Report deleted', action: { label: 'Undo', onSelect: () => restore.mutate(id) } })
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Delete ${name}`}
      disabled={!online || remove.isPending}
      onClick={() => void removeWithUndo().catch(() => undefined)}
    >
      <Icon icon={trashOutline} />
    </button>
  )
}

const frequencyText = { WEEKLY: 'Every week', MONTHLY: 'Every month' } as const

/** A schedule with its next date. */
export function ScheduleRow({ schedule }: { schedule: Schedule }) {
  const online = useOnline()
  const client = useQueryClient()
  const pause = useMutation(pauseSchedule(client))
  const remove = useMutation(removeSchedule(client))
  const { id, asins, format, frequency, isPaused, nextAt, nextFrom, nextTo } = schedule
  const name = nameOf(schedule)
  const askToDelete = async (): Promise<void> => {
    const message = 'The reports that it made stay.'
    if (await confirm({ title: 'Delete this schedule?', message, confirmText: 'Delete schedule', tone: 'danger' }))
      remove.mutate(id)
  }
  return (
    <li aria-label={`${frequencyText[frequency]}: ${name}`}>
      <div className="reports-row">
        <div>
          <strong>{name}</strong>
          <p>
            {asins && <Asins asins={asins} />}
            {frequencyText[frequency]} · {format}
          </p>
          <p className="reports-small">
            {isPaused ? 'Paused' : `Next on ${formatMoment(nextAt)}, of ${formatDayRange(nextFrom, nextTo)}, by email`}
          </p>
        </div>
        {online && (
          <RowMenu
            name={`${frequencyText[frequency]}: ${name}`}
            actions={[
              { label: isPaused ? 'Resume' : 'Pause', onSelect: () => pause.mutate({ id, isPaused: !isPaused }) },
              { label: 'Delete', tone: 'danger', onSelect: () => void askToDelete() },
            ]}
          />
        )}
      </div>
    </li>
  )
}
