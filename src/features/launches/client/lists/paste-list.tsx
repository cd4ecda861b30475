import { useDeferredValue, useState } from 'react'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import type { MarketplaceFacts } from '#shared/marketplaces.ts'
import { type Entry, type EntryKind, lineOf, type PastedEntry, pastedEntries } from './entries.ts'
import { MAX_PASTED } from './pasted-rows.ts'

interface PasteListProps<T, M extends string | null> {
  kind: EntryKind<T, M>
  chosen: readonly T[]
  /** For rows without a match type or a bid. */
  defaults: Entry<M>
  market: MarketplaceFacts
  onAdd: (items: T[]) => void
}

/** A pasted list: what can be added, and row by row why the rest cannot. */
export function PasteList<T, M extends string | null>({ kind, chosen, defaults, market, onAdd }: PasteListProps<T, M>) {
  const [text, setText] = useState('')
  const rows = pastedEntries(kind, useDeferredValue(text), { chosen, defaults, market })
  const good = rows.filter(row => row.problem === null)
  const duplicates = rows.filter(row => row.problem?.code === 'DUPLICATE')
  const rejected = rows.filter(row => row.problem !== null && row.problem.code !== 'DUPLICATE')
  const { matchType } = defaults
  const matchLabel = kind.match && matchType !== null ? kind.match.labels[matchType].toLowerCase() : ''
  const add = () => {
    if (good.length) onAdd(good.map(kind.toItem))
    // Rejected rows stay in the field so that the user can fix them.
    setText(rejected.map(lineOf).join('\n'))
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
              const row = others[index]
              return (
                row && (
                  <p className="small">
                    Line {row.line}: <strong>{shortened(row.text)}</strong> – {row.problem?.message}
                  </p>
                )
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
