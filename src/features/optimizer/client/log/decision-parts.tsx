import { Link } from '@tanstack/react-router'
import { lockClosedOutline } from 'ionicons/icons'
import { formatDay, formatMoney, formatTime } from '#client/ui/figures/format.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { sheetStep } from '#client/ui/overlays/use-sheet-address.ts'
import { targetText } from '#shared/target-text.ts'
import type { LogRow } from '../../contract.ts'
import { decisionText } from '../../decision-text.ts'
import { stateWords } from '../../optimizer-words.ts'

const matchTypes: Record<string, string> = { EXACT: 'exact', PHRASE: 'phrase', BROAD: 'broad' }

/** What a decision is about: the keyword or target, and where it is. */
export function placeOf({ entity, groupName }: LogRow): string {
  const { type, name, matchType, adGroupName, campaignName } = entity
  if (type === 'group') return groupName
  const own = matchType
    ? `${name} (${matchTypes[matchType] ?? matchType.toLowerCase()})`
    : type === 'target'
      ? targetText({ kind: 'PRODUCT', text: name })
      : name
  return [own, type === 'target' ? adGroupName : null, type === 'campaign' ? null : campaignName]
    .filter((part, index, all) => part && all.indexOf(part) === index)
    .join(' · ')
}

/** What a decision is called where only its name is read: of an action, of a selection. */
export const nameOf = (row: LogRow): string => `${decisionText(row).title}, ${placeOf(row)}`

/** That nothing is changed, and why: there is nothing that the marketplace could confirm. */
export const isNote = ({ after, state }: LogRow): boolean => after === null && state === 'CONFIRMED'

/** The state of a decision as a word; where all is as it should be, quietly. */
export function StateTag({ row }: { row: LogRow }) {
  if (isNote(row)) return null
  const { label, tone } = stateWords[row.state]
  return <span className={tone === 'plain' ? 'tag' : `tag tag-${tone}`}>{label}</span>
}

/** The title of a decision, which opens its evidence. */
export function DecisionLink({ row }: { row: LogRow }) {
  return (
    <Link
      to="."
      search={((previous: object) => ({ ...previous, row: row.id })) as never}
      state={sheetStep as never}
      className="decision-link"
      data-row={row.id}
    >
      {decisionText(row).title}
      {/* Many decisions change as much: their links differ by what they are about, and when. */}
      <span className="visually-hidden">{` for ${placeOf(row)}, ${formatDay(row.day)}`}</span>
    </Link>
  )
}

/** When it was decided, what it may cost or save, and for how long a person's value is left alone. */
export function DecisionFoot({ row, timezone }: { row: LogRow; timezone: string }) {
  const { at, atStake, currency, pin } = row
  return (
    <p className="decision-foot">
      <time dateTime={at}>{formatTime(at, timezone)}</time>
      {atStake !== null && <span>{formatMoney(atStake, currency)} a day at stake</span>}
      {pin && (
        <span>
          <Icon icon={lockClosedOutline} /> Yours until {formatDay(pin.until)}
        </span>
      )}
    </p>
  )
}
