import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { useOnline } from '#client/api/online.ts'
import { figuresNow } from '#client/api/server-clock.ts'
import { SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { amazonProfileSchema } from '#features/accounts/contract.ts'
import { fullName, UserFinder } from '#features/managing/client/public.ts'
import type { ManagedUser } from '#features/managing/contract.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { day, dayRangeMessage, isDayRange } from '#shared/query-schemas.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { pastedAsins } from '../asins.ts'
import { type ReportFormat, reportFormats } from '../contract.ts'
import { requestAsinReport } from './queries.ts'
import { formatLabels } from './request-sheet.tsx'

/** For whom, about which products, of which days: the request of a report for a user. */
export function AdminRequestForm() {
  const [user, setUser] = useState<ManagedUser>()
  return (
    <Card title="New report" aside={user && <Button onClick={() => setUser(undefined)}>Choose another user</Button>}>
      {user ? (
        <Details key={user.id} user={user} />
      ) : (
        <>
          <p>Which user is the report about?</p>
          <UserFinder
            end={found => (
              <Button aria-label={`Choose ${fullName(found)}`} onClick={() => setUser(found)}>
                Choose
              </Button>
            )}
          />
        </>
      )}
    </Card>
  )
}

const request = v.pipe(
  v.object({ asins: pastedAsins, dateFrom: day, dateTo: day, format: v.picklist(reportFormats) }),
  v.check(days => isDayRange(days), dayRangeMessage),
)
const formatOptions = reportFormats.map(value => ({ value, label: formatLabels[value] }))

function Details({ user }: { user: ManagedUser }) {
  const online = useOnline()
  const send = useMutation(requestAsinReport(useQueryClient()))
  // One key for each request that is tried again unchanged.
  const sent = useRef({ text: '', key: '' })
  const accounts = user.amazonProfiles.filter(one => v.is(amazonProfileSchema, one)).filter(one => one.isManaged)
  const [account, setAccount] = useState('')
  const chosen = accounts.find(one => String(one.id) === account)
  const timezone = chosen?.timezone ?? timezoneOfMarketplace(user.currentMarketplace?.id ?? 1)
  const yesterday = addDays(dayIn(new Date(figuresNow()), timezone), -1)
  const form = useForm({
    schema: request,
    initial: { asins: '', dateFrom: addDays(yesterday, -29), dateTo: yesterday, format: 'PDF' as ReportFormat },
    onSubmit: async values => {
      const body = { userId: user.id, ...(chosen && { profileId: chosen.id }), ...values }
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: newIdempotencyKey() }
      await send.mutateAsync({ body, key: sent.current.key })
      // The next request of the same is another one.
      sent.current = { text: '', key: '' }
      toast({ title: 'Report requested', message: 'You find it under Requested reports.', tone: 'success' })
      form.reset()
    },
  })
  // The button that had the focus is gone.
  const { ref } = form.props
  useEffect(() => ref.current?.querySelector('select')?.focus(), [ref])
  return (
    <form {...form.props} className="reports-form">
      <p className="reports-email">
        <strong>{fullName(user)}</strong>
        <br />
        {user.email}
      </p>
      <SelectField
        label="Advertising account"
        name="account"
        value={account}
        onChange={setAccount}
        options={[
          { value: '', label: 'The one that the user works in now' },
          ...accounts.map(one => ({ value: String(one.id), label: `${one.accountName} · ${one.marketplace.key}` })),
        ]}
      />
      <TextField
        label="ASINs"
        rows={4}
        help="Paste up to 200, with spaces, commas or lines between them."
        {...form.field('asins')}
      />
      <div className="reports-days">
        <TextField label="From" type="date" max={yesterday} {...form.field('dateFrom')} />
        <TextField label="To" type="date" max={yesterday} {...form.field('dateTo')} />
      </div>
      {form.errors[''] && <p className="field-error">{form.errors['']}</p>}
      <SelectField label="Format" options={formatOptions} {...form.field('format')} />
      <p className="reports-small">The user is not notified, but sees in “Who acted for me” that you requested it.</p>
      <Button tone="primary" type="submit" disabled={!online} busy={form.busy} busyLabel="Requesting…">
        Request report
      </Button>
      {!online && <output>You are offline. Reports can be requested when you are online again.</output>}
    </form>
  )
}
