import { useDeferredValue, useState } from 'react'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'

interface Row {
  line: number
  keyword: string
  /** Why it cannot be added, in words; null when it can. */
  fault: string | null
}

interface PasteListProps<T extends Row> {
  label: string
  name: string
  help: string
  read: (text: string) => readonly T[]
  /** A refused row as it stands to be mended. */
  lineOf: (row: T) => string
  /** What the button says for so many. */
  addWords: (count: number) => string
  onAdd: (rows: T[]) => void
}

/** A list from elsewhere, pasted: what can be added, and row by row why the rest cannot. */
export const PasteList = <T extends Row>({ label, name, help, read, lineOf, addWords, onAdd }: PasteListProps<T>) => {
  const [text, setText] = useState('')
  const rows = read(useDeferredValue(text))
  const good = rows.filter(row => row.fault === null)
  const refused = rows.filter(row => row.fault !== null)
  const add = () => {
    onAdd(good)
    // What was refused stays to be mended.
    setText(refused.map(lineOf).join('\n'))
  }
  return (
    <details className="paste-list">
      <summary>Paste a list</summary>
      <TextField label={label} name={name} rows={5} value={text} onChange={setText} help={help} />
      <output className="small">{rows.length > 0 && `${good.length} of ${rows.length} can be added.`}</output>
      {refused.length > 0 && (
        <ul className="plain-list refused-rows" aria-label="Rows that cannot be added">
          {refused.map(row => (
            <li key={`${row.line} ${row.keyword}`} className="small">
              Line {row.line}: <strong>{shortened(row.keyword)}</strong> – {row.fault}
            </li>
          ))}
        </ul>
      )}
      <Button type="button" block disabled={good.length === 0} onClick={add}>
        {addWords(good.length)}
      </Button>
    </details>
  )
}

const shownCharacters = 60
const shortened = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
