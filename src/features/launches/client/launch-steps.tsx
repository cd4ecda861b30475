import { useMutation, useQueryClient } from '@tanstack/react-query'
import { alertCircleOutline, checkmarkCircleOutline, ellipseOutline, hourglassOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Button, type ButtonProps } from '#client/ui/states/button.tsx'
import type { Launch, StepStatus } from '../contract.ts'
import { formatDuration, stepLabels } from './launch-labels.ts'
import { retryLaunch } from './mutations.ts'
import { formatExactTime } from '#client/ui/figures/format.ts'

const statuses: Record<StepStatus, { icon: string; label: string }> = {
  PENDING: { icon: ellipseOutline, label: 'Waiting' },
  IN_PROGRESS: { icon: hourglassOutline, label: 'In progress' },
  COMPLETED: { icon: checkmarkCircleOutline, label: 'Done' },
  PARTIAL: { icon: alertCircleOutline, label: 'Partly done' },
  FAILED: { icon: alertCircleOutline, label: 'Failed' },
  SKIPPED: { icon: ellipseOutline, label: 'Not needed' },
}

type Step = Launch['steps'][number]

export function LaunchSteps({ steps, timed = false }: { steps: Step[]; timed?: boolean }) {
  return (
    <ol className="launch-steps">
      {steps
        .filter(step => step.status !== 'SKIPPED')
        .map(({ name, status, done, total, errors, ...times }) => (
          <li key={name} data-status={status}>
            <Icon icon={statuses[status].icon} />
            <div>
              <span>
                {stepLabels[name]}
                {total > 1 && (
                  <>
                    {' '}
                    <span className="launch-count">{`(${done} of ${total})`}</span>
                  </>
                )}
              </span>
              <small>
                {statuses[status].label}
                {timed && timingLabel(times)}
              </small>
              {errors.length > 0 && (
                <ul>
                  {errors.map(({ item, reason, message }) => (
                    <li key={`${item} ${reason}`}>
                      <strong>{item}</strong>: {message}
                    </li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
    </ol>
  )
}

function timingLabel({ startedAt, finishedAt }: Pick<Step, 'startedAt' | 'finishedAt'>): string {
  if (!startedAt) return ''
  const took = finishedAt ? `, took ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}` : ''
  return ` · ${formatExactTime(startedAt)}${took}`
}

export function RetryButton({ id, tone }: { id: number } & Pick<ButtonProps, 'tone'>) {
  const retry = useMutation(retryLaunch(useQueryClient()))
  return (
    <Button {...(tone && { tone })} busy={retry.isPending} busyLabel="Retrying..." onClick={() => retry.mutate(id)}>
      Retry failed items
    </Button>
  )
}
