import { alertCircleOutline, hourglassOutline, refreshOutline, trashOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { type RowAction, RowMenu } from '#client/ui/lists/row-menu.tsx'
import { negativeTargetTypes } from '#features/negatives/contract.ts'
import type { NegativeRow } from '../../contract.ts'
import { matchWords } from '../form/field-labels.ts'
import { adTypeShort, clauseText } from '../search-terms/term-words.ts'
import type { NegativeDraft } from './negative-drafts.ts'
import type { useNegatives } from './use-negatives.ts'

/** Not at the marketplace yet: it is on its way there, or was rejected. */
const isNew = ({ amazonId }: NegativeRow): boolean => amazonId.startsWith('new:')

export const negativeName = ({ text, kind }: NegativeRow): string => (kind === 'KEYWORD' ? text : clauseText(text))

/** What would add it again; null for what is not added from here. */
function draftOf({ adType, campaignId, adGroupId, text, matchType, kind }: NegativeRow): NegativeDraft | null {
  const type = matchType === 'NEGATIVE_PHRASE' ? matchType : 'NEGATIVE_EXACT'
  const place = { adType, campaignId, adGroupId, matchType: type } as const
  if (adType === 'SPONSORED_DISPLAY') return null
  if (kind === 'KEYWORD') return matchType === type ? { ...place, text } : null
  const targetType = negativeTargetTypes.find(one => text.toUpperCase().startsWith(`${one}:`))
  return targetType ? { ...place, text: clauseText(text), targetType } : null
}

/** What can be done with a negative. */
export function negativeActions(row: NegativeRow, { remove, retry }: ReturnType<typeof useNegatives>): RowAction[] {
  if (row.state === 'ARCHIVED') return []
  const again: RowAction = {
    label: 'Try again',
    icon: refreshOutline,
    onSelect: () => void retry(row.id).catch(() => undefined),
  }
  const away: RowAction = {
    label: 'Remove',
    icon: trashOutline,
    tone: 'danger',
    onSelect: () =>
      void remove(row.id, negativeName(row), row.syncState === 'FAILED' ? null : draftOf(row)).catch(() => undefined),
  }
  return row.syncState === 'FAILED' && isNew(row) ? [again, away] : [away]
}

const kindWords = ({ kind, text, matchType }: NegativeRow): string =>
  kind === 'KEYWORD'
    ? matchWords(matchType)
    : text.toUpperCase().startsWith('ASIN_BRAND')
      ? 'Negative brand'
      : 'Negative product'

/** What kind of negative it is, and how far it has come. */
export function NegativeStatus({ row }: { row: NegativeRow }) {
  const { state, syncState, syncError } = row
  return (
    <>
      <span>{kindWords(row)}</span>
      {state !== 'ENABLED' && <span className="tag">{state === 'ARCHIVED' ? 'Removed' : 'Paused'}</span>}
      {syncState === 'PENDING' && (
        <span className="row-sync">
          <Icon icon={hourglassOutline} /> Being sent to the marketplace
        </span>
      )}
      {syncState === 'FAILED' && (
        <span className="row-sync row-sync-failed">
          <Icon icon={alertCircleOutline} /> {isNew(row) ? 'Rejected' : 'Not changed'}: {syncError}
        </span>
      )}
    </>
  )
}

/** Which campaign or ad group it holds for. */
export const negativePlace = ({ adType, campaignName, adGroupName }: NegativeRow): string =>
  [adTypeShort[adType], campaignName, adGroupName ?? 'whole campaign'].filter(Boolean).join(' · ')

/** A negative in the list of a phone. */
export function NegativeItem({ row, actions }: { row: NegativeRow; actions: RowAction[] }) {
  return (
    <ListRow
      title={negativeName(row)}
      detail={
        <>
          <div className="row-status">
            <NegativeStatus row={row} />
          </div>
          <div>{negativePlace(row)}</div>
        </>
      }
      end={actions.length > 0 && <RowMenu name={negativeName(row)} actions={actions} />}
    />
  )
}
