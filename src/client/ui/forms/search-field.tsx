import { searchOutline } from 'ionicons/icons'
import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '../ionic/icon.tsx'
import '../theme/fields.css'

interface SearchFieldProps {
  label: string
  value: string
  /** Called when nothing was typed for `debounceMs`. */
  onSearch: (text: string) => void
  debounceMs?: number
  placeholder?: string
}

/** Looks for something as it is typed, after a pause. */
export function SearchField({ label, value, onSearch, debounceMs = 400, placeholder = label }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [given, setGiven] = useState(value)
  const [told, setTold] = useState(value)
  // The address changed, by Back for instance: it wins over what stands in the field. Not so the answer to what was typed,
  // which comes without the blank before the next word, and perhaps after the next letter.
  if (given !== value) {
    setGiven(value)
    if (value !== told.trim()) setText(value)
  }
  const search = useEffectEvent((typed: string) => {
    setTold(typed)
    onSearch(typed)
  })
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => search(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text, value, debounceMs])
  return (
    <div className="search">
      <Icon icon={searchOutline} />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        enterKeyHint="search"
        // More no search takes.
        maxLength={200}
        onChange={event => setText(event.target.value)}
      />
    </div>
  )
}
