import './preferences.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { queryClient } from '#client/api/query-client.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import { errorsOf } from '#client/ui/forms/use-form.ts'
import { formatHour } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { useHoldReload } from '#client/pwa/can-reload-now.ts'
import {
  hasThreshold,
  type KindPreference,
  type NotificationPreferences,
  preferenceEndpoints as endpoints,
  ruleOf,
  thresholdUnits,
} from '../preferences-contract.ts'
import { notificationQueries } from './queries.ts'

const preferencesQuery = () => ({
  // Below the notifications, so that their event on another device reads this again too.
  queryKey: [...notificationQueries.all, 'preferences'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoints.get, {}, { signal }),
  meta: { silent: true } as const,
})

/** Among the settings: how each kind of notification reaches the user, the quiet hours and the digest. */
export function PreferencesCard() {
  const query = useQuery(preferencesQuery())
  return (
    <Card title="Notifications">
      <QueryView
        query={query}
        loading={{ rows: 4, kind: 'row', label: 'Loading how you are notified' }}
        failedTitle="How you are notified could not be loaded"
      >
        {saved => <PreferencesForm key={JSON.stringify(saved)} saved={saved} />}
      </QueryView>
    </Card>
  )
}

function PreferencesForm({ saved }: { saved: NotificationPreferences }) {
  const [draft, setDraft] = useState(saved)
  const [isTried, setTried] = useState(false)
  const online = useOnline()
  const isChanged = JSON.stringify(draft) !== JSON.stringify(saved)
  useHoldReload(isChanged)
  const save = useMutation({
    mutationFn: () => call(endpoints.save, { body: draft }),
    onSuccess: answer => {
      queryClient.setQueryData(preferencesQuery().queryKey, answer)
      toast({ title: 'Saved', tone: 'success' })
    },
    meta: { errorTitle: 'Your notifications were not changed' },
  })
  const errors = isTried ? errorsOf(endpoints.save.body, draft) : {}
  const { quietHours, digest } = draft
  const change = (changes: Partial<NotificationPreferences>): void => setDraft({ ...draft, ...changes })
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        setTried(true)
        if (Object.keys(errorsOf(endpoints.save.body, draft)).length === 0) save.mutate()
      }}
    >
      <div className="kind-preferences">
        {draft.kinds.map((one, index) => (
          <KindRow
            key={one.kind}
            value={one}
            hasQuietHours={quietHours !== null}
            error={errors[`kinds.${index}`] ?? errors[`kinds.${index}.threshold`]}
            onChange={next => change({ kinds: draft.kinds.with(index, next) })}
          />
        ))}
      </div>
      <h3>Quiet hours</h3>
      <CheckField
        label="Keep my devices silent at certain hours"
        help="Notifications wait and come together when the hours end. You see them in Tideline at once."
        checked={quietHours !== null}
        onChange={isOn => change({ quietHours: isOn ? { from: '22:00', to: '07:00' } : null })}
      />
      {quietHours && (
        <div className="quiet-hours">
          <TimeField
            label="From"
            value={quietHours.from}
            onChange={from => change({ quietHours: { ...quietHours, from } })}
          />
          <TimeField label="To" value={quietHours.to} onChange={to => change({ quietHours: { ...quietHours, to } })} />
          {errors.quietHours && <p className="field-error">{errors.quietHours}</p>}
        </div>
      )}
      <h3>Summary by email</h3>
      <SelectField
        label="Send me what is unread"
        name="digest"
        value={digest.frequency}
        options={[
          { value: 'OFF', label: 'Never' },
          { value: 'DAILY', label: 'Every day' },
          { value: 'WEEKLY', label: 'Every week' },
        ]}
        help="Only when there is something unread. Each email has a link that ends them."
        onChange={frequency => change({ digest: { ...digest, frequency } })}
      />
      {digest.frequency !== 'OFF' && (
        <div className="quiet-hours">
          {digest.frequency === 'WEEKLY' && (
            <SelectField
              label="Day"
              name="weekday"
              value={String(digest.weekday)}
              options={weekdays.map((label, day) => ({ value: String(day + 1), label }))}
              onChange={weekday => change({ digest: { ...digest, weekday: Number(weekday) } })}
            />
          )}
          <SelectField
            label="Time"
            name="hour"
            value={String(digest.hour)}
            options={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour) }))}
            onChange={hour => change({ digest: { ...digest, hour: Number(hour) } })}
          />
        </div>
      )}
      <Button type="submit" tone="primary" busy={save.isPending} busyLabel="Saving…" disabled={!online || !isChanged}>
        Save notifications
      </Button>
    </form>
  )
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface TimeFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}
function TimeField({ label, value, onChange }: TimeFieldProps) {
  return <TextField type="time" name={label} label={label} value={value} onChange={onChange} />
}

const emailLabels = { NEVER: 'No email', INSTEAD: 'Email if no device takes it', ALWAYS: 'Always an email' } as const

interface KindRowProps {
  value: KindPreference
  hasQuietHours: boolean
  error: string | undefined
  onChange: (value: KindPreference) => void
}

/** One kind: what is on in a line, and its switches below. */
function KindRow({ value, hasQuietHours, error, onChange }: KindRowProps) {
  const { kind, inApp, push, email, threshold, ringsInQuietHours } = value
  const { label, urgency } = ruleOf(kind)
  const where = [inApp && 'in Tideline', push && 'on your devices', email !== 'NEVER' && 'by email'].filter(Boolean)
  return (
    <details open={error === undefined ? undefined : true}>
      <summary>
        <span>{label}</span>
        <small>{where.length > 0 ? where.join(', ') : 'off'}</small>
      </summary>
      <div className="switch">
        <CheckField label="In Tideline" checked={inApp} onChange={next => onChange({ ...value, inApp: next })} />
        <CheckField
          label="On my devices"
          help="On each device that you have turned notifications on for."
          checked={push}
          onChange={next => onChange({ ...value, push: next })}
        />
        {urgency === 'high' && hasQuietHours && (
          <CheckField
            label="In quiet hours too"
            checked={ringsInQuietHours}
            disabled={!push}
            onChange={next => onChange({ ...value, ringsInQuietHours: next })}
          />
        )}
      </div>
      <SelectField
        label="Email"
        name={`${kind}-email`}
        value={email}
        options={Object.entries(emailLabels).map(([choice, text]) => ({ value: choice as typeof email, label: text }))}
        onChange={next => onChange({ ...value, email: next })}
      />
      {hasThreshold(kind) && (
        <NumberField
          optional
          label={`${thresholdUnits[kind].label}, at least`}
          help="Empty: as soon as Tideline finds it unusual, which it never does below its own limit."
          name={`${kind}-threshold`}
          digits={0}
          {...(thresholdUnits[kind].unit === 'percent' && { suffix: '%' })}
          value={threshold}
          error={error && `Enter ${thresholdUnits[kind].least} to ${thresholdUnits[kind].most}, or leave it empty`}
          onChange={next => onChange({ ...value, threshold: next })}
        />
      )}
    </details>
  )
}
