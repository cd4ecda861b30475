import { Icon } from '#client/ui/ionic/icon.tsx'
import { alertCircleOutline, hourglassOutline } from 'ionicons/icons'
import { type Serving, type ServingKind, servingOf } from '#shared/serving-status.ts'

const stateWords: Record<string, { label: string; dot: string }> = {
  ENABLED: { label: 'Enabled', dot: 'state-dot-on' },
  PAUSED: { label: 'Paused', dot: '' },
  ARCHIVED: { label: 'Archived', dot: '' },
  PROPOSED: { label: 'Proposed', dot: 'state-dot-accent' },
}

interface Status {
  state: string
  servingStatus?: string | null
  syncState: 'SYNCED' | 'PENDING' | 'FAILED'
  syncError: string | null
  /** The word of a state that is as it should be is only read out. */
  quiet?: boolean
}

function StateWord({ state, quiet }: { state: string; quiet: boolean }) {
  const { label, dot } = stateWords[state] ?? { label: state, dot: '' }
  return (
    <span className="state-word">
      <span className={`state-dot ${dot}`} aria-hidden="true" />
      <span className={quiet && state === 'ENABLED' ? 'visually-hidden' : ''}>{label}</span>
    </span>
  )
}

// What the seller has to do something about, before it is over by itself.
const tones: Partial<Record<ServingKind, string>> = {
  MONEY: 'row-reason-accent',
  SETUP: 'row-reason-accent',
  PRODUCT: 'row-reason-danger',
  REJECTED: 'row-reason-danger',
}

/** Why the marketplace does not show something that is enabled. */
function NotShown({ serving }: { serving: Serving | null }) {
  if (!serving || serving.kind === 'RUNS') return null
  return (
    <span className={`row-reason ${tones[serving.kind] ?? ''}`}>
      <Icon icon={alertCircleOutline} /> {serving.reason}
    </span>
  )
}

/** Whether a row runs or why not, and whether a change of it is on its way or was refused. */
export function RowStatus({ state, servingStatus, syncState, syncError, quiet = false }: Status) {
  return (
    <>
      <StateWord state={state} quiet={quiet} />
      {state === 'ENABLED' && <NotShown serving={servingOf(servingStatus)} />}
      {syncState === 'PENDING' && (
        <span className="row-sync">
          <Icon icon={hourglassOutline} /> Being sent to the marketplace
        </span>
      )}
      {syncState === 'FAILED' && (
        <span className="row-sync row-sync-failed">
          <Icon icon={alertCircleOutline} /> Not changed: {syncError}
        </span>
      )}
    </>
  )
}
