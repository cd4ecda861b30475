import { alertCircleOutline, checkmarkCircleOutline, ellipseOutline, hourglassOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import type { Launch, StepStatus } from '../contract.ts'
import { formatDuration, stepStatusLabels, stepLabels } from './launch-labels.ts'

const icons: Record<StepStatus, string> = {
  PENDING: ellipseOutline,
  IN_PROGRESS: hourglassOutline,
  COMPLETED: checkmarkCircleOutline,
  PARTIAL: alertCircleOutline,
  FAILED: alertCircleOutline,
  SKIPPED: ellipseOutline,
}

interface LaunchStepsProps extends Pick<Launch, 'steps'> {
  /** Shows when each step began and how long it took. */
  timed?: boolean
}

/** The steps of a launch with their progress and failures. */
export function LaunchSteps({ steps, timed = false }: LaunchStepsProps) {
  return (
    <ol className="launch-steps">
      {steps
        .filter(step => step.status !== 'SKIPPED')
        .map(step => (
          <li key={step.name} data-status={step.status}>
            <Icon icon={icons[step.status]} />
            <div>
              <span>
                {stepLabels[step.name]}
                {step.total > 1 && (
                  <>
                    {' '}
                    <span className="launch-count">{`(${step.done} of ${step.total})`}</span>
                  </>
                )}
              </span>
              <small>
                {stepStatusLabels[step.status]}
                {timed && timingLabel(step)}
              </small>
              {step.errors.length > 0 && (
                <ul>
                  {step.errors.map(error => (
                    <li key={`${error.item} ${error.reason}`}>
                      <strong>{error.item}</strong>: {error.message}
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

function timingLabel({ startedAt, finishedAt }: Launch['steps'][number]): string {
  if (!startedAt) return ''
  const took = finishedAt ? `, took ${formatDuration(Date.parse(finishedAt) - Date.parse(startedAt))}` : ''
  return ` · ${new Date(startedAt).toLocaleTimeString(undefined, { timeStyle: 'medium' })}${took}`
}
