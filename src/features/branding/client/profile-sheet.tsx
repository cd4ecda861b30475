import { useMutation, useQueryClient } from '@tanstack/react-query'
import { checkmarkCircleOutline, warningOutline } from 'ionicons/icons'
import { useId, useState } from 'react'
import { ApiError } from '#client/api/api-error.ts'
import { FieldFrame, TextField } from '#client/ui/forms/fields.tsx'
import { useForm } from '#client/ui/forms/use-form.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type BrandingProfile, maxLogoBytes, newProfile } from '../contract.ts'
import { describeContrast, ownColors } from '../rules.ts'
import { saveProfile, uploadLogo } from './queries.ts'
import { ReportPreview, useLogo } from './report-preview.tsx'

interface ProfileSheetProps {
  /** Null for a new one. */
  profile: BrandingProfile | null
  onClose: () => void
}

/** Creates or changes a profile, with a preview that follows each change. */
export function ProfileSheet({ profile, onClose }: ProfileSheetProps) {
  const client = useQueryClient()
  const save = useMutation(saveProfile(client))
  const { name, primaryColor, accentColor, footer } = profile ?? { name: '', ...ownColors, footer: '' }
  const form = useForm({
    schema: newProfile,
    initial: { name, primaryColor, accentColor, footer },
    onSubmit: async body => {
      await save.mutateAsync({ id: profile?.id ?? null, body })
      toast({ title: profile ? 'Profile saved' : 'Profile added', tone: 'success' })
      onClose()
    },
  })
  const logo = useLogo(profile?.logoUrl ?? null)
  return (
    <Sheet
      open
      title={profile ? 'Change profile' : 'New branding profile'}
      onClose={onClose}
      footer={
        <Button tone="primary" block busy={form.busy} busyLabel="Saving…" onClick={() => void form.submit()}>
          {profile ? 'Save changes' : 'Add profile'}
        </Button>
      }
    >
      <form {...form.props} className="branding-form">
        <TextField label="Name" {...form.field('name')} maxLength={60} help="Your clients see it on the cover." />
        <ColorField
          label="Main color"
          {...form.field('primaryColor')}
          help="Cover, headings and the first line of charts."
        />
        <ColorField label="Second color" {...form.field('accentColor')} help="The second line of charts." />
        <TextField
          label="Footer"
          {...form.field('footer')}
          maxLength={160}
          help="At the foot of every page. Leave it empty for the report’s name."
        />
        {profile ? (
          <LogoField profile={profile} logo={logo} />
        ) : (
          <p className="field-help">You can upload a logo once the profile is added.</p>
        )}
        <ReportPreview profile={form.values} logo={logo} />
      </form>
    </Sheet>
  )
}

interface ColorFieldProps {
  label: string
  name: string
  value: string
  error?: string | undefined
  help: string
  onChange: (value: string) => void
  onBlur: () => void
}

function ColorField({ label, name, value, error, help, onChange, onBlur }: ColorFieldProps) {
  const isColor = /^#[0-9a-f]{6}$/i.test(value)
  const contrast = isColor ? describeContrast(value) : null
  return (
    <FieldFrame label={label} error={error} help={help}>
      {described => (
        <>
          <span className="branding-color">
            <input
              type="color"
              aria-label={`Pick ${label.toLowerCase()}`}
              value={isColor ? value : '#000000'}
              onChange={event => onChange(event.target.value)}
            />
            <input
              {...described}
              name={name}
              value={value}
              maxLength={7}
              spellCheck={false}
              autoCapitalize="none"
              onBlur={onBlur}
              onChange={event => onChange(event.target.value)}
            />
          </span>
          {contrast && (
            <p className={contrast.isReadable ? 'branding-contrast' : 'branding-contrast branding-contrast-low'}>
              <Icon icon={contrast.isReadable ? checkmarkCircleOutline : warningOutline} /> {contrast.sentence}
            </p>
          )}
        </>
      )}
    </FieldFrame>
  )
}

function LogoField({ profile, logo }: { profile: BrandingProfile; logo: string | null }) {
  const id = useId()
  const client = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const upload = useMutation({ ...uploadLogo(client), meta: { silent: true } })
  const choose = async (file: File | undefined): Promise<void> => {
    if (!file) return
    if (file.size > maxLogoBytes) return setProblem('The file is too large: at most 2 MB.')
    setProblem(undefined)
    try {
      await upload.mutateAsync({ id: profile.id, file })
      toast({ title: 'Logo saved', tone: 'success' })
    } catch (error) {
      setProblem(
        error instanceof ApiError ? error.message : 'The logo was not uploaded. Check your connection and try again.',
      )
    }
  }
  return (
    <div className={problem ? 'field field-invalid' : 'field'}>
      <label htmlFor={id}>Logo</label>
      <div className="branding-upload">
        <span className="branding-logo">{logo ? <img src={logo} alt={`Logo of ${profile.name}`} /> : 'No logo'}</span>
        <input
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          disabled={upload.isPending}
          aria-describedby={`${id}-help`}
          onChange={event => {
            void choose(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </div>
      {upload.isPending && <p aria-live="polite">Uploading…</p>}
      {problem && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
      <p id={`${id}-help`} className="field-help">
        PNG, JPEG or WebP, at most 2 MB and 4,096 × 4,096 pixels.
      </p>
    </div>
  )
}
