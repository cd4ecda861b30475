import './branding.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { BrandingProfile } from '../contract.ts'
import { ProfileSheet } from './profile-sheet.tsx'
import { brandingQueries, deleteProfile, setDefault } from './queries.ts'
import { ReportPreview, useLogo } from './report-preview.tsx'

/** How the account's reports look: its profiles, each with a preview. */
export function BrandingPage() {
  const query = useQuery(brandingQueries.list())
  const online = useOnline()
  // Undefined: no sheet; null: a new profile.
  const [editedId, setEditedId] = useState<number | null>()
  const edited = query.data?.content.find(one => one.id === editedId) ?? null
  const add = (
    <Button tone="primary" disabled={!online} onClick={() => setEditedId(null)}>
      Add profile
    </Button>
  )
  return (
    <Page title="Branding" status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />} onRefresh={() => query.refetch()}>
      <QueryView
        query={query}
        loading={{ rows: 2, kind: 'card', label: 'Loading your branding profiles' }}
        failedTitle="Your branding profiles could not be loaded"
        empty={({ content }) =>
          content.length === 0 && (
            <EmptyState
              title="No branding profile yet"
              hint="A profile puts your name, colors and logo on the reports that you send to clients."
              action={add}
            />
          )
        }
      >
        {({ content }) => (
          <>
            {content.map(profile => (
              <ProfileCard key={profile.id} profile={profile} onEdit={() => setEditedId(profile.id)} />
            ))}
            {add}
          </>
        )}
      </QueryView>
      {editedId !== undefined && (
        <ProfileSheet key={editedId ?? 'new'} profile={edited} onClose={() => setEditedId(undefined)} />
      )}
    </Page>
  )
}

function ProfileCard({ profile, onEdit }: { profile: BrandingProfile; onEdit: () => void }) {
  const client = useQueryClient()
  const online = useOnline()
  const makeDefault = useMutation(setDefault(client))
  const remove = useMutation(deleteProfile(client))
  const logo = useLogo(profile.logoUrl)
  const { id, name, isDefault } = profile
  const askToDelete = async (): Promise<void> => {
    const message = 'Reports that were made keep their look.'
    if (await confirm({ title: `Delete “${name}”?`, message, confirmText: 'Delete profile', tone: 'danger' }))
      remove.mutate(id)
  }
  const aside = (
    <span className="branding-state">
      {isDefault && <span className="tag tag-good">Default</span>}
      {online && (
        <RowMenu
          name={name}
          actions={[
            {
              label: isDefault ? 'Do not use it by default' : 'Use it by default',
              onSelect: () => makeDefault.mutate(isDefault ? null : id),
            },
            { label: 'Delete', tone: 'danger', onSelect: () => void askToDelete() },
          ]}
        />
      )}
    </span>
  )
  return (
    <Card title={name} aside={aside}>
      <ReportPreview profile={profile} logo={logo} />
      <Button onClick={onEdit} disabled={!online}>
        {profile.logoUrl ? 'Change' : 'Change or add a logo'}
      </Button>
    </Card>
  )
}
