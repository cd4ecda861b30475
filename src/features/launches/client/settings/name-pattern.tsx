import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TextField } from '#client/ui/forms/text-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { accountQueries, type Shop } from '#features/accounts/client/public.ts'
import { previewNames } from '../wizard/structure-preview.ts'
import { DEFAULT_NAME_PATTERN, MAX_NAME_PATTERN, namePatternProblem, nameTokens } from '../../contract.ts'
import { draftOf } from '../../draft/payload-of.ts'
import type { WizardState } from '../../draft/wizard-state.ts'

interface NamePatternProps {
  state: WizardState
  shop: Shop
  /** The server's message. */
  error: string | undefined
  onPattern: (pattern: string | null) => void
}

/** The name pattern with a preview of the names. */
export function NamePattern({ state, shop, error, onPattern }: NamePatternProps) {
  const [open, setOpen] = useState(state.namePattern !== null)
  const pattern = state.namePattern ?? DEFAULT_NAME_PATTERN
  const problem = namePatternProblem(pattern)
  return (
    <details className="fold" open={open || error !== undefined} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>Campaign naming</summary>
      {open && (
        <>
          <TextField
            label="Name pattern"
            name="namePattern"
            maxLength={MAX_NAME_PATTERN}
            value={pattern}
            onChange={value => onPattern(value === DEFAULT_NAME_PATTERN ? null : value)}
            error={problem ?? error}
            help={`Placeholders in braces: ${nameTokens.map(token => `{${token}}`).join(', ')}.`}
          />
          {problem === null && <Preview state={state} shop={shop} />}
          {state.namePattern !== null && (
            <div className="button-row">
              <Button onClick={() => onPattern(null)}>Use the default pattern</Button>
            </div>
          )}
        </>
      )}
    </details>
  )
}

const shownNames = 3

function Preview({ state, shop }: Pick<NamePatternProps, 'state' | 'shop'>) {
  const { data } = useQuery(accountQueries.merchant(shop.merchantId))
  const profile = data?.profiles.find(p => p.marketplace.id === shop.marketplaceId)
  const { template } = state
  if (!template) return null
  const names = previewNames({ ...draftOf(state), template }, profile?.campaignPrefix ?? null, profile?.accountType)
  return (
    <div className="small">
      <p className="muted">Names of the campaigns:</p>
      <ul aria-label="Names of the campaigns">
        {names.slice(0, shownNames).map(name => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      {names.length > shownNames && <p className="muted">and {names.length - shownNames} more.</p>}
    </div>
  )
}
