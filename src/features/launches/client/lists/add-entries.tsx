import { type ReactNode, useDeferredValue, useState } from 'react'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { bidProblem } from '#shared/ad-limits.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import type { EditedList } from './edit-list.ts'
import { type Entry, type EntryKind, MAX_PASTED, type PastedEntry, pastedEntries, textProblem } from './entries.ts'

interface AddEntriesProps<T, M extends string | null> {
  kind: EntryKind<T, M>
  list: EditedList<T>
  entry: Entry<M>
  onEntry: (changes: Partial<Entry<M>>) => void
}

export function AddEntries<T, M extends string | null>({ kind, list, entry, onEntry }: AddEntriesProps<T, M>) {
  const { market, add } = list
  const problem = textProblem(kind, entry, list.ids)
  const text = (
    <TextField
      {...kind.field}
      value={entry.text}
      onChange={value => onEntry({ text: value })}
      error={(entry.text.trim() && problem?.message) || undefined}
    />
  )
  const fields = (
    <>
      {kind.match && entry.matchType !== null ? (
        <SelectField
          label="Match type"
          name={kind.match.name}
          {...(kind.match.help !== undefined && { help: kind.match.help })}
          value={entry.matchType}
          onChange={matchType => onEntry({ matchType })}
          options={(Object.entries(kind.match.labels) as [M & string, string][]).map(([value, label]) => ({
            value,
            label,
          }))}
        />
      ) : (
        text
      )}
      {kind.hasBids && <BidField bid={entry.bid} market={market} onBid={bid => onEntry({ bid })} />}
    </>
  )
  return (
    <section className="configure-section" aria-label={`Add ${kind.several}`}>
      <EntryForm
        one={kind.one}
        isReady={problem === null && (!kind.hasBids || bidProblem(entry.bid, market) === null)}
        onSubmit={() => {
          add([kind.toItem({ ...entry, text: kind.normalize(entry.text) })])
          onEntry({ text: '' })
        }}
      >
        {kind.match && text}
        {kind.hasBids ? <div className="field-pair">{fields}</div> : fields}
      </EntryForm>
      <PasteList kind={kind} list={list} entry={entry} />
    </section>
  )
}

// A pasted list: what can be added, and row by row why the rest cannot. Rows without a match type or a bid get the typed ones.
function PasteList<T, M extends string | null>({
  kind,
  list,
  entry: defaults,
}: Omit<AddEntriesProps<T, M>, 'onEntry'>) {
  const [text, setText] = useState('')
  const rows = pastedEntries(kind, useDeferredValue(text), { chosen: list.items, defaults, market: list.market })
  const good = rows.filter(row => row.problem === null)
  const duplicates = rows.filter(row => row.problem?.code === 'DUPLICATE')
  const rejected = rows.filter(row => row.problem !== null && row.problem.code !== 'DUPLICATE')
  const { matchType } = defaults
  const matchLabel = kind.match && matchType !== null ? kind.match.labels[matchType].toLowerCase() : ''
  const add = () => {
    if (good.length) list.add(good.map(kind.toItem))
    // Rejected rows stay in the field so that the user can fix them.
    setText(rejected.map(row => [row.text, row.matchType, row.bid].filter(cell => cell !== null).join('\t')).join('\n'))
  }
  return (
    <details className="paste-list">
      <summary>Paste a list</summary>
      <TextField
        label={kind.paste.label}
        name={kind.paste.name}
        rows={5}
        value={text}
        onChange={setText}
        help={kind.paste.help(matchLabel)}
      />
      <output className="small">
        {rows.length > 0 && `${good.length} of ${rows.length} can be added.`}
        {rows.length >= MAX_PASTED && ' The rows after that are not read: paste them separately.'}
      </output>
      <output className="small">{duplicates.length > 0 && duplicatesLabel(duplicates)}</output>
      <RejectedRows rows={rejected} />
      <Button type="button" block disabled={good.length === 0 && duplicates.length === 0} onClick={add}>
        {good.length === 0 && duplicates.length > 0 ? 'Merge' : addLabel(good.length, kind)}
      </Button>
    </details>
  )
}

type Row = PastedEntry<string | null>

function duplicatesLabel(rows: readonly Row[]): string {
  return rows.length === 1
    ? `“${shortened(rows[0]?.text ?? '')}” is already in the list and will be merged.`
    : `${rows.length} rows are already in the list and will be merged.`
}

function addLabel(count: number, { one, several }: { one: string; several: string }): string {
  if (count === 0) return `Add ${several}`
  return count === 1 ? `Add 1 ${one}` : `Add ${count} ${several}`
}

function RejectedRows({ rows }: { rows: readonly Row[] }) {
  // One bid fixes all of these rows, so that one sentence is enough.
  const withoutBid = rows.filter(row => row.problem?.code === 'NO_BID').length
  const others = rows.filter(row => row.problem?.code !== 'NO_BID')
  return (
    <>
      {withoutBid > 0 && (
        <p className="field-error">
          {withoutBid === 1 ? '1 row has' : `${withoutBid} rows have`} no bid: enter one above for all rows without a
          bid.
        </p>
      )}
      {others.length > 0 && (
        <div className="refused-rows">
          <ScrollList
            count={others.length}
            itemKey={index => `${others[index]?.line} ${index}`}
            label="Rows that cannot be added"
            estimate={44}
          >
            {index => {
              const { line, text = '', problem } = others[index] ?? {}
              return (
                <p className="small">
                  Line {line}: <strong>{shortened(text)}</strong> – {problem?.message}
                </p>
              )
            }}
          </ScrollList>
        </div>
      )}
    </>
  )
}

const shownCharacters = 60
const shortened = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text

interface EntryFormProps {
  one: string
  className?: string
  isReady: boolean
  onSubmit: () => void
  children: ReactNode
}

export function EntryForm({ one, className, isReady, onSubmit, children }: EntryFormProps) {
  return (
    <form
      className={className}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (isReady) onSubmit()
      }}
    >
      <h3>Add a {one}</h3>
      {children}
      <Button type="submit" disabled={!isReady} block>
        Add {one}
      </Button>
    </form>
  )
}

export function BidField(props: { bid: number | null; onBid: (bid: number | null) => void; market: MarketplaceFacts }) {
  const { bid, onBid, market } = props
  return (
    <MoneyField
      label="Bid"
      name="bid"
      currency={market.currency}
      value={bid}
      onChange={onBid}
      error={bid === null ? undefined : (bidProblem(bid, market) ?? undefined)}
    />
  )
}
