import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import { newIdempotencyKey } from '#client/api/build-request.ts'
import { figuresNow } from '#client/api/server-clock.ts'
import { SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { useCurrentMarketplace } from '#features/accounts/client/public.ts'
import { authoritiesOfUser, userQueries } from '#features/auth/client/public.ts'
import { brandingQueries } from '#features/branding/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayRangeMessage, isDayRange } from '#shared/query-schemas.ts'
import { addDays, dayIn } from '#shared/time.ts'
import { pastedAsinsOrAll } from '../asins.ts'
import { mostAsins, newReport, type ReportFormat, type ReportKind, reportFormats, reportKinds } from '../contract.ts'
import { requestReport, type ReportRequest } from './queries.ts'

const kindOptions = (Object.keys(reportKinds) as ReportKind[]).map(value => ({
  value,
  label: reportKinds[value].label,
}))
export const formatLabels = {
  PDF: 'PDF, to read and send',
  XLSX: 'Excel, with every row',
  CSV: 'CSV, with every row',
} as const
const formatOptions = reportFormats.map(value => ({ value, label: formatLabels[value] }))
const repeats = [
  { value: 'ONCE', label: 'Once' },
  { value: 'WEEKLY', label: 'Every week, on Monday' },
  { value: 'MONTHLY', label: 'Every month, on the first' },
] as const
type Repeat = (typeof repeats)[number]['value']

const { kind, format, dateFrom, dateTo } = newReport.entries
const request = v.pipe(
  v.object({ kind, format, dateFrom, dateTo, asins: pastedAsinsOrAll }),
  v.check(days => isDayRange(days), dayRangeMessage),
)

/** What a new report is about, of which days, and whether it comes again. */
export function RequestSheet({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const { id: marketplaceId, name: marketplace } = useCurrentMarketplace()
  // One key for each request that is tried again unchanged.
  const sent = useRef({ text: '', key: '' })
  const [repeat, setRepeat] = useState<Repeat>('ONCE')
  const [profile, setProfile] = useState<string>()
  const send = useMutation(requestReport(client))
  const { data: user } = useQuery(userQueries.user())
  const isAgency = user !== undefined && authoritiesOfUser(user).includes('AGENCY')
  const { data: branding } = useQuery({ ...brandingQueries.list(), enabled: isAgency })
  const profiles = branding?.content ?? []
  const chosen = profile ?? String(profiles.find(one => one.isDefault)?.id ?? 'none')
  const yesterday = addDays(dayIn(new Date(figuresNow()), timezoneOfMarketplace(marketplaceId)), -1)
  const initial = {
    kind: 'ACCOUNT' as ReportKind,
    format: 'PDF' as ReportFormat,
    dateFrom: addDays(yesterday, -29),
    dateTo: yesterday,
    asins: '',
  }
  const form = useForm({
    schema: request,
    initial,
    onSubmit: async ({ asins, ...values }) => {
      const body: ReportRequest = {
        ...values,
        ...(values.kind === 'ASIN' && asins && { asins }),
        brandingProfileId: chosen === 'none' ? null : Number(chosen),
        ...(repeat !== 'ONCE' && { schedule: { frequency: repeat } }),
      }
      const text = JSON.stringify(body)
      if (sent.current.text !== text) sent.current = { text, key: newIdempotencyKey() }
      await send.mutateAsync({ body, key: sent.current.key })
      toast({
        title: 'Report requested',
        message:
          repeat === 'ONCE' ? 'You can leave; you are notified when it is ready.' : 'The next ones come by email.',
        tone: 'success',
      })
      onClose()
    },
  })
  return (
    <Sheet
      open
      title="New report"
      onClose={onClose}
      footer={
        <Button tone="primary" block busy={form.busy} busyLabel="Requesting…" onClick={() => void form.submit()}>
          Request report
        </Button>
      }
    >
      <form {...form.props} className="reports-form">
        <p>Of {marketplace}, the marketplace that you work in now.</p>
        <SelectField
          label="About"
          options={kindOptions}
          {...form.field('kind')}
          onChange={about => {
            form.field('kind').onChange(about)
            // What is no longer in sight must not be in the way.
            form.field('asins').onChange('')
          }}
        />
        {form.values.kind === 'ASIN' && (
          <TextField
            label="ASINs (optional)"
            rows={3}
            help={`Only these products: up to ${mostAsins}, with spaces, commas or lines between them. All products when empty.`}
            {...form.field('asins')}
          />
        )}
        <SelectField label="Format" options={formatOptions} {...form.field('format')} />
        <div className="reports-days">
          <TextField label="From" type="date" max={yesterday} {...form.field('dateFrom')} />
          <TextField label="To" type="date" max={yesterday} {...form.field('dateTo')} />
        </div>
        {form.errors[''] && <p className="field-error">{form.errors['']}</p>}
        <SelectField
          label="Repeat"
          name="repeat"
          value={repeat}
          onChange={setRepeat}
          options={repeats}
          help={
            repeat === 'ONCE'
              ? 'Only these days.'
              : 'These days now, then each week or month that has ended, by email at 7 in the marketplace’s morning.'
          }
        />
        {isAgency && (
          <SelectField
            label="Branding"
            name="branding"
            value={chosen}
            onChange={setProfile}
            options={[
              { value: 'none', label: 'Tideline' },
              ...profiles.map(one => ({ value: String(one.id), label: one.name })),
            ]}
          />
        )}
      </form>
    </Sheet>
  )
}
