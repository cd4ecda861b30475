import { alertCircleOutline } from 'ionicons/icons'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import type { CallbackFailure } from './callback-failures.ts'
import { LinkButton } from '../link-button.tsx'
import { useConsentReturn } from './use-consent-return.ts'

/** The return from the marketplace: progress while the consent is completed, or what went wrong and what to do. */
export function CallbackPage() {
  const failure = useConsentReturn()
  if (failure) return <CallbackFailed failure={failure} />
  return (
    <Page title="Connecting your account">
      <p>Tideline is exchanging your permission and looking for your accounts. This takes a few seconds.</p>
      <ProgressBar label="Connecting your account" />
    </Page>
  )
}

function CallbackFailed({ failure }: { failure: CallbackFailure }) {
  return (
    <Page title="Not connected" back="/connections">
      <div className="state" role="alert">
        <Icon icon={alertCircleOutline} />
        <h2 className="state-title">{failure.title}</h2>
        {failure.sentences.map(sentence => (
          <p key={sentence}>{sentence}</p>
        ))}
        <div className="button-row">
          <LinkButton to="/connections" tone="primary">
            Go to Connections
          </LinkButton>
        </div>
      </div>
    </Page>
  )
}
