import { NO_BID } from '#shared/campaign-rules.ts'
import { useDeferredValue, useState } from 'react'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { listedAlready } from '../../lists/list-changes.ts'
import { MAX_PASTED } from '../../lists/pasted-rows.ts'

interface Row {
  line: number
  /** Why it cannot be added, in words; null when it can. */
  fault: string | null
}

interface PasteListProps<T extends Row> {
  label: string
  name: string
  help: string
  read: (text: string) => readonly T[]
  nameOf: (row: T) => string
  /** A refused row as it stands to be mended. */
  lineOf: (row: T) => string
  /** What is pasted, one and several: keyword, keywords. */
  things: readonly [one: string, several: string]
  onAdd: (rows: T[]) => void
}

/** A list from elsewhere, pasted: what can be added, and row by row why the rest cannot. */
export function PasteList<T extends Row>(props: PasteListProps<T>) {
  const { label, name, help, read, nameOf, lineOf, things, onAdd } = props
  const [text, setText] = useState('')
  const rows = read(useDeferredValue(text))
  const good = rows.filter(row => row.fault === null)
  const merged = rows.filter(row => row.fault === listedAlready)
  const refused = rows.filter(row => row.fault !== null && row.fault !== listedAlready)
  const add = () => {
    if (good.length) onAdd(good)
    // What was refused stays to be mended; what was merged is done.
    setText(refused.map(lineOf).join('\n'))
  }
  return (
    <details className="paste-list">
      <summary>Paste a list</summary>
      <TextField label={label} name={name} rows={5} value={text} onChange={setText} help={help} />
      <output className="small">
        {rows.length > 0 && `${good.length} of ${rows.length} can be added.`}
        {rows.length >= MAX_PASTED && ' What follows is not read: paste it on its own.'}
      </output>
      <output className="small">{merged.length > 0 && mergedWords(merged.map(nameOf))}</output>
      <RefusedRows rows={refused} nameOf={nameOf} />
      <Button type="button" block disabled={good.length === 0 && merged.length === 0} onClick={add}>
        {good.length === 0 && merged.length > 0 ? 'Merge' : addWords(good.length, things)}
      </Button>
    </details>
  )
}

function mergedWords(names: readonly string[]): string {
  return names.length === 1
    ? `“${shortened(names[0] ?? '')}” is in the list already and is merged with it.`
    : `${names.length} rows are in the list already and are merged with it.`
}

function addWords(count: number, [one, several]: readonly [string, string]): string {
  if (count === 0) return `Add ${several}`
  return count === 1 ? `Add 1 ${one}` : `Add ${count} ${several}`
}

function RefusedRows<T extends Row>({ rows, nameOf }: { rows: readonly T[]; nameOf: (row: T) => string }) {
  // One thing mends all of these, so they are told in one sentence.
  const bidless = rows.filter(row => row.fault === NO_BID).length
  const others = rows.filter(row => row.fault !== NO_BID)
  return (
    <>
      {bidless > 0 && (
        <p className="field-error">
          {bidless === 1 ? '1 row has' : `${bidless} rows have`} no bid: enter one above for all that name none.
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
                    Line {row.line}: <strong>{shortened(nameOf(row))}</strong> – {row.fault}
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
function shortened(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}
