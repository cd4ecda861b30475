import { blockedKeywords } from '../../draft/negative-rules.ts'
import { configurationOf } from '../../draft/rules.ts'
import type { WizardState } from '../../draft/wizard-state.ts'

const shownAtOnce = 5

/** Says which chosen keywords the negative ones keep from ever being shown: the launch would be refused for them. */
export const BlockedNote = ({ state }: { state: WizardState }) => {
  const blocked = configurationOf(state) === 'KEYWORDS' ? blockedKeywords(state) : []
  if (!blocked.length) return null
  const named = blocked.slice(0, shownAtOnce).map(text => `“${text}”`)
  const others = blocked.length - named.length
  return (
    <p className="field-error" role="alert" tabIndex={-1} data-fault>
      Never shown, because a negative keyword keeps {blocked.length === 1 ? 'it' : 'them'} out: {named.join(', ')}
      {others > 0 && ` and ${others} more`}. Take out the keyword or the negative one.
    </p>
  )
}
