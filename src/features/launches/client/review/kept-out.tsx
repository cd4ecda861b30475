interface KeptOutProps {
  /** How they keep a search out: `negative exact`. */
  kind: string
  terms: readonly string[]
}

/** The terms that an ad group is never shown for. */
export const KeptOut = ({ kind, terms }: KeptOutProps) =>
  terms.length > 0 && (
    <p className="small">
      <strong>
        Kept out ({kind}, {terms.length}):
      </strong>{' '}
      {terms.join(', ')}
    </p>
  )
