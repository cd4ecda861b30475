import './account.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import * as v from 'valibot'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { queryClient } from '#client/api/query-client.ts'
import { PasswordField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { formatMoment, formatMomentDay } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { userEndpoints } from '../user-contract.ts'
import { userQueries } from './queries.ts'
import { rejectedField } from './rejected-field.ts'

const readUserAgain = () => queryClient.invalidateQueries({ queryKey: userQueries.all })

/** Keeps an account that waits to be erased. */
export function KeepAccountButton() {
  const online = useOnline()
  const keep = useMutation({
    mutationFn: () => call(userEndpoints.keep, {}),
    onSuccess: async () => {
      await readUserAgain()
      toast({ title: 'Your account stays', tone: 'success' })
    },
    meta: { errorTitle: 'Your account is still to be erased' },
  })
  return (
    <Button tone="primary" busy={keep.isPending} busyLabel="Saving…" disabled={!online} onClick={() => keep.mutate()}>
      Keep my account
    </Button>
  )
}

/** On every page of the dashboard while the account waits to be erased. */
export function ErasureBanner() {
  const { data: user } = useQuery(userQueries.user())
  if (!user?.erasedAt) return null
  return (
    <aside className="frame-banner" aria-label="Your account will be erased">
      <p>Your account and all its data will be erased on {formatMoment(user.erasedAt)}.</p>
      <KeepAccountButton />
    </aside>
  )
}

/** Among the settings: has the account erased, or shows when it will be. */
export function ErasureCard() {
  const { data: user } = useQuery(userQueries.user())
  const [isOpen, setOpen] = useState(false)
  if (!user) return null
  return (
    <Card title="Erase your account">
      {user.erasedAt ? (
        <>
          <p>Your account will be erased on {formatMoment(user.erasedAt)}. Until then you can keep it.</p>
          <KeepAccountButton />
        </>
      ) : (
        <>
          <p>
            Seven days after you ask, everything of you is erased: your account, your settings, and each merchant that
            only you own, with its figures. Your campaigns keep running at the marketplace. Your subscription ends.
            Invoices are kept without your name, because the law says so.
          </p>
          <p>
            <Link to="/settings" hash="your-data">
              Download your data
            </Link>{' '}
            before, if you want a copy.
          </p>
          {isOpen ? (
            <EraseForm onClose={() => setOpen(false)} />
          ) : (
            <Button tone="danger" onClick={() => setOpen(true)}>
              Erase my account…
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

const schema = v.object({ password: v.pipe(v.string(), v.nonEmpty('Password is required')) })

function EraseForm({ onClose }: { onClose: () => void }) {
  const online = useOnline()
  const erase = useMutation({
    mutationFn: (password: string) => call(userEndpoints.erase, { body: { password } }),
    onSuccess: readUserAgain,
    meta: { errorTitle: 'Your account was not changed' },
  })
  const form = useForm({
    schema,
    initial: { password: '' },
    onSubmit: async ({ password }) => {
      const isSure = await confirm({
        title: 'Erase your account?',
        message: 'After seven days nobody can bring it back. Until then you can keep it.',
        confirmText: 'Erase in seven days',
        tone: 'danger',
      })
      if (!isSure) return
      const { erasedAt } = await erase.mutateAsync(password)
      toast({ title: `Your account will be erased on ${formatMomentDay(erasedAt)}`, tone: 'success' })
    },
    fieldOf: rejectedField(['password']),
  })
  return (
    <form {...form.props}>
      <PasswordField label="Your password" autoComplete="current-password" required {...form.field('password')} />
      <div className="session-buttons">
        <Button type="submit" tone="danger" busy={form.busy} busyLabel="Please wait…" disabled={!online}>
          Erase my account
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  )
}
