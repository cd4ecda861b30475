import './accounts.css'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChangePasswordForm, LogOutButton, userQueries } from '#features/auth/client/public.ts'
import { userChanges, type UserChanges, userEndpoints } from '#features/auth/contract.ts'
import { useOnline } from '#client/api/online.ts'
import { InstallSetting } from '#client/pwa/install-app.tsx'
import { TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { call } from '#client/api/call.ts'
import { queryClient } from '#client/api/query-client.ts'

export function SettingsPage({ children }: { children?: ReactNode }) {
  const { data: user, dataUpdatedAt } = useSuspenseQuery(userQueries.user())
  return (
    <Page title="Settings" status={<OfflineAge updatedAt={[dataUpdatedAt]} />}>
      <Card title="Profile">
        <p className="profile-email list-row-detail">{user.email}</p>
        <ProfileForm initial={{ firstName: user.firstName, lastName: user.lastName }} />
      </Card>
      <Card title="Password">
        <ChangePasswordForm email={user.email} />
      </Card>
      {children}
      <InstallSetting />
      <Card title="This device">
        <LogOutButton />
      </Card>
    </Page>
  )
}

function ProfileForm({ initial }: { initial: Record<'firstName' | 'lastName', string> }) {
  const save = useMutation({
    mutationFn: (body: UserChanges) => call(userEndpoints.update, { body }),
    onSuccess: user => void queryClient.setQueryData(userQueries.user().queryKey, user),
    meta: { errorTitle: 'Your settings were not saved' },
  })
  const online = useOnline()
  const form = useForm({
    schema: userChanges,
    initial,
    onSubmit: async values => {
      await save.mutateAsync(values)
      toast({ title: 'Saved', tone: 'success' })
    },
    fieldOf: (detail, { extra }) => {
      const fields = Object.entries((extra.fields ?? {}) as Record<string, string>)
      return fields.find(([, message]) => message === detail)?.[0] as keyof typeof initial | undefined
    },
  })
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
