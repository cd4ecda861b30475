import { type ReactNode, useMemo } from 'react'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { SelectField } from '#client/ui/forms/select-field.tsx'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { bidProblem } from '#shared/campaign-rules.ts'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type Entry, type EntryKind, textProblem } from './entries.ts'
import { PasteList } from './paste-list.tsx'

interface AddEntriesProps<T, M extends string | null> {
  kind: EntryKind<T, M>
  chosen: readonly T[]
  market: MarketplaceFacts
  /** What the user is typing. */
  entry: Entry<M>
  onEntry: (changes: Partial<Entry<M>>) => void
  onAdd: (items: T[]) => void
}

/** Adds to a list by hand, one entry at a time or as a pasted list. */
export function AddEntries<T, M extends string | null>(props: AddEntriesProps<T, M>) {
  const { kind, chosen, market, entry, onEntry, onAdd } = props
  const ids = useMemo(() => new Set(chosen.map(kind.idOf)), [chosen, kind])
  const problem = textProblem(kind, entry, ids)
  const isReady = problem === null && (!kind.hasBids || bidProblem(entry.bid, market) === null)
  const text = (
    <TextField
      {...kind.field}
      value={entry.text}
      onChange={value => onEntry({ text: value })}
      error={(entry.text.trim() && problem?.message) || undefined}
    />
  )
  const bid = kind.hasBids && <BidField bid={entry.bid} market={market} onBid={value => onEntry({ bid: value })} />
  const match = kind.match && <MatchField {...kind.match} entry={entry} onEntry={onEntry} />
  return (
    <section className="configure-section" aria-label={`Add ${kind.several}`}>
      <EntryForm
        one={kind.one}
        isReady={isReady}
        onSubmit={() => {
          onAdd([kind.toItem({ ...entry, text: kind.normalize(entry.text) })])
          onEntry({ text: '' })
        }}
      >
        {match ? text : null}
        {bid ? (
          <div className="field-pair">
            {match ?? text}
            {bid}
          </div>
        ) : (
          (match ?? text)
        )}
      </EntryForm>
      <PasteList kind={kind} chosen={chosen} defaults={entry} market={market} onAdd={onAdd} />
    </section>
  )
}

interface MatchFieldProps<M extends string | null> extends Pick<AddEntriesProps<unknown, M>, 'entry' | 'onEntry'> {
  labels: Readonly<Record<M & string, string>>
  name: string
  help?: string
}

function MatchField<M extends string | null>({ labels, name, help, entry, onEntry }: MatchFieldProps<M>) {
  const options = (Object.keys(labels) as (M & string)[]).map(value => ({ value, label: labels[value] }))
  if (entry.matchType === null) return null
  return (
    <SelectField
      label="Match type"
      name={name}
      {...(help !== undefined && { help })}
      value={entry.matchType}
      onChange={matchType => onEntry({ matchType })}
      options={options}
    />
  )
}

interface EntryFormProps {
  one: string
  className?: string
  /** True when what is entered can be added. */
  isReady: boolean
  onSubmit: () => void
  children: ReactNode
}

/** The form that adds one entry. */
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

interface BidFieldProps {
  bid: number | null
  onBid: (bid: number | null) => void
  market: MarketplaceFacts
}

/** The bid of what is being added by hand. */
export function BidField({ bid, onBid, market }: BidFieldProps) {
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
