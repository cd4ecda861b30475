import { useState } from 'react'

interface KeptOutProps {
  /** How they keep a search out: `negative exact`. */
  kind: string
  terms: readonly string[]
}

const shownAtOnce = 12

/** The terms that an ad group is never shown for; long lists are folded. */
export const KeptOut = ({ kind, terms }: KeptOutProps) => {
  const [open, setOpen] = useState(false)
  if (!terms.length) return null
  if (terms.length <= shownAtOnce)
    return (
      <p className="small">
        <strong>Kept out ({kind}):</strong> {terms.join(', ')}
      </p>
    )
  return (
    <details className="fold" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        Kept out ({kind}): {terms.length} terms
      </summary>
      {open && <p className="small">{terms.join(', ')}</p>}
    </details>
  )
}
