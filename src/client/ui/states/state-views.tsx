import { alertCircleOutline, cloudOfflineOutline, hourglassOutline, leafOutline } from 'ionicons/icons'
import type { ReactNode } from 'react'
import { failureMessage } from '../../api/api-error.ts'
import { Icon } from '../ionic/icon.tsx'
import { Button } from './button.tsx'

interface StateProps {
  icon: string
  title: string
  className?: string
  children?: ReactNode
  live?: 'polite' | 'assertive'
}
function State({ icon, title, className = '', children, live }: StateProps) {
  return (
    <div className={`state ${className}`} aria-live={live}>
      <Icon icon={icon} />
      <p className="state-title">{title}</p>
      {children}
    </div>
  )
}

interface EmptyStateProps {
  title: string
  hint?: string
  action?: ReactNode
  icon?: string
}

export function EmptyState({ title, hint, action, icon = leafOutline }: EmptyStateProps) {
  return (
    <State icon={icon} title={title}>
      {hint && <p>{hint}</p>}
      {action}
    </State>
  )
}

/** Until the first import is done: what is not here yet must not look as if there were none. */
export const AwaitedState = ({ what }: { what: string }) => (
  <EmptyState
    title={`Your ${what} are on their way`}
    hint="The first import brings the last 95 days. This screen updates itself when they arrive."
  />
)

interface FailedStateProps {
  error: unknown
  title?: string | undefined
  onRetry: () => void
}

export function FailedState({ error, title = 'This could not be loaded', onRetry }: FailedStateProps) {
  return (
    <State icon={alertCircleOutline} title={title} live="assertive">
      <p>{failureMessage(error)}</p>
      <Button onClick={onRetry}>Try again</Button>
    </State>
  )
}

/** In the place of what was not saved on this device; the page's own line says that there is no network. */
export function OfflineState({
  title = 'Not saved on this device',
  hint = 'This screen loads by itself once you are online.',
}: {
  title?: string
  hint?: string
}) {
  return (
    <State icon={cloudOfflineOutline} title={title} className="state-offline" live="polite">
      <p>{hint}</p>
    </State>
  )
}

interface NoticeProps {
  icon: string
  children: ReactNode
  /** What can be done about it, with one tap. */
  action: ReactNode
}

/** A line about what stands below or around it, and one button. */
export function Notice({ icon, children, action }: NoticeProps) {
  return (
    <div className="notice" aria-live="polite">
      <Icon icon={icon} />
      <span>{children}</span>
      {action}
    </div>
  )
}

export const PendingNote = ({ children, onUndo }: { children: ReactNode; onUndo: () => void }) => (
  <Notice icon={hourglassOutline} action={<Button onClick={onUndo}>Undo</Button>}>
    {children}
  </Notice>
)

export interface SkeletonProps {
  rows?: number
  /** What it takes the room of: a tile is one of several side by side. */
  kind?: 'row' | 'card' | 'line' | 'tile' | 'chart'
  label?: string
}

export function Skeleton({ rows = 3, kind = 'row', label = 'Loading' }: SkeletonProps) {
  return (
    <output className={`skeleton skeleton-${kind}`}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="skeleton-shape" aria-hidden="true" />
      ))}
    </output>
  )
}
