import { closeOutline, searchOutline } from 'ionicons/icons'
import { useEffect, useRef, useState } from 'react'
import { SearchField } from '../forms/search-field.tsx'
import { Icon } from '../ionic/icon.tsx'
import './context-bar.css'

interface ToolbarSearchProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

/** A search behind a button of the header, for phones: its field takes the place of the title. */
export function ToolbarSearch({ label, value, onSearch }: ToolbarSearchProps) {
  const [open, setOpen] = useState(value !== '')
  const [opened, setOpened] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // An address with a search in it, by Back for instance, shows the field again.
  const [lastValue, setLastValue] = useState(value)
  if (lastValue !== value) {
    setLastValue(value)
    if (value !== '') setOpen(true)
  }
  useEffect(() => {
    if (!opened) return
    if (open) place.current?.querySelector('input')?.focus()
    else button.current?.focus()
  }, [open, opened])
  if (!open)
    return (
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label="Search"
        onClick={() => {
          setOpened(true)
          setOpen(true)
        }}
      >
        <Icon icon={searchOutline} />
      </button>
    )
  return (
    <div ref={place} className="toolbar-search">
      <SearchField label={label} value={value} onSearch={onSearch} />
      <button
        type="button"
        className="icon-button"
        aria-label="Close search"
        onClick={() => {
          setOpened(true)
          setOpen(false)
          onSearch('')
        }}
      >
        <Icon icon={closeOutline} />
      </button>
    </div>
  )
}
