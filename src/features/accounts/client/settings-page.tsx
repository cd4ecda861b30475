import './accounts.css'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Link } from '@tanstack/react-router'
import {
  authoritiesOfUser,
  ChangePasswordForm,
  ErasureCard,
  LogOutButton,
  SessionsCard,
  userQueries,
} from '#features/auth/client/public.ts'
import { offeredFormats, userChanges, type UserChanges, userEndpoints } from '#features/auth/user-contract.ts'
import { useOnline } from '#client/api/online.ts'
import { InstallSetting } from '#client/pwa/install-app.tsx'
import { SelectField, TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { call } from '#client/api/call.ts'
import { queryClient } from '#client/api/query-client.ts'
import { setRegion } from '#client/api/region.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { regionExample } from '#client/ui/figures/format.ts'
import { allTimeZones } from '#shared/region-format.ts'

// A plain string: this feature does not know which addresses others registered.
const team: string = '/team'

export function SettingsPage({ children }: { children?: ReactNode }) {
  const { data: user, dataUpdatedAt } = useSuspenseQuery(userQueries.user())
  return (
    <Page title="Settings" status={<OfflineAge updatedAt={[dataUpdatedAt]} />}>
      <div className="settings-cards">
        <Card title="Profile">
          <p className="profile-email list-row-detail">{user.email}</p>
          <ProfileForm initial={{ firstName: user.firstName, lastName: user.lastName }} />
        </Card>
        <Card title="Format and time zone">
          <RegionForm initial={{ locale: user.locale, timezone: user.timezone }} />
        </Card>
        <Card title="Password">
          <ChangePasswordForm email={user.email} />
        </Card>
        {children}
        <SessionsCard />
        {authoritiesOfUser(user).includes('ACCOUNT_MANAGER') && (
          <Card title="Team">
            <p className="list-row-detail">
              Invite people to view the figures of your merchants, and see who has access.
            </p>
            <Link to={team} className="button button-quiet">
              Open Team
            </Link>
          </Card>
        )}
        <InstallSetting />
        <Card title="This device">
          <LogOutButton />
        </Card>
        <ErasureCard />
      </div>
    </Page>
  )
}

/** A form for some of the user's own fields. */
function useUserForm<T extends UserChanges>(initial: T) {
  const save = useMutation({
    mutationFn: (body: UserChanges) => call(userEndpoints.update, { body }),
    onSuccess: user => {
      queryClient.setQueryData(userQueries.user().queryKey, user)
      // Draws every screen again, this one too.
      setRegion(user)
    },
    meta: { errorTitle: 'Your settings were not saved' },
  })
  return useForm({
    schema: userChanges,
    initial,
    onSubmit: async values => {
      await save.mutateAsync(values)
      toast({ title: 'Saved', tone: 'success' })
    },
    fieldOf: (detail, { extra }) => {
      const fields = Object.entries((extra.fields ?? {}) as Record<string, string>)
      return fields.find(([, message]) => message === detail)?.[0] as (keyof T & string) | undefined
    },
  })
}

function ProfileForm({ initial }: { initial: Record<'firstName' | 'lastName', string> }) {
  const online = useOnline()
  const form = useUserForm(initial)
  return (
    <form {...form.props}>
      <TextField label="First name" autoComplete="given-name" maxLength={100} {...form.field('firstName')} />
      <TextField label="Last name" autoComplete="family-name" maxLength={100} {...form.field('lastName')} />
      <Button type="submit" tone="primary" busy={form.busy} busyLabel="Saving…" disabled={!online}>
        Save
      </Button>
    </form>
  )
}

const formatLabels: Record<(typeof offeredFormats)[number], string> = {
  'en-US': 'United States',
  'en-GB': 'United Kingdom',
  'de-DE': 'Germany',
  'fr-FR': 'France',
  'es-ES': 'Spain',
  'it-IT': 'Italy',
  'nl-NL': 'Netherlands',
  'pl-PL': 'Poland',
  'sv-SE': 'Sweden',
  'tr-TR': 'Türkiye',
  'ja-JP': 'Japan',
  'pt-BR': 'Brazil',
  'hi-IN': 'India',
}

/** How numbers and days are written, and in which time zone; the language is English in every format. */
function RegionForm({ initial }: { initial: Record<'locale' | 'timezone', string> }) {
  const online = useOnline()
  const form = useUserForm(initial)
  const { locale, timezone } = form.values
  // One that was set in another way is not lost by opening this form.
  const formats = [...new Set<string>([...offeredFormats, initial.locale])]
  const zones = useMemo(() => [...new Set([...allTimeZones(), 'UTC', initial.timezone])].toSorted(), [initial.timezone])
  return (
    <form {...form.props}>
      <SelectField
        label="Format of numbers and dates"
        help={`For example ${regionExample(locale, timezone, serverNow())}`}
        options={formats.map(value => ({ value, label: formatLabels[value as keyof typeof formatLabels] ?? value }))}
        {...form.field('locale')}
      />
      <SelectField
        label="Time zone"
        help="For times that are not of a marketplace, quiet hours and emails. Figures keep the days of their marketplace."
        options={zones.map(value => ({ value, label: value.replaceAll('_', ' ') }))}
        {...form.field('timezone')}
      />
      <Button type="submit" tone="primary" busy={form.busy} busyLabel="Saving…" disabled={!online}>
        Save
      </Button>
    </form>
  )
}
