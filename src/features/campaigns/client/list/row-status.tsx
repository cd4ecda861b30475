import { Icon } from '#client/ui/ionic/icon.tsx'
import { alertCircleOutline, hourglassOutline } from 'ionicons/icons'

const stateWords: Record<string, { label: string; tone: string }> = {
  ENABLED: { label: 'Enabled', tone: 'tag-good' },
  PAUSED: { label: 'Paused', tone: '' },
  ARCHIVED: { label: 'Archived', tone: '' },
  PROPOSED: { label: 'Proposed', tone: 'tag-accent' },
}

interface Status {
  state: string
  servingStatus?: string | null
  syncState: 'SYNCED' | 'PENDING' | 'FAILED'
  syncError: string | null
}

/** Whether a row runs, and whether a change of it is on its way or was refused. */
export const RowStatus = ({ state, servingStatus, syncState, syncError }: Status) => {
  const { label, tone } = stateWords[state] ?? { label: state, tone: '' }
  return (
    <>
      <span className={`tag ${tone}`}>{label}</span>
      {state === 'ENABLED' && servingStatus?.includes('OUT_OF_BUDGET') && (
        <span className="tag tag-accent">Out of budget</span>
      )}
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
