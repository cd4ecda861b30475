import { searchOutline } from 'ionicons/icons'
import { useEffect, useEffectEvent, useState } from 'react'
import { Icon } from '../ionic/icon.tsx'
import '../theme/fields.css'

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  const [reported, setReported] = useState(value)
  // A new value from outside, by Back for instance, replaces the text. The echo of what was typed does not: it is trimmed
  // and may arrive after the next letter.
  if (lastValue !== value) {
    setLastValue(value)
    if (value !== reported.trim()) setText(value)
  }
  const search = useEffectEvent((typed: string) => {
    setReported(typed)
    onSearch(typed)
  })
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => search(text), 400)
    return () => clearTimeout(timer)
  }, [text, value])
  return (
    <div className="search">
      <Icon icon={searchOutline} />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        enterKeyHint="search"
        // More no search takes.
        maxLength={200}
        onChange={event => setText(event.target.value)}
      />
    </div>
  )
}
