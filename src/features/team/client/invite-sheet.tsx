import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import * as v from 'valibot'
import { failureMessage } from '#client/api/api-error.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { TextField } from '#client/ui/forms/fields.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { inviteBody } from '../contract.ts'
import { invite } from './queries.ts'

type Sellers = readonly { id: number; name: string }[]

interface InviteSheetProps {
  open: boolean
  sellers: Sellers
  onClose: () => void
}

export function InviteSheet({ open, sellers, onClose }: InviteSheetProps) {
  return (
    <Sheet open={open} title="Invite a viewer" onClose={onClose}>
      <InviteForm sellers={sellers} onDone={onClose} />
    </Sheet>
  )
}

const messages = v.fallback(v.record(v.string(), v.string()), {})

function InviteForm({ sellers, onDone }: { sellers: Sellers; onDone: () => void }) {
  const send = useMutation(invite(useQueryClient()))
  const [only] = sellers
  const form = useForm({
    schema: inviteBody,
    initial: { email: '', merchantIds: sellers.length === 1 && only ? [only.id] : ([] as number[]) },
    onSubmit: async values => {
      const { email } = await send.mutateAsync(values)
      toast({ title: 'Invitation sent', message: `${email} can accept it within 7 days.`, tone: 'success' })
      onDone()
    },
    fieldOf: (detail, { extra }) => (v.parse(messages, extra['fields'])['email'] === detail ? 'email' : undefined),
  })
  const isAtField = Object.keys(form.errors).length > 0
  return (
    <form {...form.props}>
      <TextField label="Email" type="email" inputMode="email" autoComplete="off" required {...form.field('email')} />
      {sellers.length > 1 && (
        <SellerChoice
          sellers={sellers}
          chosen={form.values.merchantIds}
          error={form.errors['merchantIds']}
          onChange={form.field('merchantIds').onChange}
        />
      )}
      <p>
        A viewer sees all figures of {sellers.length === 1 ? only?.name : 'the chosen sellers'} and changes nothing. The
        link in the email works once, for 7 days.
      </p>
      {send.error && !isAtField && (
        <p className="field-error" role="alert">
          {failureMessage(send.error)}
        </p>
      )}
      <Button type="submit" className="team-invite" tone="primary" block busy={form.busy} busyLabel="Sending…">
        Send invitation
      </Button>
    </form>
  )
}

const searchedFrom = 8

interface SellerChoiceProps {
  sellers: Sellers
  chosen: number[]
  error: string | undefined
  onChange: (ids: number[]) => void
}

function SellerChoice({ sellers, chosen, error, onChange }: SellerChoiceProps) {
  const [search, setSearch] = useState('')
  const id = useId()
  const text = search.trim().toLowerCase()
  const shown = sellers.filter(({ name }) => name.toLowerCase().includes(text))
  const toggle = (sellerId: number, checked: boolean) =>
    onChange(checked ? [...chosen, sellerId] : chosen.filter(one => one !== sellerId))
  return (
    <fieldset
      className="choices"
      data-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend>Sellers</legend>
      {sellers.length >= searchedFrom && <SearchField label="Search sellers" value={search} onSearch={setSearch} />}
      <div className="team-sellers">
        {shown.map(seller => (
          <CheckField
            key={seller.id}
            label={seller.name}
            checked={chosen.includes(seller.id)}
            onChange={checked => toggle(seller.id, checked)}
          />
        ))}
        {shown.length === 0 && <p>No seller has this name.</p>}
      </div>
      {error && (
        <p id={`${id}-error`} className="field-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
